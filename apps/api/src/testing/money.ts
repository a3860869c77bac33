/** Test helper that provides a funded lender and borrowers with debts. */
import type { TestService } from './service.js'

type Body = Record<string, unknown> & { id: string }

export const routing = '062103000'

/** The actions that a test performs on behalf of a team. */
export function lender(service: TestService, key = service.key) {
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const reply = await service.call(method, path, body, { authorization: `Bearer ${key}`, ...headers })
    return { ...reply, body: reply.body as unknown as Body & { error?: { sub_type: string; message: string } } }
  }
  const must = async (method: string, path: string, body?: unknown): Promise<Body> => {
    let reply = await call(method, path, body)
    // Retries a 503 with Retry-After, as a client would. The response means that the service did nothing because the
    // machine was busy.
    while (reply.status === 503 && reply.headers.has('retry-after')) reply = await call(method, path, body)
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.text}`)
    return reply.body
  }
  /** Returns a person whose phone number and identity are verified. */
  const verified = async (phone: string): Promise<string> => {
    const { id } = await must('POST', '/entities', {
      type: 'individual',
      individual: { first_name: 'Kevin', last_name: 'Doyle', phone, dob: '1980-05-05' },
      address: { line1: '1 Elm Street', city: 'Austin', state: 'TX', zip: '78705' },
    })
    const sessions = `/entities/${id}/verification_sessions`
    const timestamp = '2021-01-01T10:00:00.000Z'
    await must('POST', sessions, { type: 'phone', method: 'byo_sms', byo_sms: { timestamp } })
    await must('POST', sessions, { type: 'identity', method: 'kba', kba: {} })
    return id
  }
  return {
    verified,
    call,
    must,
    /** Returns the sub_type of a rejected call. */
    async rejection(method: string, path: string, body?: unknown): Promise<string | undefined> {
      const reply = await call(method, path, body)
      if (reply.status !== (reply.body.error as { code?: number } | undefined)?.code) throw new Error(reply.text)
      return reply.body.error?.sub_type
    },
    /** Returns a corporation's ACH account with this account number. */
    async source(number = '123456789'): Promise<Body> {
      const holder = await must('POST', '/entities', { type: 'corporation', corporation: { name: 'Northwind' } })
      return must('POST', '/accounts', {
        holder_id: holder.id,
        type: 'ach',
        ach: { routing, number, type: 'checking' },
      })
    },
    /** Returns a verified person's liabilities, in the order in which they were found. */
    async debts(phone = '+15125550101'): Promise<{ entity: string; accounts: Body[] }> {
      const id = await verified(phone)
      const connect = await must('POST', `/entities/${id}/connect?expand[]=accounts`)
      await service.settle()
      return { entity: id, accounts: connect['accounts'] as Body[] }
    },
  }
}
