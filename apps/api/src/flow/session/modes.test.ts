import { describe, expect, it } from 'vitest'
import { NEWEST } from '../../testing/contract/cases.js'
import { Person, redeemToken, someone, verify } from '../../testing/frame.js'
import { testService } from '../../testing/service.js'

const service = await testService()
const team = await service.call('GET', '/team', undefined, { 'service-version': NEWEST })
const products = [...new Set([...(team.body['products'] as string[]), 'transaction'])]
await service.call('PATCH', '/team', { products })

const mint = (mode: string, entity_id: string, config: object = {}) =>
  service.call('POST', '/opal/token', { mode, entity_id, [mode]: config })
const rejection = (reply: { body: Record<string, unknown> }) =>
  reply.body['error'] as { sub_type: string; message: string }
const opal = async (token: string, path: string) =>
  (await service.call('GET', path, undefined, { authorization: `Bearer ${token}` })).body['data']

/** Takes a person with this phone through identity verification in this mode. */
async function arrive(mode: string, config: object = {}, phone = '+15121231111', entity?: string) {
  const id = entity ?? (await someone(service, phone))
  const made = await mint(mode, id, config)
  if (made.status !== 200) throw new Error(made.text)
  const { token, session_id } = made.body['data'] as { token: string; session_id: string }
  const person = await verify(service, await Person.arrive(service, token))
  return { person, entity: id, token, session: session_id }
}
/** The test card that docs/sandbox.md documents. */
const printed = { number: '5555555555551580', exp_month: '03', exp_year: '2028', cvv: '878', billing_zip_code: '78758' }
const types = (person: Person) => person.view.events.map(event => event.type)
/** Submits only the card fields that the step requests. */
const show = (person: Person, card: Partial<typeof printed> = printed) => {
  const { fields } = person.data('card')
  return person.send({ action: 'submit', ...Object.fromEntries(fields.map(field => [field, card[field] ?? ''])) })
}
const citi = { ...printed, number: '4000000000007102', exp_month: '09', cvv: '539' }
const isChase = ({ mask }: { mask: string | null }) => mask === '1580'
const isCiti = ({ mask }: { mask: string | null }) => mask === '7102'

describe('identity_verification', () => {
  it('ends when the person is identified, and shares no account', async () => {
    const { person, entity, token } = await arrive('identity_verification')
    expect(person.view).toMatchObject({ step: 'done', mode: 'identity_verification', accounts: [] })
    const events = (await opal(token, '/opal/events')) as { type: string; data: unknown }[]
    expect(
      events.filter(event => event.type.endsWith('completed')).map(event => [event.type, event.data]),
    ).toContainEqual(['identity_verification.identity.completed', { entity_id: entity }])
    expect(await opal(token, '/opal/token')).toMatchObject({
      idv: { completed: true },
      cxn: null,
      avf: null,
      txn: null,
    })
    const { body } = await service.call('GET', `/entities/${entity}`)
    expect(body['verification']).toMatchObject({ phone: { verified: true }, identity: { verified: true } })
    expect(body['connect']).toBeNull()
  })

  it('does not ask for consent to a credit report', async () => {
    const made = await mint('identity_verification', await someone(service, '+15121231111'))
    const person = await Person.arrive(service, (made.body['data'] as { token: string }).token)
    expect(person.data('consent').documents.map(document => document.id)).toEqual(['esign', 'text_messages', 'privacy'])
  })
})

describe('card_connect', () => {
  it('offers only credit cards, and ends when the person proves that they hold the chosen one', async () => {
    const { person, entity, token } = await arrive('card_connect', { selection_type: 'single' })
    const { accounts } = person.data('selection')
    expect(new Set(accounts.map(account => account.type))).toEqual(new Set(['credit_card']))
    const { id } = accounts.find(isChase)!
    await person.send({ action: 'select', accounts: [id] })
    expect(person.data('card')).toMatchObject({
      account: { id, status: 'needs_card' },
      index: 1,
      count: 1,
      tries_left: 5,
    })
    await show(person)
    expect(types(person)).toEqual(
      expect.arrayContaining([
        'account_verification.card.verified',
        'account_verification.flow.completed',
        'opal.session.completed',
      ]),
    )
    expect(person.view).toMatchObject({ step: 'done', accounts: [id] })
    const { body } = await service.call('GET', `/accounts/${id}?expand[]=latest_verification_session`)
    expect(body['latest_verification_session']).toMatchObject({ type: 'network', status: 'verified' })
    expect(await opal(token, '/opal/token')).toMatchObject({
      cxn: { completed: true, accounts: [id] },
      avf: { completed: true, accounts: [id] },
      txn: null,
    })
    expect(entity).toBe(person.view.entity_id)
  })
})

describe('account_verification', () => {
  /** Returns a person whose accounts the customer already has. */
  async function holder() {
    const { person, entity } = await arrive('connect', { selection_type: 'all' })
    await person.send({ action: 'select', accounts: [] })
    const { body } = await service.call('GET', `/accounts?holder_id=${entity}&type=liability`)
    const accounts = body['data'] as unknown as { id: string; liability: { type: string; mask: string } }[]
    const of = (type: string) => accounts.find(account => account.liability.type === type)!.id
    return { entity, card: accounts.find(account => account.liability.mask === '1580')!.id, loan: of('auto_loan') }
  }

  it("asks for the single account's card, without a search, and only once", async () => {
    const { entity, card } = await holder()
    const { person, token } = await arrive('account_verification', { account_id: card }, undefined, entity)
    expect(person.data('card')).toMatchObject({ account: { id: card }, skippable: false })
    expect(person.view.can_go_back).toBe(false)
    await show(person)
    expect(person.view).toMatchObject({ step: 'done', accounts: [card] })
    const events = (await opal(token, '/opal/events')) as { type: string; data: unknown }[]
    expect(events.find(event => event.type === 'account_verification.flow.completed')?.data).toEqual({
      entity_id: entity,
      accounts: [card],
    })
    const again = await arrive('account_verification', { account_id: card }, undefined, entity)
    expect(again.person.view.step).toBe('done')
  })

  it('asks for the loan number, and ends if it is rejected', async () => {
    const { entity, loan } = await holder()
    const { person } = await arrive('account_verification', { account_id: loan, intent: 'data' }, undefined, entity)
    expect(person.data('number')).toMatchObject({ account: { id: loan }, skippable: false })
    for (let turn = 0; turn < 5; turn++) await person.send({ action: 'submit', number: '123400000' })
    expect(person.view).toMatchObject({ step: 'blocked', data: { reason: 'account_unverified' } })
  })

  it('requires an account of the entity that its holder can verify', async () => {
    const { entity, loan } = await holder()
    const other = await someone(service, '+15121231111')
    expect(rejection(await mint('account_verification', other, { account_id: loan })).message).toMatch(
      'must be an account of the entity',
    )
    expect(rejection(await mint('account_verification', entity, {})).message).toMatch('account_verification.account_id')
    const forCards = await mint('account_verification', entity, { account_id: loan, intent: 'transactions' })
    expect(rejection(forCards).sub_type).toBe('VERIFICATION_TYPE_NOT_SUPPORTED')
    const without = await service.call('POST', '/opal/token', {
      mode: 'account_verification',
      entity: { type: 'individual', individual: {} },
      account_verification: { account_id: loan },
    })
    expect(rejection(without).message).toMatch('entity_id')
  })
})

describe('transactions', () => {
  it("enrolls cards verified as the person's, and never asks about the same card twice", async () => {
    const { person, entity } = await arrive('transactions')
    expect(person.data('selection').accounts.every(account => account.type === 'credit_card')).toBe(true)
    expect(person.data('selection').accounts.find(isChase)).toMatchObject({ reason: 'product_unavailable' })
    const { id } = person.data('selection').accounts.find(isCiti)!
    await person.send({ action: 'select', accounts: [id] })
    await show(person, citi)
    expect(types(person)).toEqual(
      expect.arrayContaining(['transactions.accounts.linked', 'transactions.flow.completed']),
    )
    const { body } = await service.call('GET', `/accounts/${id}/subscriptions`)
    expect(Object.keys(body['data'])).toContain('transaction')
    const bought = await service.call('POST', `/simulate/accounts/${id}/transactions`)
    expect(bought.status).toBe(200)
    // Transactions are not available for any other account, so the session ends without a question.
    const again = await arrive('transactions', {}, undefined, entity)
    expect(again.person.view).toMatchObject({ step: 'done', accounts: [id] })
  })

  it('is rejected if the team lacks the product', async () => {
    const { body } = await service.call('GET', '/team', undefined, { 'service-version': NEWEST })
    const products = body['products'] as string[]
    await service.call('PATCH', '/team', { products: products.filter(name => name !== 'transaction') })
    const entity = await someone(service, '+15121231111')
    expect(rejection(await mint('transactions', entity)).sub_type).toBe('TEAM_CAPABILITY_RESTRICTED')
    await service.call('PATCH', '/team', { products })
  })
})

describe('an unfinished session', () => {
  it('resumes only with a token that names it; another token with the same mode and configuration starts a new session', async () => {
    const entity = await someone(service, '+15121231111')
    const idOf = ({ body }: { body: Record<string, unknown> }) => (body['data'] as { session_id: string }).session_id
    for (const [mode, config] of [
      ['identity_verification', {}],
      ['connect', { selection_type: 'all' }],
      ['card_connect', { selection_type: 'single' }],
      ['transactions', {}],
    ] as const) {
      const first = idOf(await mint(mode, entity, config))
      expect([mode, idOf(await mint(mode, entity, config))]).not.toEqual([mode, first])
      expect(idOf(await service.call('POST', '/opal/token', { session_id: first }))).toBe(first)
    }
  })
})

describe('the detailed stream', () => {
  /** Returns the names of the events about flows, sessions and these other objects. */
  const flowsIn = async (token: string, objects = 'none') =>
    ((await opal(token, '/opal/events')) as { type: string }[])
      .map(event => event.type)
      .filter(type => new RegExp(`\\.(flow|session|${objects})\\.`).test(type))

  it('shows the beginning and end of each flow', async () => {
    const { person, entity, token } = await arrive('card_connect', { selection_type: 'single' })
    const { id } = person.data('selection').accounts.find(isChase)!
    await person.send({ action: 'select', accounts: [id] })
    await show(person)
    expect(await flowsIn(token, 'identity|card')).toEqual([
      'opal.session.started',
      'identity_verification.flow.started',
      'identity_verification.identity.completed',
      'identity_verification.flow.completed',
      'connect.flow.started',
      'connect.flow.completed',
      'account_verification.flow.started',
      'account_verification.card.verified',
      'card_connect.card.verified',
      'account_verification.flow.completed',
      'opal.session.completed',
    ])
    const events = (await opal(token, '/opal/events')) as { type: string; data: { accounts?: string[] } | null }[]
    for (const flow of ['connect', 'account_verification'])
      expect(events.find(({ type }) => type === `${flow}.flow.completed`)?.data).toEqual({
        entity_id: entity,
        accounts: [id],
      })
  })

  it('reports the end of connect again after the person went back to choose accounts', async () => {
    const { person, token } = await arrive('card_connect', { selection_type: 'single' })
    const { id } = person.data('selection').accounts.find(isChase)!
    await person.send({ action: 'select', accounts: [id] })
    await person.send({ action: 'back' })
    await person.send({ action: 'select', accounts: [id] })
    await show(person)
    expect((await flowsIn(token)).slice(3)).toEqual([
      'connect.flow.started',
      ...Array(2).fill(['connect.flow.completed', 'account_verification.flow.started']).flat(),
      'account_verification.flow.completed',
      'opal.session.completed',
    ])
  })

  it('names the steps of the transactions mode after its flow', async () => {
    const { person, token } = await arrive('transactions')
    await person.send({ action: 'select', accounts: [person.data('selection').accounts.find(isCiti)!.id] })
    await show(person, citi)
    expect((await flowsIn(token, 'accounts')).slice(3)).toEqual([
      'transactions.flow.started',
      'connect.accounts.selected',
      'account_verification.flow.started',
      'account_verification.flow.completed',
      'transactions.accounts.linked',
      'transactions.flow.completed',
      'opal.session.completed',
    ])
    const events = (await opal(token, '/opal/events')) as { type: string; data: { step?: string } | null }[]
    const steps = events.filter(({ data }) => data?.step === 'selection').map(({ type }) => type)
    expect(steps).toEqual(['transactions.step.started', 'transactions.step.completed'])
  })

  it('reports an error once when the session cannot continue', async () => {
    const { person, token } = await arrive('connect', {}, '+15125550105')
    expect(person.data('blocked').reason).toBe('no_accounts')
    await person.look()
    const events = (await opal(token, '/opal/events')) as {
      type: string
      action: string
      object: string
      data: unknown
    }[]
    expect(events.filter(({ object, action }) => object === 'session' && action === 'errored')).toEqual([
      expect.objectContaining({
        type: 'opal.session.errored',
        data: {
          type: 'INVALID_REQUEST',
          sub_type: 'NO_ACCOUNTS',
          message: "The session can't continue. The reason is no_accounts.",
        },
      }),
    ])
  })
})

describe("a mode's element", () => {
  it.each(['identity_verification', 'transactions'])('for %s is connect', async mode => {
    const made = await mint(mode, await someone(service, '+15121231111'))
    const { token } = made.body['data'] as { token: string }
    expect((await redeemToken(service, token, { mode: 'balance_transfer' })).body.error?.sub_type).toBe(
      'INVALID_MODE_CONFIG',
    )
    expect((await redeemToken(service, token, { mode: 'connect' })).status).toBe(200)
  })
})
