/** Test helper that calls the service as the real frame does. */
import type { SessionView, Step, StepData } from '@causeway/contract/session'
import { randomText } from '../platform/crypto/random.js'
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
  remoteAddress?: string,
): Promise<FrameReply> {
  const init: RequestInit = {
    method,
    headers: { 'content-type': 'application/json', origin: 'http://localhost:4100', ...headers },
  }
  if (body !== undefined) init.body = JSON.stringify(body)
  const request = new Request(`http://localhost:4100${path}`, init)
  const response = await service.app.frame.fetch(request, { incoming: { headers: {}, socket: { remoteAddress } } })
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

/** A person using the frame. Stores the latest view and sends its revision with each call. */
export class Person {
  view: SessionView
  readonly bearer: string
  /** The network address from which the frame calls the service. */
  address: string | undefined
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
      this.address,
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
  /** Agrees to the documents. If the customer sent the phone number, this also requests a code. */
  consent(more: { silent?: true } = {}) {
    const { recipients } = this.view
    return this.send({ action: 'accept', documents: this.data('consent').documents, locale: 'en', recipients, ...more })
  }
  /** Lets the requested code expire, so that the phone number step is shown. */
  async letCodeExpire(): Promise<void> {
    await this.send({ action: 'verify', code: '111111' })
    this.data('phone')
  }
  /** Completes the consent, phone number and code steps, and waits for the accounts. */
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

/** Terms that are valid for any selection of accounts in the sandbox. */
export const LOAN = { loan_amount: 500_000 }

/** All details that may be requested from a person in the sandbox. */
export const details = {
  first_name: 'Kevin',
  last_name: 'Doyle',
  dob: '1980-05-05',
  line1: '1 Elm Street',
  city: 'Austin',
  state: 'TX',
  zip: '78705',
  ssn_4: '3333',
}

/** Completes the consent, phone number and identity steps, until the accounts are found or the flow ends. */
export async function verify(service: TestService, person: Person): Promise<Person> {
  await person.arriveAtAccounts()
  for (let turn = 0; turn < 6 && ['details', 'questions'].includes(person.view.step); turn++) {
    if (person.view.step === 'details') await person.send({ action: 'submit', ...details })
    else await person.send({ action: 'answer', answers: rightAnswers(person) })
  }
  await service.settle()
  await person.look()
  await person.wait()
  return person
}

/** Returns the answers that the sandbox marks as correct. */
export function rightAnswers(person: Person): { question_id: string; answer_id: string }[] {
  return person.data('questions').questions.map(question => ({
    question_id: question.id,
    answer_id: question.answers.find(answer => answer.text.endsWith('(Correct)'))!.id,
  }))
}

/**
 * Starts a balance transfer for a person with this phone number. Continues to the account selection, or as far as the
 * person can get.
 */
export async function atSelection(
  service: TestService,
  phone: string,
  terms: Record<string, unknown> = LOAN,
): Promise<{ person: Person; entity: string; session: string }> {
  const entity = await someone(service, phone)
  const { element_token, session_id } = await transferToken(service, entity, terms)
  return { person: await verify(service, await Person.arrive(service, element_token)), entity, session: session_id }
}

/** Continues to the allocation, with all payable accounts selected. */
export async function atAllocation(service: TestService, phone: string, terms: Record<string, unknown> = LOAN) {
  const selection = await atSelection(service, phone, terms)
  const ready = selection.person.data('selection').accounts.filter(account => account.status === 'ready')
  await selection.person.send({ action: 'select', accounts: ready.map(account => account.id) })
  return { ...selection, accounts: ready.map(account => account.id) }
}

/**
 * Continues to confirmation with the given amounts (in the same order as the accounts) or, by default, with the
 * suggested amounts.
 */
export async function confirmed(
  service: TestService,
  phone: string,
  terms: Record<string, unknown> = LOAN,
  amounts?: readonly number[],
) {
  const allocation = await atAllocation(service, phone, terms)
  const { accounts, suggestion } = allocation.person.data('allocation')
  const allocations = amounts
    ? Object.fromEntries(accounts.map((account, index) => [account.id, amounts[index] ?? 0]))
    : suggestion
  await allocation.person.send({ action: 'review', allocations })
  await allocation.person.send({ action: 'confirm' })
  allocation.person.data('done')
  return { ...allocation, accounts: accounts.map(account => account.id), allocations }
}

/** Creates an entity that the network recognizes by this phone number. */
export async function someone(
  service: TestService,
  phone: string,
  more: Record<string, unknown> = {},
): Promise<string> {
  const reply = await service.call('POST', '/entities', {
    type: 'individual',
    individual: { first_name: 'Kevin', last_name: 'Doyle', phone, ...more },
  })
  return reply.body['id']
}

/**
 * Creates a verified funding account for the team.
 * @param headers optional request headers, such as another team's key
 */
export async function fundingAccount(
  service: TestService,
  number = '123456789',
  headers?: Record<string, string>,
): Promise<string> {
  const corporation = { name: 'Northwind Lending', ein: '123456789' }
  const holder = await service.call('POST', '/entities', { type: 'corporation', corporation }, headers)
  const ach = { routing: '062103000', number, type: 'checking' }
  const account = await service.call('POST', '/accounts', { holder_id: holder.body['id'], ach }, headers)
  return account.body['id']
}

export async function transferToken(
  service: TestService,
  entity: string,
  terms: Record<string, unknown>,
): Promise<{ element_token: string; session_id: string }> {
  const reply = await service.call('POST', '/elements/token', {
    type: 'balance_transfer',
    entity_id: entity,
    balance_transfer: terms,
  })
  if (reply.status !== 200) throw new Error(reply.text)
  return reply.body
}

/** Returns a new person with this phone number, who has opened the frame in a new balance transfer. */
export const arrive = async (service: TestService, phone: string): Promise<Person> =>
  arriveAs(service, await someone(service, phone))

/** Returns the person that this entity is, who has opened the frame in a new balance transfer. */
export const arriveAs = async (service: TestService, entity: string): Promise<Person> =>
  Person.arrive(service, (await transferToken(service, entity, LOAN)).element_token)

/** Returns the handle in a one-time token. The handle identifies the token's page. */
export const handleOf = (token: string): string => token.slice('pk_elem_'.length, 'pk_elem_'.length + 16)

/** Creates a token for a new person's balance transfer and returns it. */
export async function newToken(service: TestService, more: Record<string, unknown> = {}): Promise<string> {
  const reply = await service.call('POST', '/elements/token', {
    type: 'balance_transfer',
    entity_id: await someone(service, '+15125550101'),
    balance_transfer: LOAN,
    ...more,
  })
  return reply.body['element_token'] as string
}
