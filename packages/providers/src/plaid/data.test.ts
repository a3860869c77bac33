import { DAY_MS } from '@causeway/contract/time'
import { describe, expect, it } from 'vitest'
import { createPlaidWorld, person } from '../testing/plaid.js'
import { check } from './check.js'
import { transaction } from './emulator/bank.js'
import { toCents, toDay } from './money.js'

const HARBOR = 'ins_900001'
const SUMMIT = 'ins_900002'
const LAKESIDE = 'ins_900003'

async function linkedWorld(institution = HARBOR, options: Parameters<typeof createPlaidWorld>[0] = {}) {
  const world = createPlaidWorld(options)
  await world.linkAt(institution)
  const debts = await world.discover()
  const reference = (type: string) => debts.find(debt => debt.type === type)!.reference
  return { ...world, debts, reference, item: [...world.emulator.items.values()][0]! }
}

describe('amounts', () => {
  const cases = new Map<unknown, number | null>([
    ...([
      [0, 0],
      [12.3, 1230],
      [-12.05, -1205],
      [0.07, 7],
      [1.005, 101],
      [8.115, 812],
      [35, 3500],
    ] as const),
    ...([
      [0.1 + 0.2, 30],
      [4.35, 435],
      [1.1, 110],
      [999_999_999.99, 99_999_999_999],
      [1e-7, 0],
    ] as const),
    ...([
      [-0.001, 0],
      [2.675, 268],
      [Number.NaN, null],
      [1e21, null],
      ['12', null],
      [null, null],
    ] as const),
  ])
  it.each([...cases])('%s dollars are %s cents', (dollars, cents) => {
    expect(toCents(dollars)).toBe(cents)
  })

  it('keeps every cent that JSON can hold', () => {
    for (let cents = -5_000; cents <= 5_000; cents += 7) expect(toCents(cents / 100)).toBe(cents)
    for (let cents = 1; cents < 1e14; cents = cents * 3 + 1) expect(toCents(cents / 100)).toBe(cents)
  })

  it('accepts only days that exist', () => {
    expect([toDay('2026-02-28'), toDay('2026-02-30'), toDay('2026-2-3'), toDay(null)]).toEqual([
      '2026-02-28',
      null,
      null,
      null,
    ])
  })
})

describe('discovery', () => {
  it('returns debts and no bank accounts', async () => {
    const { debts, item } = await linkedWorld()
    expect(debts).toMatchObject([
      {
        reference: `plaid.${item.id}.${item.accounts[0]!.account_id}`,
        ...{ mch_id: 'mch_plaid_ins_900001', type: 'credit_card', name: 'Harbor Platinum', mask: '3333' },
        ...{ ownership: 'primary', payable: 'needs_number', number: null, status: 'active' },
        supports: ['balance', 'transaction', 'update'],
      },
      { type: 'auto_loan', payable: 'needs_number', supports: ['balance'] },
    ])
  })

  it('tells two cards with one mask and name apart, and knows the numbers of loans', async () => {
    const { debts } = await linkedWorld(SUMMIT)
    expect(debts.map(({ mask }) => mask)).toEqual(['4321', '4321'])
    expect(new Set(debts.map(({ fingerprint }) => fingerprint)).size).toBe(2)
    const loans = await linkedWorld(LAKESIDE)
    expect(loans.debts).toMatchObject([
      { type: 'student_loan', number: '4277075694', payable: 'yes' },
      { type: 'mortgage', number: '3120194154', payable: 'yes' },
    ])
    expect(await loans.ask('network/sensitive', { account: loans.reference('mortgage') })).toMatchObject({
      number: '3120194154',
    })
  })

  it('finds nothing before anything is linked', async () => {
    expect(await createPlaidWorld().discover()).toEqual([])
  })
})

describe('an account', () => {
  it('has its balance, also below zero', async () => {
    const { ask, debts } = await linkedWorld(SUMMIT)
    const amounts = await Promise.all(debts.map(({ reference }) => ask('network/balance', { account: reference })))
    expect(amounts).toEqual([
      { status: 'completed', amount: 251_240 },
      { status: 'completed', amount: -1_205 },
    ])
  })

  it('has the details of its type', async () => {
    const { ask, reference } = await linkedWorld()
    expect(await ask('network/update', { account: reference('credit_card'), source: 'direct' })).toMatchObject({
      data: {
        ...{ balance: 120_342, credit_limit: 800_000, available_credit: 679_658, last_payment_amount: 16_825 },
        ...{ next_payment_minimum_amount: 3_500, next_payment_due_date: '2026-12-05' },
        ...{ interest_rate_percentage_max: 27.24, interest_rate_percentage_min: 19.99 },
      },
    })
    const failed = { status: 'failed', code: 21001 }
    expect(await ask('network/update', { account: reference('credit_card'), source: 'snapshot' })).toEqual(failed)
    expect(await ask('network/update', { account: 'plaid.none.none', source: 'direct' })).toEqual(failed)
    const loans = await linkedWorld(LAKESIDE)
    expect(await loans.ask('network/update', { account: loans.reference('mortgage'), source: 'direct' })).toMatchObject(
      {
        data: {
          ...{ balance: 23_100_050, original_loan_amount: 42_500_000, term_length: 360, opened_at: '2015-08-01' },
          ...{ interest_rate_percentage: 3.99, interest_rate_type: 'fixed', next_payment_minimum_amount: 141_010 },
        },
      },
    )
  })

  it('that needs another sign-in has neither for now', async () => {
    const { ask, reference, emulator, item } = await linkedWorld()
    emulator.breakItem(item.id)
    const account = reference('credit_card')
    expect(await ask('network/balance', { account })).toEqual({ status: 'failed', code: 20001 })
    expect(await ask('network/update', { account, source: 'direct' })).toEqual({ status: 'failed', code: 21001 })
  })

  it('accepts a number with its last digits and check digit', async () => {
    const { ask, reference } = await linkedWorld()
    const check = (number: string) => ask('network/verify_number', { account: reference('credit_card'), number })
    expect(await check('4111 1111 1111 3333')).toEqual({ status: 'failed', code: 16002 })
    expect(await check('4000000000003333')).toMatchObject({ status: 'failed' })
    expect(await check('4000000000043333')).toEqual({ status: 'verified' })
    expect(await check('4111111111111111')).toEqual({ status: 'failed', code: 16002 })
    expect(await ask('network/verify_number', { account: 'plaid.none.none', number: '1' })).toEqual({
      status: 'failed',
      code: 16001,
    })
  })
})

describe('a bank account', () => {
  const numbers = { routing: '011401533', number: '1111222233330000' }
  it('is vouched for while it is linked in the person’s name', async () => {
    const { ask, item } = await linkedWorld()
    expect(await ask('network/vouch', numbers)).toBe('auto_verify')
    expect(await ask('network/vouch', { ...numbers, number: '1' })).toBeNull()
    await ask('network/unlink', { person, institution: item.id })
    expect(await ask('network/vouch', numbers)).toBeNull()
  })

  it('in another name is not', async () => {
    const world = createPlaidWorld()
    await world.linkAt(HARBOR, 'user_other_name')
    expect(await world.ask('network/vouch', numbers)).toBeNull()
  })
})

describe('the feed', () => {
  const feed = (kind: string, of: string, more: object = {}) => ({
    ...{ kind, of, from: Date.parse('2026-11-28T00:00:00Z'), since: null },
    ...{ until: Date.parse('2026-12-20T00:00:00Z'), limit: 10, ...more },
  })
  const changesOf = (answer: { status: string; changes?: unknown; cursor?: unknown }) => {
    if (answer.status !== 'completed') throw new Error(answer.status)
    return answer as unknown as { changes: { id: string; type: string }[]; cursor: string | null; next: number | null }
  }

  it('of a card has each transaction under one id, from pending to posted', async () => {
    const { ask, reference, emulator, item } = await linkedWorld()
    const of = reference('credit_card')
    const account_id = item.accounts[0]!.account_id
    const base = { account_id, amount: 12.34, date: '2026-11-29' }
    const poll = async (since: string | null) =>
      changesOf(await ask('network/changes', feed('transaction', of, { since })))
    emulator.recordTransaction(item.id, { added: { ...base, transaction_id: 'old', date: '2026-01-01' } })
    emulator.recordTransaction(item.id, { added: { ...base, transaction_id: 'p1', pending: true } })
    emulator.recordTransaction(item.id, { added: { ...base, transaction_id: 'p2', pending: true, amount: -3 } })
    const first = await poll(null)
    expect(first.changes).toMatchObject([
      { id: 'p1', posting: { status: 'pending', amount: 1_234, currency_code: 'USD', merchant_category_code: '' } },
      { id: 'p2', posting: { status: 'pending', amount: -300 } },
    ])
    emulator.recordTransaction(item.id, {
      added: { ...base, transaction_id: 't1', pending_transaction_id: 'p1', amount: 12.5 },
    })
    emulator.recordTransaction(item.id, { removed: 'p1', account: account_id })
    emulator.recordTransaction(item.id, { removed: 'p2', account: account_id })
    const second = await poll(first.cursor)
    expect(second.changes).toMatchObject([
      { id: 'p1', posting: { status: 'posted', amount: 1_250 } },
      { id: 'p2', posting: { status: 'voided', amount: -300 } },
    ])
    emulator.recordTransaction(item.id, { modified: { ...base, transaction_id: 't1', amount: 12.51 } })
    emulator.recordTransaction(item.id, { removed: 't1', account: account_id })
    expect((await poll(second.cursor)).changes).toMatchObject([
      { id: 'p1', posting: { status: 'voided', amount: 1_251 } },
    ])
    expect(transaction({ ...base, transaction_id: 'x' }).name).toBe('Corner Shop')
  })

  it('of an account has an update only if something changed', async () => {
    const { ask, reference, item } = await linkedWorld()
    const of = reference('credit_card')
    const first = changesOf(await ask('network/changes', feed('update', of)))
    expect(first.changes).toMatchObject([{ type: 'update', data: { balance: 120_342 } }])
    const again = changesOf(await ask('network/changes', feed('update', of, { since: first.cursor })))
    expect(again.changes).toEqual([])
    item.accounts[0]!.balances.current = 1300
    const changed = changesOf(await ask('network/changes', feed('update', of, { since: again.cursor })))
    expect(changed.changes).toMatchObject([{ data: { balance: 130_000 } }])
  })

  it('of a person has debts that appear and vanish', async () => {
    const { ask, clock, item } = await linkedWorld()
    const removed = item.accounts[1]!
    const start = clock.now
    clock.now += DAY_MS
    item.accounts.splice(1, 1)
    const since = String(start)
    const gone = changesOf(await ask('network/changes', feed('account', person, { since })))
    expect(gone.changes).toMatchObject([
      { at: clock.now, liability: { status: 'closed', payable: 'no', type: 'auto_loan' } },
    ])
    expect(await ask('network/balance', { account: `plaid.${item.id}.${removed.account_id}` })).toEqual({
      status: 'failed',
      code: 20001,
    })
    clock.now += DAY_MS
    item.accounts.push({ ...removed, account_id: 'another', name: 'New loan' })
    const added = changesOf(await ask('network/changes', feed('account', person, { since: gone.cursor })))
    expect(added.changes).toMatchObject([{ liability: { name: 'New loan', status: 'active', ownership: 'primary' } }])
    const none = changesOf(await ask('network/changes', feed('account', person, { since: added.cursor })))
    expect(none.changes).toEqual([])
  })
})

describe('errors', () => {
  it('limits do nothing, rejected keys stop, and tables are pages of institutions', async () => {
    const { ask, emulator } = createPlaidWorld()
    const many = createPlaidWorld({
      institutions: Array.from({ length: 501 }, (_, i) => ({
        id: `ins_${i}`,
        name: `Bank ${i}`,
        products: ['liabilities'],
      })),
    })
    const { merchants, bureau } = await many.ask('network/tables', {})
    expect(merchants).toHaveLength(501)
    expect(merchants[500]).toMatchObject({ id: 'mch_plaid_ins_500', provider_ids: { plaid: ['ins_500'] } })
    expect(bureau).toBeNull()
    emulator.limitNext(1)
    await expect(ask('network/tables', {})).rejects.toMatchObject({ outcome: 'nothing', retryable: true })
    const wrong = createPlaidWorld({ secret: 'another secret' })
    await expect(wrong.ask('network/tables', {})).rejects.toThrow('Plaid rejected the credentials.')
  })

  it('of the settings are found by the checks', async () => {
    const findings = async (options: Parameters<typeof createPlaidWorld>[0]) => {
      const found: string[] = []
      for await (const { level, message } of check(createPlaidWorld(options).context))
        found.push(`${level}: ${message}`)
      return found.join(' ')
    }
    expect(await findings({})).not.toContain('problem')
    expect(await findings({})).toContain('Debts can be linked at 3 institutions.')
    expect(await findings({ secret: 'another secret' })).toContain(
      'problem: Plaid rejected PLAID_CLIENT_ID and PLAID_SECRET',
    )
    expect(await findings({ env: { PLAID_WEBHOOK_URL: 'https://api.example.com/other' } })).toContain(
      'problem: PLAID_WEBHOOK_URL does not end in /hooks/plaid',
    )
    expect(await findings({ env: { PLAID_WEBHOOK_URL: '' } })).toContain('warning: PLAID_WEBHOOK_URL is not set')
  })
})
