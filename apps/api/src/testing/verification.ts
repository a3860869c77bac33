/** Test helpers for the verification sessions of accounts and entities. */

import { DAY_MS } from '@causeway/contract/time'
import { expect } from 'vitest'
import { errorOf } from './contract/cases.js'
import { someone } from './frame.js'
import { lender } from './money.js'
import type { Reply, TestService } from './service.js'

/** Expects a rejection because the attempt limit has been reached. */
export function isLimited(reply: Reply, retryAfter = DAY_MS): void {
  const { sub_type, message } = errorOf(reply.body)
  const limited = 'VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED'
  expect([reply.status, sub_type, message]).toEqual([400, limited, expect.stringMatching(/Try again at 20\S+Z\.$/)])
  expect(reply.headers.get('retry-after')).toBe(String(retryAfter / 1000))
}

/** Returns the number of attempts recorded in one kind of counter, across all accounts. */
export async function usedAttempts(service: TestService, kind: string): Promise<number> {
  const rows = await service.store.reader.selectFrom('counters').select('used').where('kind', '=', kind).execute()
  return rows.reduce((all, row) => all + row.used, 0)
}

/** Returns helpers for account sessions. */
export function accountSessions(service: TestService) {
  const sessions = (account: string) => `/accounts/${account}/verification_sessions`
  const newHolder = async (): Promise<string> => {
    const { id } = await lender(service).source()
    return (await service.call('GET', `/accounts/${id}`)).body['holder_id']
  }
  let holder: string | undefined
  return {
    sessions,
    begin: async (account: string, type: string) => service.call('POST', sessions(account), { type }),
    put: (account: string, id: string, body: unknown) => service.call('PUT', `${sessions(account)}/${id}`, body),
    read: async (account: string) =>
      (await service.call('GET', `/accounts/${account}`)).body as Record<string, unknown> & { id: string },
    /** Creates a bank account. All accounts created this way have the same holder. */
    async bank(number: string, routing = '062103000'): Promise<string> {
      holder ??= await newHolder()
      const made = await service.call('POST', '/accounts', {
        holder_id: holder,
        ach: { routing, number, type: 'checking' },
      })
      return made.body['id']
    },
    /** Returns a person's two cards, each from a different issuer. */
    async cards(): Promise<string[]> {
      service.advance(3_600_001) // the number of codes sent to one phone per hour is limited
      return (await lender(service).debts('+15121231111')).accounts.map(account => account.id)
    },
  }
}

export const sms = { type: 'phone', method: 'sms', sms: {} }
export const kba = { type: 'identity', method: 'kba', kba: {} }
export const code = (sms_code: string) => ({ type: 'phone', method: 'sms', sms: { sms_code } })

/** Returns helpers for the sessions of a new sandbox entity. */
export const entitySessions =
  (service: TestService) =>
  async (phone = '+15125550101') => {
    const entity = await someone(service, phone)
    const path = `/entities/${entity}/verification_sessions`
    return {
      entity,
      path,
      begin: (body: unknown) => service.call('POST', path, body),
      answer: (id: string, body: unknown) => service.call('PUT', `${path}/${id}`, body),
      show: async () => (await service.call('GET', `/entities/${entity}`)).body,
    }
  }
