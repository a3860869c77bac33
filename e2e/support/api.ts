/** Calls the service over HTTP as a customer's server does, with only a secret key. */
import type { Service } from './processes.js'

type Json = Record<string, unknown>

/** The terms of a balance transfer, in cents. */
export interface Terms {
  loan_amount: number
  minimum_payment?: number
  maximum_payment?: number
  residual_amount_max?: number
  /** The APR of the loan, in percent. */
  loan_apr?: number
}

export interface Session {
  id: string
  exited_at?: string
  not_me_at?: string
  bt: {
    completed: boolean
    allocations: Record<string, number>
    payout_status: string
    released_at: string | null
    payment_ids: Record<string, string | null>
  }
}

export class Api {
  readonly #service: Service

  constructor(service: Service) {
    this.#service = service
  }

  async call<T>(method: string, path: string, body?: Json): Promise<T> {
    const response = await fetch(this.#service.apiOrigin + path, {
      method,
      headers: { authorization: `Bearer ${this.#service.key}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    this.#service.saw(path, body && JSON.stringify(body), text)
    const answer = JSON.parse(text) as T & { error?: { sub_type: string; message: string } }
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer.error)}`)
    return answer
  }

  /** Creates a person with or without a phone number. The sandbox accepts any name. */
  async person(phone: string | null): Promise<string> {
    const individual = { first_name: 'Ana', last_name: 'Rivera', ...(phone === null ? {} : { phone }) }
    const { id } = await this.call<{ id: string }>('POST', '/entities', { type: 'individual', individual })
    return id
  }

  async connectToken(entity_id: string, more: Json = {}): Promise<string> {
    const body = { type: 'connect', entity_id, connect: { products: ['balance'] }, ...more }
    return (await this.call<{ element_token: string }>('POST', '/elements/token', body)).element_token
  }

  async transferToken(entity_id: string, terms: Terms, more: Json = {}): Promise<{ token: string; session: string }> {
    const body = { type: 'balance_transfer', entity_id, balance_transfer: terms, ...more }
    const made = await this.call<{ element_token: string; session_id: string }>('POST', '/elements/token', body)
    return { token: made.element_token, session: made.session_id }
  }

  /** Creates an Opal token with the given mode. The configuration is sent in the field named after the mode. */
  async opalToken(mode: string, entity_id: string, config: Json = {}): Promise<string> {
    return (await this.call<{ data: { token: string } }>('POST', '/opal/token', { mode, entity_id, [mode]: config }))
      .data.token
  }

  /**
   * Creates another token for an existing session, for example to continue on another device or after the page is
   * closed.
   */
  async resumeToken(session_id: string): Promise<string> {
    const body = { type: 'balance_transfer', session_id }
    return (await this.call<{ element_token: string }>('POST', '/elements/token', body)).element_token
  }

  async session(id: string): Promise<Session> {
    return (await this.call<{ data: Session }>('GET', `/opal/sessions/${id}`)).data
  }

  async accounts(holder: string): Promise<{ id: string; liability: { name: string; mask: string | null } }[]> {
    const page = await this.call<{ data: never[] }>('GET', `/accounts?holder_id=${holder}`)
    return page.data
  }

  /** Creates an unverified bank account for a person. */
  async bankAccount(holder_id: string, number = '1000000009'): Promise<string> {
    const ach = { routing: '062103000', number, type: 'checking' }
    return (await this.call<{ id: string }>('POST', '/accounts', { holder_id, ach })).id
  }

  /**
   * Returns the amounts of the deposits that verify a bank account, in cents, as the account's statement would show
   * them.
   */
  async depositsTo(account: string): Promise<[number, number]> {
    const path = `/accounts/${account}/verification_sessions`
    const { data } = await this.call<{ data: { id: string }[] }>('GET', path)
    return (await this.call<{ amounts: [number, number] }>('GET', `/simulate${path}/${data[0]!.id}/amounts`)).amounts
  }

  /** Creates a company and the account that it pays out loans from. */
  async fundingAccount(number: string): Promise<string> {
    const company = await this.call<{ id: string }>('POST', '/entities', {
      type: 'corporation',
      corporation: { name: 'A Lender', ein: '123456789' },
      address: { line1: '100 Congress Ave', line2: null, city: 'Austin', state: 'TX', zip: '78701' },
    })
    const source = await this.call<{ id: string }>('POST', '/accounts', {
      holder_id: company.id,
      ach: { routing: '062103000', number, type: 'checking' },
    })
    return source.id
  }

  /** Releases the loan, paying from a new funding account with this number. */
  async release(session: string, number = '123456789'): Promise<void> {
    const data = { source: await this.fundingAccount(number) }
    await this.call('POST', `/opal/sessions/${session}`, { action: 'release_payments', data })
  }

  /** Advances the sandbox's clock by an ISO 8601 duration. */
  async advance(duration: string): Promise<void> {
    await this.call('POST', '/simulate/clock', { advance: duration })
  }
}
