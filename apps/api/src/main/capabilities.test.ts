// kills: unserved-is-not-offered, payment-needs-a-rail, unserved-verification-is-refused, unserved-mode-is-refused
/** The service does not offer what no provider serves. Requests for it get the reason. */
import { DAY_MS } from '@causeway/contract/time'
import { NEWEST_VERSION, VERSION_HEADER } from '@causeway/contract/versions'
import { describe, expect, it } from 'vitest'
import { LOAN, Person, someone, transferToken } from '../testing/frame.js'
import { lender } from '../testing/money.js'
import { testService } from '../testing/service.js'

const full = await testService()
/** The same store in a process whose providers serve less. */
const withoutPaths = (...unserved: string[]) => full.again({ unserved })
const reason = (name: string, paths: string) => `${name} is not available: no provider in PROVIDERS serves ${paths}.`

describe('without a provider of', () => {
  it('credit scores and monthly reports, the product and its subscription are restricted', async () => {
    const { entity } = await lender(full).debts()
    const service = await withoutPaths('network/credit_score')
    const { call, must } = lender(service)
    const message = reason('credit_score', 'network/credit_score')
    expect((await call('POST', `/entities/${entity}/credit_scores`, {})).body.error).toMatchObject({
      sub_type: 'TEAM_CAPABILITY_RESTRICTED',
      message,
    })
    const enrolled = await call('POST', `/entities/${entity}/subscriptions`, { enroll: 'credit_score' })
    expect(enrolled.body.error).toMatchObject({ sub_type: 'TEAM_CAPABILITY_RESTRICTED', message })
    const { capabilities } = (await call('GET', '/team', undefined, { [VERSION_HEADER]: NEWEST_VERSION })).body
    expect(capabilities).toContainEqual({
      ...{ kind: 'entity_product', name: 'credit_score', available: false, reason: message },
    })
    expect(capabilities).toContainEqual({
      ...{ kind: 'entity_product', name: 'connect', available: true, reason: null },
    })
    expect(await must('GET', '/team')).not.toHaveProperty('capabilities')
    expect((await must('GET', `/entities/${entity}/products`))['data']).toMatchObject({
      credit_score: { status: 'restricted', status_error: { message } },
    })
    expect(await must('GET', `/entities/${entity}`)).toMatchObject({
      restricted_products: expect.arrayContaining(['credit_score']),
      restricted_subscriptions: expect.arrayContaining(['credit_score']),
    })
  })

  it('updates, a connect requests none, and subscriptions to them are not polled', async () => {
    const { accounts } = await lender(full).debts()
    const enrolled = accounts[0]!.id
    await lender(full).must('POST', `/accounts/${enrolled}/subscriptions`, { enroll: 'update' })
    const updatesOf = async (account: string) =>
      ((await full.call('GET', `/accounts/${account}/updates`)).body['data'] as unknown[]).length
    const before = await updatesOf(enrolled)
    const service = await withoutPaths('network/update', 'network/changes')
    const { must, rejection, debts } = lender(service)
    const { accounts: others } = await debts()
    expect(await updatesOf(others[0]!.id)).toBe(0)
    expect(await rejection('POST', `/accounts/${others[0]!.id}/updates`, {})).toBe('TEAM_CAPABILITY_RESTRICTED')
    service.advance(40 * DAY_MS)
    await service.settle()
    expect(await updatesOf(enrolled)).toBe(before)
    expect((await must('GET', `/accounts/${enrolled}`))['subscriptions']).toEqual(['update'])
    expect(service.lines.join()).not.toContain('job_failed')
  })

  it('a rail, nothing can be paid, and no transfer begins', async () => {
    const source = (await lender(full).source()).id
    const { accounts, entity } = await lender(full).debts()
    const service = await withoutPaths('rail/submit')
    const { call } = lender(service)
    const message = reason('payment', 'rail/submit')
    const payment = { amount: 500, source, destination: accounts[0]!.id, description: 'x' }
    expect((await call('POST', '/payments', payment)).body.error).toMatchObject({
      sub_type: 'INVALID_SOURCE_HOLDER_CAPABILITIES',
      message,
    })
    const token = { type: 'balance_transfer', entity_id: entity, balance_transfer: LOAN }
    expect((await call('POST', '/elements/token', token)).body.error).toMatchObject({
      sub_type: 'TEAM_CAPABILITY_RESTRICTED',
      message: reason('balance_transfer', 'rail/submit'),
    })
    const named = { type: 'connect', entity_id: entity, connect: { products: ['payment'] } }
    expect((await call('POST', '/elements/token', named)).body.error).toMatchObject({ message })
    expect((await call('POST', '/elements/token', { type: 'connect', entity_id: entity })).status).toBe(200)
  })

  it('micro-deposits, number checks and descriptions, accounts are verified in other ways', async () => {
    const { accounts } = await lender(full).debts()
    const service = await withoutPaths('network/deposit', 'network/verify_number', 'network/describe', 'network/vouch')
    const { must, call } = lender(service)
    const holder_id = (await must('POST', '/entities', { type: 'corporation', corporation: { name: 'Northwind' } })).id
    const ach = { routing: '062103000', number: '5550001', type: 'checking' }
    const { id } = await must('POST', '/accounts', { holder_id, ach })
    const begin = async (account: string, type: string) =>
      (await call('POST', `/accounts/${account}/verification_sessions`, { type })).body
    expect((await begin(id, 'micro_deposits')).error).toMatchObject({
      sub_type: 'VERIFICATION_TYPE_NOT_SUPPORTED',
      message: reason('micro_deposits', 'network/deposit'),
    })
    expect((await begin(id, 'standard')).error!.message).toBe('type must be one of: plaid, mx, teller.')
    expect((await begin(accounts[0]!.id, 'standard')).error!.message).toBe(reason('standard', 'network/verify_number'))
    const liability = { mch_id: service.deps.ports.network.merchants()[0]!.id, account_number: '4111111111111111' }
    expect((await call('POST', '/accounts', { holder_id, liability })).body.error).toMatchObject({
      sub_type: 'TEAM_CAPABILITY_RESTRICTED',
      message: reason('liability', 'network/describe'),
    })
  })

  it('knowledge questions and silent checks, neither method is offered', async () => {
    const service = await withoutPaths('identity/answer', 'identity/begin_sna')
    const { must, call } = lender(service)
    const entity = await someone(service, '+15125550104')
    const { verification } = (await must('GET', `/entities/${entity}`)) as never as {
      verification: Record<'phone' | 'identity', { methods: string[] }>
    }
    expect(verification.phone.methods).toEqual(['element', 'opal', 'sms', 'byo_sms'])
    expect(verification.identity.methods).toEqual(['element', 'opal'])
    const begin = (type: string, method: string) =>
      call('POST', `/entities/${entity}/verification_sessions`, { type, method, [method]: {} })
    expect((await begin('phone', 'sna')).body.error).toMatchObject({
      sub_type: 'UNAUTHORIZED_VERIFICATION_METHOD',
      message: expect.stringContaining(reason('sna', 'identity/begin_sna')),
    })
    expect((await begin('identity', 'kba')).body.error!.message).toContain(reason('kba', 'identity/answer'))
    const { element_token } = await transferToken(service, entity, LOAN)
    const person = await Person.arrive(service, element_token)
    await person.consent({ silent: true })
    expect(person.data('code').silent).toBeNull()
  })

  it('newly opened accounts, none can be simulated', async () => {
    const entity = await someone(full, '+15125550101')
    const { call } = lender(await withoutPaths('network/opened'))
    const reply = await call('POST', `/simulate/entities/${entity}/connect`, { behaviors: ['new_mortgage_account'] })
    expect(reply.body.error!.message).toBe(reason('connect', 'network/opened'))
  })
})

it('a frame whose provider was removed shows that the service is unavailable, and continues later', async () => {
  const entity = await someone(full, '+15125550105')
  const { element_token } = await transferToken(full, entity, LOAN)
  const before = await Person.arrive(full, element_token)
  await before.consent()
  const service = await withoutPaths('network/discover', 'identity/begin_sna')
  const person = new Person(service, before.bearer, before.view)
  await person.look()
  await person.arriveAtAccounts()
  for (let turn = 0; turn < 5 && person.view.step === 'discovering'; turn++) await person.wait()
  expect(person.view).toMatchObject({ step: 'blocked', data: { reason: 'unavailable' } })
})
