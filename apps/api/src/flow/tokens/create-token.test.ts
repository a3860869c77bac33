import { describe, expect, it } from 'vitest'
import { errorOf, rejectionOf, resource, speaking } from '../../testing/contract/cases.js'
import { handleOf, LOAN, Person, redeemToken, someone, transferToken } from '../../testing/frame.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'

const service = await testService()
const entity = await someone(service, '+15125550101')

describe.each(speaking)('element tokens, $name', ({ mount, headers }) => {
  const make = (body: unknown) => service.call('POST', `${mount}/elements/token`, body, headers)
  const must = async (body: unknown) => {
    const reply = await make(body)
    if (reply.status !== 200) throw new Error(reply.text)
    return resource<{ element_token: string; session_id: string }>(mount, reply.body)
  }
  const refused = async (body: unknown) => {
    const reply = await make(body)
    return [reply.status, rejectionOf(reply), errorOf(reply.body).message] as const
  }
  const inline = (individual: Record<string, unknown>) => ({
    type: 'connect',
    connect: { products: ['balance'], entity: { type: 'individual', individual } },
  })

  it('4.1.9 the response contains only element_token: pk_elem_ and 49 letters or digits', async () => {
    const made = await must({ type: 'connect', entity_id: entity, connect: { products: ['balance'] } })
    expect(made).toEqual({ element_token: expect.stringMatching(/^pk_elem_[0-9A-Za-z]{49}$/) })
  })

  it('4.1.4 the body depends on the type: balance_transfer has its own, and also returns the session', async () => {
    const made = await must({ type: 'balance_transfer', entity_id: entity, balance_transfer: LOAN })
    const older = mount === '/enveloped' ? ['element_session_id'] : []
    expect(Object.keys(made)).toEqual(['element_token', 'session_id', ...older])
    const session = await service.call('GET', `/opal/sessions/${made.session_id}`)
    expect(session.body['data']['bt']).toEqual({
      loan_amount: 500_000,
      minimum_payment: 100,
      maximum_payment: 500_000,
      residual_amount_max: 500_000,
      allocations: {},
      payout_status: 'pending_release',
      payment_ids: {},
      released_at: null,
      completed: false,
    })
    expect(await refused({ type: 'balance_transfer', entity_id: entity })).toEqual([
      400,
      'INVALID_REQUEST',
      'balance_transfer is required.',
    ])
  })

  it('4.1.5 type is required and must be known', async () => {
    for (const type of [undefined, null, 'link', 'CONNECT', 5])
      expect(await refused({ type, entity_id: entity })).toEqual([
        400,
        'INVALID_REQUEST',
        'type must be one of: connect, balance_transfer.',
      ])
  })

  it('4.1.6 exactly one of entity_id and connect.entity is required', async () => {
    const [status, sub_type, message] = await refused({ type: 'connect', connect: {} })
    expect([status, sub_type]).toEqual([400, 'INVALID_REQUEST'])
    expect(message).toMatch(/entity_id/)
    expect((await refused({ ...inline({}), entity_id: entity }))[0]).toBe(400)
    expect((await refused({ type: 'connect', entity_id: 'ent_unknown' })).slice(0, 2)).toEqual([400, 'INVALID_ENTITY'])
  })

  it('4.1.7 connect.products must be a list of known products', async () => {
    await must({ type: 'connect', entity_id: entity, connect: { products: ['balance', 'payment', 'update'] } })
    const [status, , message] = await refused({ type: 'connect', entity_id: entity, connect: { products: ['gold'] } })
    expect([status, message]).toEqual([
      400,
      'connect.products[0] must be one of: balance, update, payoff, card_brand, sensitive, transactions, payment, credit_score, identity, attribute, vehicle, transaction, payment_instrument.card, payment_instrument.network_token, payment_instrument.inbound_achwire_payment.',
    ])
  })

  it('4.1.8 connect.entity creates an individual from a first and a last name when its token is redeemed', async () => {
    const count = async () => ((await service.call('GET', '/entities')).body['data'] as unknown[]).length
    const before = await count()
    const { element_token } = await must(inline({ first_name: 'Ana', last_name: 'Ruiz' }))
    expect(await count()).toBe(before)
    const { view } = await Person.arrive(service, element_token)
    expect(await count()).toBe(before + 1)
    const made = await service.call('GET', `/entities/${view.entity_id}`)
    expect(made.body).toMatchObject({
      type: 'individual',
      individual: { first_name: 'Ana', last_name: 'Ruiz' },
      status: 'incomplete',
    })
  })

  it("4.1.3 the token opens its entity's session", async () => {
    const { element_token } = await must({ type: 'connect', entity_id: entity, connect: { products: ['balance'] } })
    const { view } = await Person.arrive(service, element_token)
    expect(view).toMatchObject({ entity_id: entity, mode: 'connect', step: 'consent', errors: [] })
  })
})

describe('element tokens', () => {
  // kills: token-works-once
  // kills: lost-answer-needs-same-exchange
  it('4.1.1 a token works once; every later use is rejected', async () => {
    const { element_token } = await transferToken(service, entity, LOAN)
    expect((await redeemToken(service, element_token)).status).toBe(200)
    for (let turn = 0; turn < 3; turn++) {
      const { status, body } = await redeemToken(service, element_token)
      expect([status, body.error?.sub_type]).toEqual([400, 'EXPIRED_TOKEN'])
    }
  })

  // kills: token-expires
  it('8 element token expires after exactly 30 minutes', async () => {
    const [first, second] = [await transferToken(service, entity, LOAN), await transferToken(service, entity, LOAN)]
    service.advance(30 * 60_000 - 1)
    expect((await redeemToken(service, first.element_token)).status).toBe(200)
    service.advance(1)
    const { status, body } = await redeemToken(service, second.element_token)
    expect([status, body.error?.sub_type]).toEqual([400, 'EXPIRED_TOKEN'])
  })

  it("4.1.2 the thirty minutes run on the team's sandbox clock", async () => {
    const { element_token } = await transferToken(service, entity, LOAN)
    await service.store.write(tx =>
      tx
        .updateTable('teams')
        .set({ clock_offset: 31 * 60_000 })
        .where('id', '=', service.team)
        .execute(),
    )
    service.deps.access.forget(service.team)
    expect((await redeemToken(service, element_token)).body.error?.sub_type).toBe('EXPIRED_TOKEN')
    await service.store.write(tx =>
      tx.updateTable('teams').set({ clock_offset: 0 }).where('id', '=', service.team).execute(),
    )
    service.deps.access.forget(service.team)
  })

  it('connect for the same entity and configuration resumes its unfinished session', async () => {
    const body = (products: string[]) => ({ type: 'connect', entity_id: entity, connect: { products } })
    const session = async (products: string[]) => {
      const made = await service.call('POST', '/elements/token', body(products))
      return (await Person.arrive(service, made.body['element_token'])).view.session_id
    }
    const first = await session(['card_brand'])
    expect(await session(['card_brand'])).toBe(first)
    expect(await session(['payoff'])).not.toBe(first)
  })

  it("a new token for a connect session keeps the session's original configuration", async () => {
    const connect = { account_filters: { selection_type: 'single', liability_types: ['auto_loan'] } }
    const made = await service.call('POST', '/elements/token', { type: 'connect', entity_id: entity, connect })
    const { view } = await Person.arrive(service, made.body['element_token'])
    const again = await service.call('POST', '/elements/token', { type: 'connect', session_id: view.session_id })
    expect(again.status).toBe(200)
    const [row] = await service.store.reader
      .selectFrom('sessions')
      .select('config')
      .where('id', '=', view.session_id)
      .execute()
    expect(JSON.parse(row!.config)).toMatchObject({ kind: 'single', include: { account_types: ['auto_loan'] } })
  })

  it('only individuals that are not disabled can be opened', async () => {
    const corporation = await lender(service).must('POST', '/entities', {
      type: 'corporation',
      corporation: { name: 'N' },
    })
    const refused = async (id: string) =>
      rejectionOf(await service.call('POST', '/elements/token', { type: 'connect', entity_id: id }))
    expect(await refused(corporation.id)).toBe('INVALID_ENTITY_TYPE')
    const gone = await someone(service, '+15125550102')
    await service.store.write(tx =>
      tx.updateTable('entities').set({ status: 'disabled' }).where('id', '=', gone).execute(),
    )
    expect(await refused(gone)).toBe('INVALID_ENTITY')
  })

  it('contradictory terms are rejected by name, but equal ones are accepted', async () => {
    const ask = (terms: Record<string, unknown>) =>
      service.call('POST', '/elements/token', {
        type: 'balance_transfer',
        entity_id: entity,
        balance_transfer: { loan_amount: 100_000, ...terms },
      })
    for (const [terms, name] of [
      [{ maximum_payment: 100_001 }, 'maximum_payment'],
      [{ minimum_payment: 500, maximum_payment: 499 }, 'minimum_payment'],
      [{ residual_amount_max: 100_001 }, 'residual_amount_max'],
      [{ minimum_payment: 99 }, 'minimum_payment'],
      [{ residual_amount_max: -1 }, 'residual_amount_max'],
      [{ loan_amount: 99 }, 'loan_amount'],
      [{ loan_amount: 100_000_001 }, 'loan_amount'],
      [{ loan_amount: '100000' }, 'loan_amount'],
      [{ loan_amount: 100_000.5 }, 'loan_amount'],
    ] as const) {
      const reply = await ask(terms)
      expect([name, reply.status]).toEqual([name, 400])
      expect(errorOf(reply.body).message.startsWith(`balance_transfer.${name} must be`)).toBe(true)
    }
    const equal = { minimum_payment: 100_000, maximum_payment: 100_000, residual_amount_max: 100_000 }
    expect((await ask(equal)).status).toBe(200)
    expect((await ask({ loan_amount: 100, minimum_payment: 100, residual_amount_max: 0 })).status).toBe(200)
  })

  it("results return a token's status, by the token or by its handle", async () => {
    const { element_token, session_id } = await transferToken(service, entity, LOAN)
    const handle = handleOf(element_token)
    const results = async (text: string) => (await service.call('GET', `/elements/token/${text}/results`)).body
    const fresh = { authenticated: false, cxn_id: null, accounts: [], entity_id: entity, events: [] }
    expect(await results(element_token)).toEqual(fresh)
    expect(await results(handle)).toEqual(fresh)
    await Person.arrive(service, element_token)
    expect(await results(handle)).toMatchObject({
      authenticated: false,
      events: [
        { type: 'opal.session.started', metadata: null },
        { type: 'identity_verification.flow.started', metadata: null },
        { type: 'identity_verification.step.started' },
      ],
    })
    expect((await service.call('GET', `/elements/sessions/${session_id}`)).body).toEqual(
      (await service.call('GET', `/opal/sessions/${session_id}`)).body,
    )
  })
})
