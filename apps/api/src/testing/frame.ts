/** For tests alone: a frame that talks to the service as the real one does. */
import type { SessionView, Step, StepData } from '@causeway/contract/session'
import { randomText } from '../crypto/random.js'
import type { TestService } from './service.js'

export interface FrameReply {
  status: number
  body: { view?: SessionView; bearer?: string; error?: { sub_type: string; message: string } } & Partial<SessionView>
}

export async function frameCall(
  service: TestService,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<FrameReply> {
  const init: RequestInit = {
    method,
    headers: { 'content-type': 'application/json', origin: 'http://localhost:4100', ...headers },
  }
  if (body !== undefined) init.body = JSON.stringify(body)
  const response = await service.app.frame.fetch(new Request(`http://localhost:4100${path}`, init))
  return { status: response.status, body: (await response.json()) as FrameReply['body'] }
}

export const HOST = 'http://127.0.0.1:4300'

export function redeemToken(
  service: TestService,
  token: string,
  more: Record<string, unknown> = {},
): Promise<FrameReply> {
  return frameCall(service, 'POST', '/s/redeem', {
    token,
    exchange_id: randomText(24),
    origin: HOST,
    mode: null,
    ...more,
  })
}

/** A person at the frame: knows the last view, sends its revision. */
export class Person {
  view: SessionView
  readonly bearer: string
  readonly #service: TestService
  constructor(service: TestService, bearer: string, view: SessionView) {
    this.#service = service
    this.bearer = bearer
    this.view = view
  }
  static async arrive(service: TestService, token: string): Promise<Person> {
    const { status, body } = await redeemToken(service, token)
    if (status !== 200 || !body.view || !body.bearer) throw new Error(`Redeeming failed: ${JSON.stringify(body)}`)
    return new Person(service, body.bearer, body.view)
  }
  async look(): Promise<SessionView> {
    const { body } = await frameCall(this.#service, 'GET', '/s', undefined, { authorization: `Bearer ${this.bearer}` })
    this.view = body as SessionView
    return this.view
  }
  async send(
    input: Record<string, unknown>,
    step: string = this.view.step,
    revision = this.view.revision,
  ): Promise<FrameReply> {
    const reply = await frameCall(
      this.#service,
      'POST',
      `/s/steps/${step}`,
      { revision, input },
      { authorization: `Bearer ${this.bearer}` },
    )
    const view = reply.status === 200 ? (reply.body as SessionView) : reply.body.view
    if (view) this.view = view
    return reply
  }
  data<S extends Step>(step: S): StepData[S] {
    if (this.view.step !== step)
      throw new Error(`The step is ${this.view.step}, not ${step}: ${JSON.stringify(this.view.errors)}`)
    return this.view.data as StepData[S]
  }
  consent() {
    return this.send({ action: 'accept', documents: this.data('consent').documents, locale: 'en' })
  }
  /** Consent, phone and code, and waiting for the accounts. */
  async arriveAtAccounts(code = '123456'): Promise<void> {
    if (this.view.step === 'consent') await this.consent()
    if (this.view.step === 'phone') await this.send({ action: 'send' })
    if (this.view.step === 'code') await this.send({ action: 'verify', code })
    await this.wait()
  }
  async wait(): Promise<void> {
    while (this.view.step === 'discovering') {
      await this.#service.settle()
      await this.look()
    }
  }
}

/** An entity of the team that the network knows by this phone. */
export async function someone(
  service: TestService,
  phone: string,
  more: Record<string, unknown> = {},
): Promise<string> {
  const made = await service.call('POST', '/entities', {
    type: 'individual',
    individual: { first_name: 'Kevin', last_name: 'Doyle', phone, ...more },
  })
  return made.body['id']
}

/** A verified source of money of the team. */
export async function fundingAccount(service: TestService, number = '123456789'): Promise<string> {
  const holder = await service.call('POST', '/entities', {
    type: 'corporation',
    corporation: { name: 'Northwind Lending', ein: '123456789' },
  })
  const account = await service.call('POST', '/accounts', {
    holder_id: holder.body['id'],
    ach: { routing: '062103000', number, type: 'checking' },
  })
  return account.body['id']
}

export async function transferToken(
  service: TestService,
  entity: string,
  terms: Record<string, unknown>,
): Promise<{ element_token: string; session_id: string }> {
  const made = await service.call('POST', '/elements/token', {
    type: 'balance_transfer',
    entity_id: entity,
    balance_transfer: terms,
  })
  if (made.status !== 200) throw new Error(made.text)
  return made.body
}
