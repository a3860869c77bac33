import { expect, test } from 'vitest'
import { call, now, testSandbox } from './fixtures.js'
import { describedExample } from './tables/inputs.js'
import { merchants, products } from './tables/institutions.js'
import { people } from './tables/people.js'
import { updateKeys } from './updates.js'

const { network, waits } = testSandbox()

async function found(person: string) {
  const answer = await network.discover({ ...call, person })
  if (answer.status !== 'completed') throw new Error(`discovery failed with ${answer.code}`)
  return answer.liabilities
}
async function update(account: string, source: 'direct' | 'snapshot', at = now) {
  const answer = await network.update({ ...call, now: at, account, source })
  if (answer.status !== 'completed') throw new Error(`update failed with ${answer.code}`)
  return answer
}

test('the first person has the five mixed accounts, with their balances and payability', async () => {
  const liabilities = await found('sbx_p00')
  const rows = await Promise.all(
    liabilities.map(async one => {
      const balance = await network.balance({ ...call, account: one.reference })
      return [one.name, one.mask, one.payable, balance.status === 'completed' && balance.amount]
    }),
  )
  expect(rows).toEqual([
    ['Chase Sapphire Reserve', '1580', 'yes', 521_240],
    ['Capital One Venture', '0342', 'needs_number', 350_000],
    ['Upstart personal loan', '7719', 'yes', 189_011],
    ['FedLoan student loan', null, 'no', 1_402_000],
    ['American Express Gold', '1003', 'yes', 0],
  ])
  expect(liabilities.map(one => one.number === null)).toEqual([false, true, false, true, false])
})

test('every account of the all-payable person can be paid', async () => {
  const liabilities = await found('sbx_p01')
  expect(liabilities.map(one => one.payable)).toEqual(['yes', 'yes', 'yes', 'yes'])
})

test.each([
  ['sbx_p06', 26001],
  ['sbx_p07', 26002],
  ['sbx_nobody', 24001],
])('discovery of %s fails with %i', async (person, code) => {
  expect(await network.discover({ ...call, person })).toEqual({ status: 'failed', code })
})

test('a person without debts is found, with an empty list', async () => {
  expect(await found('sbx_p05')).toEqual([])
})

test('the classic person has the three accounts that client libraries expect', async () => {
  const liabilities = await found('sbx_p13')
  expect(liabilities.map(one => [one.mch_id, one.type])).toEqual([
    ['mch_302086', 'credit_card'],
    ['mch_311289', 'credit_card'],
    ['mch_311130', 'auto_loan'],
  ])
  expect(liabilities[0]?.number).toBe('5555555555551580')
  expect(liabilities.map(one => one.supports.includes('transaction'))).toEqual([false, true, false])
  expect(liabilities.map(one => one.supports.includes('payoff'))).toEqual([false, false, true])
})

test('the classic card has the exact update that client libraries expect', async () => {
  const answer = await update('sbd_1301', 'direct')
  expect(answer.as_of).toBe(now)
  expect(answer.data).toEqual({
    sub_type: 'flexible_spending',
    opened_at: '2016-12-20',
    closed_at: null,
    balance: 1_866_688,
    last_payment_amount: 100_000,
    last_payment_date: '2023-01-04',
    next_payment_due_date: '2023-02-09',
    next_payment_minimum_amount: 51_060,
    interest_rate_type: 'variable',
    interest_rate_percentage_max: 27.5,
    interest_rate_percentage_min: 20.5,
    available_credit: 930_000,
    credit_limit: 2_800_000,
    usage_pattern: null,
  })
})

test('a debt with two holders has a single fingerprint of 40 hex digits', async () => {
  const fingerprints = (
    await Promise.all(people.map(person => network.discover({ ...call, person: person.reference })))
  )
    .flatMap(answer => (answer.status === 'completed' ? answer.liabilities : []))
    .map(one => [one.reference, one.fingerprint] as const)
  for (const [, fingerprint] of fingerprints) expect(fingerprint).toMatch(/^[0-9a-f]{40}$/)
  const ofAuto = fingerprints.filter(([reference]) => reference === 'sbd_1303')
  expect(ofAuto).toHaveLength(2)
  expect(ofAuto[0]).toEqual(ofAuto[1])
  expect(new Set(fingerprints.map(([, fingerprint]) => fingerprint)).size).toBe(fingerprints.length - 1)
})

test('closed accounts and authorized users are marked as such, and a closed account cannot be paid', async () => {
  const liabilities = await found('sbx_p14')
  expect(liabilities.map(one => [one.status, one.ownership, one.payable])).toEqual([
    ['active', 'primary', 'yes'],
    ['active', 'authorized', 'yes'],
    ['closed', 'primary', 'no'],
  ])
})

const payments = ['last_payment_amount', 'last_payment_date', 'next_payment_due_date', 'next_payment_minimum_amount']
const basics = ['sub_type', 'opened_at', 'closed_at', 'balance', ...payments]
const interest = ['interest_rate_type', 'interest_rate_percentage', 'interest_rate_source']
const loan = [...basics, ...interest, 'original_loan_amount', 'term_length', 'expected_payoff_date']
const delinquency = ['status', 'period', 'start_date', 'action', 'amount', 'history'].map(key => `delinquent_${key}`)

test.each([
  ['auto_loan', 'sbd_1303', loan, delinquency],
  ['mortgage', 'sbd_1501', loan, delinquency],
  ['personal_loan', 'sbd_0003', [...loan, 'available_credit'], delinquency],
  ['student_loan', 'sbd_1502', loan, delinquency],
  ['student_loans', 'sbd_0004', [...basics, ...interest, 'original_loan_amount', 'term_length', 'disbursements'], []],
  ['bnpl', 'sbd_1701', ['balance', 'opened_at', 'closed_at'], []],
  ['collection', 'sbd_1702', basics, []],
])("an update of type %s has exactly its type's keys", async (_type, account, keys, more) => {
  const snapshot = await update(account, 'snapshot')
  expect(Object.keys(snapshot.data).sort()).toEqual([...keys, ...more].sort())
  const direct = await network.update({ ...call, account, source: 'direct' })
  if (direct.status === 'completed') expect(Object.keys(direct.data).sort()).toEqual([...keys].sort())
})

test("a card's snapshot includes delinquency; a direct update does not", async () => {
  const direct = await update('sbd_0001', 'direct')
  const snapshot = await update('sbd_0001', 'snapshot')
  expect(Object.keys(snapshot.data).sort()).toEqual([...Object.keys(direct.data), ...delinquency].sort())
})

test('every type in the tables is covered above', async () => {
  const tried = ['auto_loan', 'bnpl', 'collection', 'credit_card', 'mortgage', 'personal_loan', 'student_loan']
  expect(Object.keys(updateKeys).sort()).toEqual([...tried, 'student_loans'])
})

test('every merchant has a product whose type has an update block', () => {
  for (const { id } of merchants) expect(updateKeys).toHaveProperty(products[id]!.type)
})

test('an institution without direct updates returns only snapshots', async () => {
  expect(await network.update({ ...call, account: 'sbd_0004', source: 'direct' })).toEqual({
    status: 'failed',
    code: 21001,
  })
  const { data } = await update('sbd_0004', 'snapshot')
  const parts = data['disbursements'] as { balance: number; original_loan_amount: number }[]
  expect(parts.reduce((sum, part) => sum + part.balance, 0)).toBe(data['balance'])
  expect(parts.reduce((sum, part) => sum + part.original_loan_amount, 0)).toBe(data['original_loan_amount'])
})

test('a snapshot is as of the first of the month and does not change during the month', async () => {
  const early = await update('sbd_0001', 'snapshot', Date.parse('2026-01-01T00:00:00.000Z'))
  const late = await update('sbd_0001', 'snapshot', Date.parse('2026-01-31T23:59:59.999Z'))
  expect(new Date(early.as_of).toISOString()).toBe('2026-01-01T00:00:00.000Z')
  expect(late).toEqual(early)
})

test('the next due date is always in the future, and the last payment is in the past', async () => {
  for (let day = 0; day < 400; day++) {
    const at = now + day * 86_400_000
    const { data } = await update('sbd_0001', 'direct', at)
    const today = new Date(at).toISOString().slice(0, 10)
    expect((data['next_payment_due_date'] as string) > today).toBe(true)
    expect((data['last_payment_date'] as string) < today).toBe(true)
  }
})

test('nothing is due if nothing is owed', async () => {
  const { data } = await update('sbd_0005', 'direct')
  expect(data).toMatchObject({ balance: 0, next_payment_due_date: null, next_payment_minimum_amount: null })
})

test.each([
  ['4000000000090342', 'verified'],
  ['4000 0000-0009 0342', 'verified'],
  ['99990342', 'verified'],
  ['9990342', 16002],
  ['4000000000090343', 16002],
  ['0000000000090342', 16002],
  ['', 16002],
])('the number %j for the card that requires one: %s', async (number, expected) => {
  const answer = await network.verifyNumber({ ...call, account: 'sbd_0002', number })
  expect(answer.status === 'failed' ? answer.code : answer.status).toBe(expected)
})

test('one card rejects even its own number', async () => {
  const answer = await network.verifyNumber({ ...call, account: 'sbd_0801', number: '4000000000028045' })
  expect(answer).toEqual({ status: 'failed', code: 16002 })
})

test('a number does not help if a debt cannot receive payments', async () => {
  const answer = await network.verifyNumber({ ...call, account: 'sbd_0004', number: '12345678' })
  expect(answer).toEqual({ status: 'failed', code: 16001 })
})

test('slow institutions delay discovery and balances, using the given sleep function', async () => {
  waits.length = 0
  await found('sbx_p01')
  expect(waits).toEqual([])
  await found('sbx_p09')
  await network.balance({ ...call, account: 'sbd_0901' })
  expect(waits).toEqual([4000, 4000])
})

test('the unresponsive institution fails to return a balance or an update', async () => {
  expect(await network.balance({ ...call, account: 'sbd_0903' })).toEqual({ status: 'failed', code: 20001 })
  expect(await network.update({ ...call, account: 'sbd_0903', source: 'direct' })).toEqual({
    status: 'failed',
    code: 21001,
  })
})

test('a debt named by merchant and number is the one that client libraries expect, even later without stored state', async () => {
  const one = await network.describe({ ...call, ...describedExample })
  expect(one).toMatchObject({
    mask: '8721',
    type: 'credit_card',
    sub_type: 'flexible_spending',
    name: 'Chase Sapphire Reserve',
    ownership: 'unknown',
    payable: 'yes',
    number: '4936494462408721',
  })
  expect(one?.reference).not.toContain('4936494462408721')
  const account = one!.reference
  const balance = await network.balance({ ...call, account })
  expect(balance).toEqual(await testSandbox().network.balance({ ...call, request_id: 'req_2', account }))
  expect((await update(account, 'direct')).data).toMatchObject(
    balance.status === 'completed' ? { balance: balance.amount } : {},
  )
  expect(await network.verifyNumber({ ...call, account, number: '4936494462408721' })).toEqual({ status: 'verified' })
})

test('a number from the tables names that debt', async () => {
  const one = await network.describe({ ...call, mch_id: 'mch_302086', number: '4000 0000 0008 1580' })
  const [discovered] = await found('sbx_p00')
  expect(one).toEqual({ ...discovered, ownership: 'unknown' })
})

test('an unknown merchant yields no debt and is not listed', async () => {
  expect(await network.describe({ ...call, mch_id: 'mch_999', number: '4936494462408721' })).toBeNull()
  expect(network.merchants(['mch_3', 'mch_999']).map(merchant => merchant.id)).toEqual(['mch_3'])
})

test('the merchants that client libraries look up have exactly the expected fields', () => {
  expect(network.merchants(['mch_300485'])).toEqual([
    {
      id: 'mch_300485',
      parent_name: 'American Express',
      name: 'American Express Credit Card',
      logo: '/assets/merchants/mch_300485.svg',
      type: 'credit_card',
      provider_ids: {
        plaid: ['ins_10'],
        mx: ['amex'],
        finicity: [],
        dpp: ['7929257', '120', '18391555', '18954427', '11859365', '18947131', '16255844'],
      },
      is_temp: false,
      account_number_formats: ['###############'],
      creditor_names: ['AMEX'],
    },
  ])
})

test('two sandboxes return the same responses to the same calls', async () => {
  const other = testSandbox().network
  for (const { reference: person } of people)
    expect(await other.discover({ ...call, person })).toEqual(await network.discover({ ...call, person }))
  expect(await other.update({ ...call, account: 'sbd_0001', source: 'direct' })).toEqual(
    await update('sbd_0001', 'direct'),
  )
})
