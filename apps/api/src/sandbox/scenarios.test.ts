// biome-ignore-all lint/style/noExcessiveLinesPerFile: it covers the whole table.
/** Runs every row of the scenario table. */
import { type ErrorSubType, errors, resourceErrors } from '@causeway/contract/errors'
import { describe, expect, it } from 'vitest'
import { lender, routing } from '../testing/money.js'
import { testService } from '../testing/service.js'
import { type refusals, resourceCodes, type statuses, unreachable } from './scenarios.js'
import { achNumbers, codes, deniedPhone, refusedDetails, refusedPhone, screened } from './tables/inputs.js'

const service = await testService()
const bank = lender(service)

type Body = Record<string, unknown> & { id: string }
const newest = { 'service-version': '2026-03-30' }
const post = (path: string, body: unknown = {}, headers: Record<string, string> = {}) =>
  bank.call('POST', path, body, headers).then(reply => reply.body as Body)
const get = (path: string, headers: Record<string, string> = {}) =>
  bank.call('GET', path, undefined, headers).then(reply => reply.body as Body)
const put = (path: string, body: unknown) => bank.call('PUT', path, body).then(reply => reply.body as Body)
const remove = (path: string) => bank.call('DELETE', path).then(reply => reply.body as Body)
const settled = async (path: string, headers: Record<string, string> = {}) => {
  await service.settle()
  return get(path, headers)
}
const clock = (advance: string) => post('/simulate/clock', { advance })

const someone = (individual: Record<string, unknown>) =>
  post('/entities', { type: 'individual', individual: { first_name: 'Ana', last_name: 'Diaz', ...individual } })
const session = (entity: string, method: string, block: unknown = {}, type = 'phone') =>
  post(`/entities/${entity}/verification_sessions`, { type, method, [method]: block })
const answer = (made: Body, block: unknown) =>
  put(`/entities/${made['entity_id']}/verification_sessions/${made.id}`, {
    type: made['type'],
    method: made['method'],
    [made['method'] as string]: block,
  })
const byo = { timestamp: '2021-01-01T10:00:00.000Z' }
const debt = async (phone = '+15125550101', place = 0) => (await bank.debts(phone)).accounts[place]!
const ach = (number: string) =>
  post('/entities', { type: 'corporation', corporation: { name: 'Northwind' } }).then(({ id }) =>
    post('/accounts', { holder_id: id, ach: { routing, number, type: 'checking' } }),
  )
const numberOf = (test: (row: (typeof achNumbers)[number]) => unknown) => achNumbers.find(test)!.number
const verification = (account: string, type: string) => post(`/accounts/${account}/verification_sessions`, { type })
const answered = (made: Body, block: unknown) =>
  put(`/accounts/${made['account_id']}/verification_sessions/${made.id}`, { [made['type'] as string]: block })
const connect = async (phone: string) => post(`/entities/${await bank.verified(phone)}/connect`)
const ask = async (what: string, account: Body, body: unknown = {}, headers = {}) => {
  const path = `/accounts/${account.id}/${what}`
  const made = await post(path, body, headers)
  return settled(`${path}/${made.id}`, headers)
}
const pay = async (source: Body, destination?: Body) =>
  post('/payments', {
    amount: 5_000,
    source: source.id,
    destination: (destination ?? (await debt())).id,
    description: 'x',
  })
const withdraw = (path: string) => post(`${path}/consent`, { type: 'withdraw' })
const ssn = (code: number) =>
  someone({ phone: '+15125550101', ssn: Object.keys(screened).find(key => screened[key] === code) })
const large = { note: 'x'.repeat(1_024) }
type Failure = { source: string; holder: string; other: string }
const failures = new Map<number, Promise<Failure>>()
/**
 * Returns a source whose payment failed with the given code, and another account of the same holder. Creates them once
 * per code, because the source's number can't be reused.
 */
const failed = (code: number): Promise<Failure> => {
  const known = failures.get(code) ?? fail(code)
  failures.set(code, known)
  return known
}
async function fail(code: number): Promise<Failure> {
  const source = await ach(numberOf(row => row.pull?.code === code))
  const holder = String(source['holder_id'])
  const other = await post('/accounts', { holder_id: holder, ach: { routing, number: '123456780', type: 'savings' } })
  await pay(source)
  await clock('P7D')
  await service.settle()
  return { source: source.id, holder, other: other.id }
}
/** Enrolls a card, advances the clock by the given number of days, and returns the card's purchases. */
async function purchases(days: number): Promise<Body[]> {
  const card = await debt('+15125550120')
  await answered(await verification(card.id, 'network'), { cvv: '539' })
  await post(`/accounts/${card.id}/subscriptions`, { enroll: 'transaction' })
  const seen: Body[] = []
  for (let day = 0; day < days; day++) {
    await clock('P1D')
    seen.push(...((await settled(`/accounts/${card.id}/transactions`))['data'] as Body[]))
  }
  return seen
}
const anyStatus = (rows: readonly Body[], status: string) => rows.find(row => row['status'] === status)?.['status']
const productOf = async (holder: string, name: string) => {
  const { data } = (await get(`${holder}/products`)) as unknown as { data: Record<string, { status: string }> }
  return data[name]?.status
}

type Plays<T> = { [K in keyof T]: () => Promise<unknown> }
const statusOf = (body: Body | undefined) => body?.['status']
const codeOf = (body: Body) => (body['error'] as { code: number } | null)?.code

const statusPlays: Plays<typeof statuses> = {
  'entity incomplete': async () => statusOf(await someone({})),
  'entity active': async () => statusOf(await get(`/entities/${await bank.verified('+15125550101')}`)),
  'entity disabled': async () => statusOf(await withdraw(`/entities/${await bank.verified('+15125550101')}`)),
  'account active': async () => statusOf(await debt()),
  'account closed': async () => {
    const loan = await debt('+15125550120', 2)
    await post(`/accounts/${loan.id}/subscriptions`, { enroll: 'update' })
    await clock('P31D')
    const closed = await settled(`/accounts/${loan.id}`)
    expect(statusOf(await debt('+15121231112', 2))).toBe('closed')
    return statusOf(closed)
  },
  'account disabled': async () => statusOf(await withdraw(`/accounts/${(await debt()).id}`)),
  'entity_verification_session in_progress': async () =>
    statusOf(await session((await someone({ phone: '+15125550101' })).id, 'sms')),
  'entity_verification_session verified': async () =>
    statusOf(await session((await someone({ phone: '+15125550101' })).id, 'byo_sms', byo)),
  'entity_verification_session failed': async () =>
    statusOf(
      await answer(await session((await someone({ phone: '+15125550101' })).id, 'sms'), { sms_code: codes.expired }),
    ),
  'account_verification_session pending': async () => statusOf(await verification((await debt()).id, 'standard')),
  'account_verification_session in_progress': async () => {
    const made = await verification(
      (await ach(numberOf(row => row.unknown && !row.refusesDeposits))).id,
      'micro_deposits',
    )
    return statusOf(await settled(`/accounts/${made['account_id']}/verification_sessions/${made.id}`))
  },
  'account_verification_session verified': async () =>
    statusOf(await answered(await verification((await debt()).id, 'standard'), { number: '4000000000014417' })),
  'account_verification_session failed': async () => {
    const made = await verification((await ach(numberOf(row => row.refusesDeposits))).id, 'micro_deposits')
    return statusOf(await settled(`/accounts/${made['account_id']}/verification_sessions/${made.id}`))
  },
  'connect pending': async () =>
    statusOf(await post(`/entities/${await bank.verified('+15125550101')}/connect`, {}, { prefer: 'respond-async' })),
  'connect completed': async () => statusOf(await connect('+15125550101')),
  'connect failed': async () => statusOf(await connect('+15125550106')),
  'balance pending': async () => statusOf(await post(`/accounts/${(await debt()).id}/balances`)),
  'balance completed': async () => statusOf(await ask('balances', await debt())),
  'balance failed': async () => statusOf(await ask('balances', await debt('+15125550109', 2))),
  'card_brand in_progress': async () => statusOf(await post(`/accounts/${(await debt()).id}/card_brands`)),
  'credit_score pending': async () => {
    const at = `/entities/${await bank.verified('+15125550101')}/credit_scores`
    return statusOf(await settled(`${at}/${(await post(at)).id}`))
  },
  'transaction pending': async () => anyStatus(await purchases(15), 'pending'),
  'transaction posted': async () => anyStatus(await purchases(15), 'posted'),
  'transaction voided': async () => anyStatus(await purchases(60), 'voided'),
  'payment_instrument closed': async () => {
    const at = `/accounts/${(await debt()).id}/payment_instruments`
    const made = await post(at, { type: 'inbound_achwire_payment' }, newest)
    return statusOf((await bank.call('DELETE', `${at}/${made.id}`, undefined, newest)).body as Body)
  },
  'product available': async () => productOf(`/accounts/${(await debt()).id}`, 'balance'),
  'product restricted': async () => productOf(`/entities/${(await someone({})).id}`, 'connect'),
  'product unavailable': async () => productOf(`/accounts/${(await debt()).id}`, 'payoff'),
  'subscription active': async () =>
    statusOf(await post(`/accounts/${(await debt()).id}/subscriptions`, { enroll: 'update' })),
  'subscription inactive': async () => {
    const at = `/accounts/${(await debt()).id}/subscriptions`
    return statusOf(await remove(`${at}/${(await post(at, { enroll: 'update' })).id}`))
  },
}

const codePlays: Plays<typeof resourceCodes> = {
  'account 11001': async () => codeOf(await get(`/accounts/${(await failed(10007)).source}`)),
  'account 11003': async () => codeOf(await get(`/accounts/${(await failed(10005)).source}`)),
  'account 11004': async () => codeOf(await withdraw(`/accounts/${(await debt()).id}`)),
  'account 11006': async () => codeOf(await get(`/accounts/${(await failed(10005)).other}`)),
  'entity 12001': async () => codeOf(await get(`/entities/${(await failed(10005)).holder}`)),
  'entity 12002': async () => codeOf(await ssn(12002)),
  'entity 12003': async () => codeOf(await ssn(12003)),
  'entity 12004': async () => codeOf(await withdraw(`/entities/${await bank.verified('+15125550101')}`)),
  'entity 12005': async () => codeOf(await ssn(12005)),
  'entity 12006': async () => codeOf(await ssn(12006)),
  'account_verification_session 16001': async () =>
    codeOf(
      await answered(await verification((await debt('+15125550100', 3)).id, 'standard'), { number: '70000012345' }),
    ),
  'account_verification_session 16002': async () =>
    codeOf(
      await answered(await verification((await debt('+15125550108')).id, 'standard'), { number: '4000000000028045' }),
    ),
  'account_verification_session 16003': async () => {
    const made = await verification((await debt('+15125550108')).id, 'standard')
    let last = made
    for (let tries = 0; tries < 5; tries++) last = await answered(made, { number: '4000000000028045' })
    return codeOf(last)
  },
  'account_verification_session 16004': async () => {
    const made = await verification((await ach(numberOf(row => row.refusesDeposits))).id, 'micro_deposits')
    return codeOf(await settled(`/accounts/${made['account_id']}/verification_sessions/${made.id}`))
  },
  'payoff 18001': async () => codeOf(await ask('payoffs', await debt('+15125550101', 3))),
  'entity_verification_session 19001': async () => {
    const entity = (await someone({ phone: '+15125550101' })).id
    const late = await session(entity, 'sms')
    await clock('PT10M')
    expect(codeOf(await settled(`/entities/${entity}/verification_sessions/${late.id}`))).toBe(19001)
    return codeOf(await answer(await session(entity, 'sms'), { sms_code: codes.expired }))
  },
  'entity_verification_session 19002': async () =>
    codeOf(
      await answer(await session((await someone({ phone: '+15125550101' })).id, 'sms'), { sms_code: codes.incorrect }),
    ),
  'entity_verification_session 19003': async () =>
    codeOf(await answer(await session((await someone({ phone: deniedPhone })).id, 'sna'), {})),
  'entity_verification_session 19004': async () => {
    const { id } = await someone({ phone: '+15125550104' })
    await session(id, 'byo_sms', byo)
    return codeOf(await answer(await session(id, 'kba', {}, 'identity'), { answers: [] }))
  },
  'balance 20001': async () => codeOf(await ask('balances', await debt('+15125550109', 2))),
  'update 21001': async () => codeOf(await ask('updates', await debt('+15125550109', 2))),
  'credit_score 23001': async () => {
    const at = `/entities/${await bank.verified('+15125550106')}/credit_scores`
    return codeOf(await settled(`${at}/${(await post(at)).id}`))
  },
  'entity_verification_session 24001': async () => {
    const made = await session((await someone({ phone: refusedPhone })).id, 'sms')
    return codeOf(await settled(`/entities/${made['entity_id']}/verification_sessions/${made.id}`))
  },
  'card_brand 24001': async () => {
    const at = `/accounts/${(await debt()).id}/card_brands`
    await post('/simulate/faults', { target: 'network', mode: 'failing', for: 'PT30S' })
    const made = await post(at)
    for (let second = 0; second < 20; second++) {
      await service.settle()
      service.advance(1_000)
    }
    const seen = await settled(`${at}/${made.id}`)
    service.advance(30_000)
    return codeOf(seen)
  },
  'connect 26001': async () => codeOf(await connect('+15125550106')),
  'connect 26002': async () => codeOf(await connect('+15125550107')),
  'entity_attribute 27001': async () => {
    const at = `/entities/${await bank.verified('+15125550105')}/attributes`
    const made = await settled(`${at}/${(await post(at, {}, newest)).id}`, newest)
    return Object.values(made['attributes'] as Record<string, Body>)
      .map(codeOf)
      .find(code => code)
  },
  'account_attribute 28001': async () => {
    const wanted = { requested_attributes: ['heloc_utilization'] }
    const made = await ask('attributes', await debt(), wanted, newest)
    return codeOf((made['attributes'] as Record<string, Body>)['heloc_utilization']!)
  },
}

const individual = (more: Record<string, unknown>, rest: Record<string, unknown> = {}) =>
  post('/entities', { type: 'individual', individual: { first_name: 'Ana', ...more }, ...rest })
const open = async (number: Record<string, unknown>) =>
  post('/accounts', {
    holder_id: (await post('/entities', { type: 'corporation', corporation: { name: 'Northwind' } })).id,
    ach: { routing, number: '123456789', type: 'checking', ...number },
  })
const twice = async (work: () => Promise<Body>) => {
  await work()
  return work()
}

const refusalPlays: Plays<typeof refusals> = {
  INVALID_ENTITY_PHONE_NUMBER: () => individual({ phone: '5125550100' }),
  INVALID_ENTITY_EMAIL_ADDRESS: () => individual({ email: 'ana' }),
  ENTITY_INVALID_SSN: () => individual({ ssn: '12' }),
  ENTITY_INVALID_SSN4: () => individual({ ssn_4: '12' }),
  MAX_ENTITY_METADATA_SIZE_EXCEEDED: () => individual({}, { metadata: large }),
  ENTITY_UPDATE_RESTRICTED: async () => {
    const { id } = await someone({})
    await withdraw(`/entities/${id}`)
    return put(`/entities/${id}`, { metadata: {} })
  },
  ENTITY_UPDATE_DISABLED: async () => put(`/entities/${(await ssn(12002)).id}`, { metadata: {} }),
  ENTITY_UPDATE_INVALID: async () => put(`/entities/${(await someone({})).id}`, { individual: { first_name: 'Eva' } }),
  ENTITY_UPDATE_UNSUPPORTED: async () => put(`/entities/${(await someone({})).id}`, { corporation: { name: 'A' } }),
  ENTITY_CONSENT_ALREADY_WITHDRAWN: async () => {
    const { id } = await someone({})
    return twice(() => withdraw(`/entities/${id}`))
  },
  ENTITY_CONSENT_ALREADY_GRANTED: async () => post(`/entities/${(await someone({})).id}/consent`, { type: 'grant' }),
  ENTITY_HAS_PAYMENTS_IN_PROGRESS: async () => {
    const to = await debt()
    await pay(await ach('123456789'), to)
    return withdraw(`/entities/${to['holder_id']}`)
  },
  ENTITY_VERIFICATION_MISSING: async () => post(`/entities/${(await someone({ phone: '+15125550101' })).id}/connect`),
  TEAM_CAPABILITY_RESTRICTED: async () =>
    post(`/entities/${await bank.verified('+15125550101')}/manual_connect`, {
      bureau: 'equifax',
      tradelines: [report],
    }),
  ENTITY_PHONE_VERIFICATION_MAX_ATTEMPTS: async () => {
    // Uses a phone number to which no other test sends codes.
    const { id } = await someone({ phone: '+15125559961' })
    for (let sent = 0; sent < 60; sent++) await session(id, 'sms')
    return session(id, 'sms')
  },
  EXISTING_VERIFIED_SESSION: async () => {
    const { id } = await someone({ phone: '+15125550101' })
    return twice(() => session(id, 'byo_sms', byo))
  },
  MISSING_IDENTITY_MATCH: async () => {
    const { id } = await someone({ phone: '+15125550101', last_name: refusedDetails.last_name })
    await session(id, 'byo_sms', byo)
    return session(id, 'kba', {}, 'identity')
  },
  MISSING_PHONE_VERIFICATION: async () => session((await someone({ phone: '+15125550101' })).id, 'kba', {}, 'identity'),
  UNAUTHORIZED_VERIFICATION_METHOD: async () =>
    session((await someone({ phone: '+15125550101' })).id, 'byo_kyc', {}, 'identity'),
  INVALID_ENTITY_TYPE: async () =>
    post(`/entities/${(await post('/entities', { type: 'corporation', corporation: { name: 'A' } })).id}/connect`),
  INVALID_HOLDER_ID: () =>
    post('/accounts', { holder_id: 'ent_nobody0000000', ach: { routing, number: '123456789', type: 'checking' } }),
  INVALID_MERCHANT_ID: async () =>
    post('/accounts', {
      holder_id: await bank.verified('+15125550101'),
      liability: { mch_id: 'mch_999999', account_number: '4936494462408721' },
    }),
  INVALID_ACH_ACCOUNT_NUMBER: () => open({ number: '12' }),
  INVALID_ACH_ACCOUNT_ROUTING: () => open({ routing: '123456789' }),
  INVALID_ACH_ACCOUNT_TYPE: () => open({ type: 'loan' }),
  EXISTING_ACCOUNT_DISABLED: async () => {
    const { holder } = await failed(10007)
    return post('/accounts', {
      holder_id: holder,
      ach: { routing, number: numberOf(row => row.pull?.code === 10007), type: 'checking' },
    })
  },
  INVALID_ACCOUNT_NUMBER: async () =>
    put(`/accounts/${(await debt()).id}`, { liability: { credit_card: { number: '4000000000009999' } } }),
  MAX_ACCOUNT_METADATA_SIZE_EXCEEDED: async () =>
    post('/accounts', {
      holder_id: await bank.verified('+15125550101'),
      ach: { routing, number: '123456789', type: 'checking' },
      metadata: large,
    }),
  ACCOUNT_CONSENT_ALREADY_WITHDRAWN: async () => {
    const { id } = await debt()
    return twice(() => withdraw(`/accounts/${id}`))
  },
  ACCOUNT_CONSENT_ALREADY_GRANTED: async () => post(`/accounts/${(await debt()).id}/consent`, { type: 'grant' }),
  ACCOUNT_HAS_PAYMENT_IN_PROGRESS: async () => {
    const to = await debt()
    await pay(await ach('123456789'), to)
    return withdraw(`/accounts/${to.id}`)
  },
  EXISTING_VERIFICATION_SESSION: async () => {
    const { id } = await debt('+15125550108')
    return twice(() => verification(id, 'standard'))
  },
  VERIFICATION_TYPE_NOT_SUPPORTED: async () => verification((await debt()).id, 'micro_deposits'),
  INVALID_VERIFICATION_AMOUNTS: async () => {
    const made = await verification((await ach(numberOf(row => row.unknown))).id, 'micro_deposits')
    await service.settle()
    return answered(made, { amounts: [1] })
  },
  INVALID_VERIFICATION_STATUS: async () => {
    const made = await verification((await debt('+15125550100', 3)).id, 'standard')
    return twice(() => answered(made, { number: '70000012345' }))
  },
  VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED: async () => {
    const card = await debt('+15125550120')
    const made = await verification(card.id, 'pre_auth')
    for (let tries = 0; tries < 5; tries++) await answered(made, { cvv: '111' })
    return verification(card.id, 'pre_auth')
  },
  PRODUCT_UNAVAILABLE: async () => post(`/accounts/${(await debt()).id}/payoffs`),
  PRODUCT_VERIFICATION_MISSING: async () =>
    post(`/accounts/${(await debt()).id}/sensitive`, { expand: ['credit_card.number'] }),
  INVALID_SEARCH_PARAMETERS: () => get('/entities?page=1&page_cursor=ent_0000000000000'),
  SIMULATION_RESTRICTED_MISSING_SUBSCRIPTION: async () => post(`/simulate/accounts/${(await debt()).id}/transactions`),
  SIMULATION_RESTRICTED_MISSING_PRODUCT_REQUEST: async () => {
    const entity_id = await bank.verified('+15125550101')
    await post(`/entities/${entity_id}/subscriptions`, { enroll: 'credit_score' })
    return post('/simulate/events', { type: 'credit_score.increased', entity_id })
  },
}
const nulls = [
  'type_code',
  'balance',
  'highest_balance',
  'credit_limit',
  'term',
  'next_payment_minimum_amount',
  'last_payment_amount',
  'past_due_amount',
  'delinquency_charge_off_amount',
  'opened_at',
  'closed_at',
  'last_activity_date',
  'reported_date',
  'next_payment_due_date',
  'last_payment_date',
  'delinquency_first_start_date',
  'payment_history',
  'narrative_codes',
  'creditor_code',
  'portfolio_type_code',
  'designator_code',
  'number',
  'creditor_name',
]
const report = Object.fromEntries(nulls.map(name => [name, null]))

describe('every documented scenario', () => {
  it.each(Object.entries(statusPlays))('%s', async (row, play) => {
    expect(await play()).toBe(row.split(' ')[1])
  })

  it.each(Object.entries(codePlays))('%s', async (row, play) => {
    expect(await play()).toBe(Number(row.split(' ')[1]))
  })

  it.each(Object.entries(refusalPlays))('%s', async (row, play) => {
    const { error } = (await play()) as { error?: { sub_type: string; code: number } }
    expect(error).toMatchObject({ sub_type: row, code: errors[row as ErrorSubType].status })
  })

  it('covers every resource error in this module, or states why it is missing', () => {
    const named = [...Object.keys(resourceCodes), ...Object.keys(unreachable)].map(row => row.split(' ').at(-1))
    const half = Object.keys(resourceErrors).filter(code =>
      /^(11|12|16|17|18|19|20|21|23|24|26|27|28)\d{3}$/.test(code),
    )
    expect(half.filter(code => !named.includes(code))).toEqual([])
  })
})
