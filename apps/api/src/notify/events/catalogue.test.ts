import { eventTypes } from '@causeway/contract/events'
import { versions } from '@causeway/contract/versions'
import { describe, expect, it } from 'vitest'
import { reading, sealer } from '../../platform/scope.js'
import { Person, someone, verify } from '../../testing/frame.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'
import { type Diff, diffOf } from './event.js'
import { showEvents } from './show.js'
import { openStates } from './states.js'

/** Event types that are tested elsewhere. */
const elsewhere =
  /^(payment|payment_reversal|opal_session|element_session|webhook|service_jwk|report|instrument_|entity\.institution_\w+)\b/
/** Event types for attributes whose values do not change in this test. */
const still = /^entity_attribute\.(usage_pattern|delinquency_flag_credit_cards)\./

/** Private values that do not appear anywhere else in the test. */
const secret = {
  last_name: 'Abernathwaite',
  email: 'quillonius@abernathwaite.example',
  dob: '1971-03-29',
  ssn: '519283746',
  line1: '8841 Zephyrine Court',
}

/** Performs every action that entities, accounts, products, subscriptions and sessions support. */
async function everything(): Promise<void> {
  const bank = lender(service)
  const post = (path: string, body: unknown = {}, version = '2026-03-30') =>
    bank.call('POST', path, body, { 'service-version': version }).then(reply => reply.body)
  const put = (path: string, body: unknown) => bank.must('PUT', path, body)
  const { last_name, email, dob, ssn, line1 } = secret
  const { products, identity_methods } = (await bank.call('GET', '/team')).body as unknown as Record<string, string[]>
  await bank.must('PATCH', '/team', { products: [...products!, 'manual_connect'], identity_methods })
  const { id } = await bank.must('POST', '/entities', {
    type: 'individual',
    individual: { first_name: 'Kevin', last_name, email, dob, ssn, phone: '+15125550120' },
    address: { line1, city: 'Austin', state: 'TX', zip: '78705' },
  })
  const at = `/entities/${id}`
  const sms = await post(`${at}/verification_sessions`, { type: 'phone', method: 'sms', sms: {} })
  await put(`${at}/verification_sessions/${sms.id}`, { type: 'phone', method: 'sms', sms: { sms_code: '123456' } })
  await post(`${at}/verification_sessions`, { type: 'identity', method: 'kba', kba: {} })
  const accounts = (await post(`${at}/connect`))['accounts'] as string[]
  await service.settle()
  const [moving, replaced, loan] = accounts as [string, string, string]
  for (const [account, cvv] of [
    [moving, '539'],
    [replaced, '878'],
  ]) {
    const session = await post(`/accounts/${account}/verification_sessions`, { type: 'network' })
    await put(`/accounts/${account}/verification_sessions/${session.id}`, { network: { cvv } })
  }
  for (const name of ['identities', 'vehicles']) await post(`${at}/${name}`)
  const soft = () => post(`${at}/attributes`, { attributes: ['credit_health_soft_inquiries'] }, '2024-04-04')
  await soft()
  for (const name of ['balances', 'updates', 'card_brands', 'attributes']) await post(`/accounts/${replaced}/${name}`)
  await post(`/accounts/${replaced}/sensitive`, { expand: ['credit_card.number', 'credit_card.exp_month'] })
  for (const type of ['card', 'network_token', 'inbound_achwire_payment'])
    await post(`/accounts/${replaced}/payment_instruments`, { type })
  const blank = Object.fromEntries(lines.map(name => [name, null]))
  const line = { ...blank, number: '4000123412341234', creditor_name: 'CITI BANK NA', portfolio_type_code: 'revolving' }
  await post(`${at}/manual_connect`, { bureau: 'equifax', tradelines: [line] })
  await service.settle()
  for (const name of ['update', 'update.snapshot', 'transaction'])
    await post(`/accounts/${moving}/subscriptions`, { enroll: name })
  for (const name of ['card_brand', 'payment_instrument.card', 'payment_instrument.network_token'])
    await post(`/accounts/${replaced}/subscriptions`, { enroll: name })
  await post(`/accounts/${loan}/subscriptions`, { enroll: 'update' })
  for (const name of ['connect', 'credit_score']) await post(`${at}/subscriptions`, { enroll: name })
  await post('/simulate/clock', { advance: 'P126D' })
  await service.settle()
  await post(`/simulate${at}/attributes`, { behaviors: ['new_soft_inquiry'] })
  await soft()
  await service.settle()
  const house = await bank.debts('+15125550101')
  await post(`/accounts/${house.accounts[2]!.id}/payoffs`)
  await post(`/accounts/${house.accounts[3]!.id}/payoffs`)
  // A person who connected through an element must consent before the service shares accounts that they open later.
  const asked = await someone(service, '+15125550102', { last_name, email, dob, ssn })
  const { element_token } = await post('/elements/token', { type: 'connect', entity_id: asked, connect: {} })
  await verify(service, await Person.arrive(service, element_token as string))
  await post(`/simulate/entities/${asked}/connect`, { behaviors: ['new_mortgage_account'] })
  await post(`/entities/${asked}/connect`)
  await service.settle()
}

const lines = [
  'type_code',
  'designator_code',
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
]

const service = await testService()
await everything()
const team = (await service.deps.teamOf(service.team))!
const own = sealer({ deps: service.deps, team } as never)
const rows = await service.store.reader.selectFrom('events').selectAll().orderBy('id').execute()
const told = rows.map(row => {
  const { data, before } = openStates(own, row)
  const { type, resource_id } = row
  return { type, resource_id, data, diff: diffOf(before, data), text: JSON.stringify([data, before]) }
})

describe('events', () => {
  it('are sent for every type that this part of the service can send', () => {
    const seen = new Set(told.map(({ type }) => type))
    const wanted = eventTypes.filter(type => !elsewhere.test(type) && !still.test(type))
    expect(wanted.filter(type => !seen.has(type))).toEqual([])
    expect([...seen].some(type => /^entity_attribute\.\w+\.(increased|decreased)$/.test(type))).toBe(true)
  })

  it('contain no sensitive value, old or new', async () => {
    const { reader } = service.store
    const team = (await service.deps.teamOf(service.team))!
    const { open } = sealer({ deps: service.deps, team } as never)
    const numbers = (await reader.selectFrom('accounts').select(['id', 'number']).execute()).flatMap(
      ({ id, number }) => (number === null ? [] : open({ id, field: 'number' }, number)),
    )
    const sealed = (await reader.selectFrom('records').select(['id', 'data']).execute()).flatMap(({ id, data }) =>
      data?.startsWith('v1.') ? stringsOf(JSON.parse(open({ id, field: 'data' }, data))) : [],
    )
    // Short values, such as types and years, appear in many places. Longer values, such as phone numbers, do not.
    const said = (text: string) => text.length >= 8 && !/^[a-z_]+$|^(acc|ent)_/.test(text)
    const values = [...Object.values(secret), '+15125550120', '4000123412341234', ...numbers, ...sealed].filter(said)
    expect(values.length).toBeGreaterThan(20)
    for (const value of new Set(values))
      for (const { type, text } of told) expect([type, text.includes(value) ? value : null]).toEqual([type, null])
    for (const { text } of told) expect(text).not.toMatch(/"(cvv|ssn|ssn_4|phone|number|token|account_number)":"[^"x]/)
  })

  it('about an update contain the old and new values of only the changed fields', () => {
    const updates = told.filter(({ type }) => /\.update$/.test(type))
    expect(updates.length).toBeGreaterThan(50)
    for (const { type, data, diff } of updates) {
      expect(diff.before, type).not.toBeNull()
      for (const [key, value] of Object.entries(diff.after ?? {})) {
        expect(data[key]).toEqual(value)
        expect(diff.before?.[key], `${type} ${key}`).not.toEqual(value)
      }
    }
  })

  it('are shown with the same bytes as events in the earlier form, in every version', async () => {
    const scope = reading(service.deps, (await service.deps.teamOf(service.team))!)
    const own = sealer(scope)
    const rows = await service.store.reader.selectFrom('events').selectAll().orderBy('id').execute()
    const earlier = rows.map(row => {
      const { data, before } = openStates(own, row)
      return {
        ...row,
        data: own.seal({ id: row.id, field: 'data' }, JSON.stringify(data)),
        diff: own.seal({ id: row.id, field: 'diff' }, JSON.stringify(diffOf(before, data))),
      }
    })
    for (const version of versions) {
      const [shown, expected] = [await showEvents(scope, rows, version), await showEvents(scope, earlier, version)]
      for (const [at, event] of shown.entries()) expect(JSON.stringify(event)).toBe(JSON.stringify(expected[at]))
    }
  })

  it('about a comparison contain both records', () => {
    const [moved] = told.filter(({ type }) => type === 'account.balance_increased')
    const amount = (side: Diff['after']) =>
      (side?.['update'] as { credit_card: { balance: number } } | undefined)?.credit_card.balance ?? 0
    expect(amount(moved!.diff.after) - amount(moved!.diff.before)).toBe(12_500)
    const [score] = told.filter(({ type }) => /^credit_score\.(in|de)creased$/.test(type))
    expect(score!.diff.before?.['id']).toMatch(/^crs_/)
    expect(score!.diff.before?.['id']).not.toBe(score!.diff.after?.['id'])
  })
})

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : []
}
