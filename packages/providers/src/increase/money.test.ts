import type { RailReversal } from '@causeway/connector/ports/rail'
import { DAY_MS, HOUR_MS } from '@causeway/contract/time'
import { describe, expect, it } from 'vitest'
import { createWorld, payment, personAccount, START, sourceAccount } from '../testing/increase.js'
import type { Ach } from './emulator/transfers.js'
import { increase } from './provider.js'

const accounts = [
  { name: 'Lender', balance: 1_000_000_00, routing: '101050001', number: '987654321' },
  { name: 'Reserve', balance: 5_00, routing: '101050001', number: '987654329' },
]
const reserve = { ...sourceAccount, id: 'acc_reserve', number: '987654329' }

describe('reversals', () => {
  const reversal = (changes: Partial<RailReversal> = {}): RailReversal => ({
    reversal_id: 'rvs_1',
    payment_id: 'pmt_1',
    amount: 49_500,
    direction: 'credit',
    target: sourceAccount,
    approved_at: START,
    date: '2026-12-02',
    ...changes,
  })

  async function returnedPayment() {
    const world = createWorld({ accounts })
    await world.call('rail/submit', payment({ destination: { ...personAccount, number: '770003' } }), 'pmt_1')
    world.emulator.forward(3 * DAY_MS)
    return world
  }

  it('moves nothing if the return put the money into the payer’s account', async () => {
    const { call, outcome, emulator, account, transferOf } = await returnedPayment()
    expect(await call('rail/reversal', reversal())).toMatchObject({ status: 'pending' })
    expect(await outcome('rail/reverse', reversal(), 'rvs_1')).toEqual({ known: false })
    expect(await call('rail/reverse', reversal(), 'rvs_1')).toBeNull()
    expect(await outcome('rail/reverse', reversal(), 'rvs_1')).toMatchObject({ known: true })
    const { trace_number } = (transferOf() as Ach).return!
    expect(await call('rail/reversal', reversal())).toEqual({
      status: 'sent',
      code: null,
      trace_id: trace_number,
      next_at: null,
    })
    expect(emulator.transfers.all.size).toBe(1)
    expect(emulator.bank.currentBalance(account)).toBe(1_000_000_00)
  })

  it('waits for a return that has not arrived', async () => {
    const { call } = createWorld()
    await call('rail/submit', payment(), 'pmt_1')
    await call('rail/reverse', reversal(), 'rvs_1')
    expect(await call('rail/reversal', reversal())).toMatchObject({ status: 'processing' })
  })

  it('moves the money on to another account at Increase', async () => {
    const { call, emulator, host, transferOf } = await returnedPayment()
    await call('rail/reverse', reversal({ target: reserve }), 'rvs_1')
    expect(transferOf('rvs_1')).toMatchObject({ type: 'account_transfer', amount: 49_500, status: 'complete' })
    expect(emulator.bank.currentBalance(emulator.accounts[1]!)).toBe(5_00 + 49_500)
    expect(host.links.get(transferOf('rvs_1')!.id)).toMatchObject({ kind: 'reversal', id: 'rvs_1' })
    expect(await call('rail/reversal', reversal({ target: reserve }))).toMatchObject({ status: 'sent' })
  })

  it('credits a bank account elsewhere by ACH', async () => {
    const { call, emulator, transferOf } = await returnedPayment()
    const question = reversal({ target: { ...personAccount, number: '770002' } })
    await call('rail/reverse', question, 'rvs_1')
    expect(transferOf('rvs_1')).toMatchObject({ type: 'ach_transfer', account_number: '770002', amount: 49_500 })
    expect(await call('rail/reversal', question)).toMatchObject({ status: 'pending' })
    emulator.forward(HOUR_MS)
    expect(await call('rail/reversal', question)).toMatchObject({ status: 'sent' })
    emulator.forward(3 * DAY_MS)
    expect(await call('rail/reversal', question)).toMatchObject({ status: 'failed', code: 14003, next_at: null })
  })

  // kills: reversal-debits-no-bank
  it('refuses a debit, an unknown payment, and a target that can’t be credited', async () => {
    const { call } = await returnedPayment()
    const refused = async (changes: Partial<RailReversal>) => {
      const question = reversal({ ...changes, reversal_id: JSON.stringify(changes) })
      await call('rail/reverse', question, question.reversal_id)
      return (await call('rail/reversal', question)).code
    }
    expect(await refused({ direction: 'debit' })).toBe(14002)
    expect(await refused({ payment_id: 'pmt_9' })).toBe(14003)
    expect(await refused({ target: null })).toBe(14003)
    expect(await refused({ target: { ...personAccount, routing: '1' } })).toBe(14003)
    expect(await refused({ target: reserve, amount: 2_000_000_00 })).toBe(14003)
  })
})

describe('micro-deposits', () => {
  const question = { routing: '021000021', number: '123456789', amounts: [12, 34] }

  it('sends two credits, once', async () => {
    const { call, outcome, emulator, host } = createWorld()
    expect(await outcome('network/deposit', question, 'ver_1')).toEqual({ known: false })
    const answer = { status: 'sent', next_at: START + DAY_MS }
    expect(await call('network/deposit', question, 'ver_1')).toEqual(answer)
    expect(await outcome('network/deposit', question, 'ver_1')).toEqual({ known: true, answer })
    const sent = [...emulator.transfers.all.values()] as Ach[]
    expect(sent).toMatchObject([
      { amount: 12, idempotency_key: 'ver_1.1', company_entry_description: 'ACCTVERIFY' },
      { amount: 34, idempotency_key: 'ver_1.2', standard_entry_class_code: 'prearranged_payments_and_deposit' },
    ])
    expect(host.links.get(sent[1]!.id)).toMatchObject({ kind: 'session', id: 'ver_1' })
  })

  it('sends the second credit after an interruption', async () => {
    const { call, outcome, context, emulator, send, account } = createWorld()
    await context.store.claim('deposit', 'ver_1', account)
    const body = { account_id: account, amount: 12, statement_descriptor: 'Lender', company_name: 'Lender' }
    const to = { company_entry_description: 'ACCTVERIFY', account_number: '123456789', routing_number: '021000021' }
    const sec = { standard_entry_class_code: 'prearranged_payments_and_deposit' }
    await send('POST', '/ach_transfers', { ...body, ...to, ...sec }, { 'idempotency-key': 'ver_1.1' })
    expect(await outcome('network/deposit', question, 'ver_1')).toEqual({ known: false })
    expect(await call('network/deposit', question, 'ver_1')).toMatchObject({ status: 'sent' })
    expect(emulator.transfers.all.size).toBe(2)
  })

  it('is checked daily for a week', async () => {
    const { call, emulator } = createWorld()
    await call('network/deposit', question, 'ver_1')
    const status = () => call('network/deposit_status', {}, 'ver_1')
    emulator.forward(DAY_MS)
    expect(await status()).toEqual({ status: 'sent', next_at: START + 2 * DAY_MS })
    emulator.forward(6 * DAY_MS)
    expect(await status()).toEqual({ status: 'sent', next_at: null })
  })

  // kills: returned-deposit-is-reported
  it.each([
    ['returned', '770003', 2 * DAY_MS, 'R03'],
    ['rejected after a review', '7766', HOUR_MS, 'rejected'],
  ])('reports deposits that were %s', async (_, number, time, code) => {
    const { call, emulator } = createWorld()
    await call('network/deposit', { ...question, number }, 'ver_1')
    expect(await call('network/deposit_status', {}, 'ver_1')).toMatchObject({ status: 'sent' })
    emulator.forward(time)
    expect(await call('network/deposit_status', {}, 'ver_1')).toEqual({ status: 'returned', code })
  })

  it('fails for an account that can’t be credited', async () => {
    const { call } = createWorld({ env: { INCREASE_DEPOSIT_ACCOUNT: 'account_none' } })
    expect(await call('network/deposit', { ...question, routing: '123' }, 'a')).toEqual({
      status: 'failed',
      code: 16004,
    })
    expect(await call('network/deposit', question, 'b')).toEqual({ status: 'failed', code: 16004 })
  })
})

describe('managed accounts and the statement', () => {
  // kills: transactions-belong-to-the-team
  it('shows a team only the accounts that it pays from', async () => {
    const { call, account, emulator, host } = createWorld({ accounts })
    expect(await call('rail/managed_accounts', {})).toEqual({ accounts: [] })
    await call('rail/submit', payment(), 'pmt_1')
    expect(await call('rail/managed_accounts', {})).toEqual({
      accounts: [
        {
          id: `macc_${account}`,
          routing: '101050001',
          number: '987654321',
          current_balance: 1_000_000_00 - 49_500,
          available_balance: 1_000_000_00 - 49_500,
          opened_at: START,
        },
      ],
    })
    const other = { account: `macc_${emulator.accounts[1]}`, from: null, to: null, start: null, limit: 10 }
    expect(await call('rail/managed_transactions', other)).toEqual({ transactions: [], next: null, previous: null })
    const otherTeam = { request_id: 'r', team_id: 'tem_2', now: START, question: {} }
    expect(await host.exchange('rail/managed_accounts', otherTeam)).toEqual({ accounts: [] })
  })

  it('pages through transactions, latest first', async () => {
    const { call, account, emulator } = createWorld()
    for (let i = 1; i <= 5; i++) {
      await call('rail/submit', payment({ payment_id: `pmt_${i}`, amount: 10_000 + i, fee: 0 }), `pmt_${i}`)
      emulator.forward(DAY_MS)
    }
    const page = (start: string | null, days: { from?: string; to?: string } = {}) =>
      call('rail/managed_transactions', { account: `macc_${account}`, from: null, to: null, ...days, start, limit: 2 })
    const first = await page(null)
    expect(first.transactions.map(({ amount }) => amount)).toEqual([-10_005, -10_004])
    expect(first.previous).toBeNull()
    const second = await page(first.next)
    expect(second.transactions.map(({ amount }) => amount)).toEqual([-10_003, -10_002])
    expect(second.previous).toBe(first.transactions[0]!.id)
    const last = await page(second.next)
    expect(last).toMatchObject({ next: null, previous: second.transactions[0]!.id })
    const day = await page(null, { from: '2026-12-01', to: '2026-12-01' })
    expect(day.transactions).toMatchObject([{ date: '2026-12-01', amount: -10_002 }])
    expect(await page('macc_txn_none')).toEqual({ transactions: [], next: null, previous: null })
  })

  it('lists every movement once, with the transfer that caused it', async () => {
    const { call, context, emulator, transferOf, host } = createWorld({ accounts })
    for (let i = 1; i <= 120; i++) {
      const number = i === 1 ? '770003' : '123456789'
      const question = { payment_id: `pmt_${i}`, amount: 200, fee: 0, destination: { ...personAccount, number } }
      await call('rail/submit', payment(question), `pmt_${i}`)
    }
    await call('rail/submit', payment({ payment_id: 'pmt_r', source: reserve, amount: 100, fee: 0 }), 'pmt_r')
    emulator.forward(3 * DAY_MS)
    const lines = []
    let cursor: string | null = null
    do {
      const page = await increase.statement!(context, { from: '2026-11-30', to: '2026-12-31', cursor })
      lines.push(...page.lines)
      cursor = page.cursor
    } while (cursor !== null)
    expect(lines.length).toBe(2 + 120 + 1 + 1)
    expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length)
    const back = lines.find(({ category }) => category === 'ach_transfer_return')
    expect(back).toMatchObject({ amount: 200, transfer: transferOf('pmt_1')!.id })
    expect(host.links.get(back!.transfer!)).toMatchObject({ id: 'pmt_1' })
    const sum = lines.reduce((total, { amount }) => total + amount, 0)
    expect(sum).toBe(emulator.accounts.reduce((total, id) => total + emulator.bank.currentBalance(id), 0))
    const none = await increase.statement!(context, { from: '2027-01-01', to: '2027-01-02', cursor: null })
    expect(none.lines).toEqual([])
  })
})
