import { DAY_MS, HOUR_MS, MINUTE_MS } from '@causeway/contract/time'
import { describe, expect, it } from 'vitest'
import { achDebt, checkDebt, createWorld, payment, personAccount, START, sourceAccount } from '../testing/increase.js'
import type { Ach, Check } from './emulator/transfers.js'
import { submit } from './payments.js'

describe('accepts', () => {
  it('accepts a payment that the account at Increase can make', async () => {
    const { call } = createWorld()
    const question = { amount: 50_000, source: sourceAccount, destination: achDebt }
    expect(await call('rail/accepts', question)).toEqual({ accepted: true })
    expect(await call('rail/accepts', { ...question, destination: checkDebt })).toEqual({ accepted: true })
  })

  it('refuses a source elsewhere, a debt without a payee, a wrong number and too large an amount', async () => {
    const { call, requests } = createWorld()
    const ask = (changes: object) =>
      call('rail/accepts', { amount: 50_000, source: sourceAccount, destination: achDebt, ...changes })
    const refused = { accepted: false, sub_type: 'PAYMENT_REFUSED_BY_RAIL' }
    const { payee, ...unpaid } = achDebt
    expect(await ask({ source: { ...sourceAccount, number: '987654320' } })).toEqual(refused)
    expect(await ask({ destination: unpaid })).toEqual(refused)
    expect(await ask({ destination: { ...achDebt, payee: { ...payee!, routing: '021000022' } } })).toEqual(refused)
    expect(await ask({ destination: { ...achDebt, payee: { route: 'card_push' } } })).toEqual(refused)
    expect(await ask({ amount: 1_000_000_01 })).toEqual({ accepted: false, sub_type: 'INSUFFICIENT_FUNDS' })
    expect(requests.every(({ method }) => method === 'GET')).toBe(true)
  })
})

describe('submit', () => {
  // kills: transfer-is-linked
  it('credits a person by PPD, without the fee, and links the transfer', async () => {
    const { call, transferOf, host, emulator, account } = createWorld()
    expect(await call('rail/submit', payment(), 'pmt_1')).toEqual({ status: 'accepted' })
    expect(transferOf()).toMatchObject({
      type: 'ach_transfer',
      amount: 49_500,
      account_number: '123456789',
      routing_number: '021000021',
      funding: 'savings',
      standard_entry_class_code: 'prearranged_payments_and_deposit',
      destination_account_holder: 'individual',
      individual_name: 'Zoe Angstrom-Fitzgeral',
      company_name: 'Example Lending',
      statement_descriptor: 'Example Lending',
      individual_id: null,
      addenda: null,
    })
    expect(emulator.bank.currentBalance(account)).toBe(1_000_000_00 - 49_500)
    expect(host.links.get(transferOf()!.id)).toEqual({ kind: 'payment', id: 'pmt_1', team_id: 'tem_1' })
  })

  it('credits a merchant by CCD, or by CTX if the addenda need more than one record', async () => {
    const { call, transferOf } = createWorld()
    await call('rail/submit', payment({ destination: achDebt }), 'pmt_1')
    expect(transferOf()).toMatchObject({
      account_number: '5550001',
      standard_entry_class_code: 'corporate_credit_or_debit',
      destination_account_holder: 'business',
      individual_id: '400012345678',
      addenda: { freeform: { entries: [{ payment_related_information: 'LOAN 400012345678' }] } },
    })
    const addenda = `${'A'.repeat(79)} ${'B'.repeat(40)}`
    const payee = { ...achDebt.payee!, account: 'number', addenda }
    await call('rail/submit', payment({ payment_id: 'pmt_2', destination: { ...achDebt, payee } as never }), 'pmt_2')
    const long = transferOf('pmt_2') as Ach
    expect(long).toMatchObject({
      account_number: '400012345678',
      standard_entry_class_code: 'corporate_trade_exchange',
      individual_id: null,
    })
    const records = long.addenda!.freeform!.entries.map(entry => entry.payment_related_information)
    expect(records.join('')).toBe(addenda)
    expect(records.length).toBe(2)
  })

  it('mails a check to the payee', async () => {
    const { call, transferOf, emulator, account } = createWorld()
    expect(await call('rail/submit', payment({ destination: checkDebt }), 'pmt_1')).toEqual({ status: 'accepted' })
    expect(transferOf()).toMatchObject({
      type: 'check_transfer',
      amount: 49_500,
      physical_check: {
        recipient_name: 'Card Services',
        memo: 'Account 400012345678',
        payer: [{ contents: 'Example Lending' }],
        mailing_address: { line1: 'PO Box 15123', city: 'Wilmington', state: 'DE', postal_code: '19850' },
      },
    })
    expect(emulator.bank.availableBalance(account)).toBe(1_000_000_00 - 49_500)
  })

  it('repeats the stored request, whatever the later call says', async () => {
    const { call, context, requests, emulator } = createWorld()
    await call('rail/submit', payment(), 'pmt_1')
    const changed = { ...payment({ destination: { ...personAccount, number: '999' } }), amount: 70_000 }
    const later = { ...changed, request_id: 'pmt_1', team_id: 'tem_1', now: START }
    expect(await submit(context, later)).toEqual({ status: 'accepted' })
    const posts = requests.filter(({ method }) => method === 'POST')
    expect(posts.length).toBe(2)
    expect(posts[1]).toEqual(posts[0])
    expect(emulator.transfers.all.size).toBe(1)
  })

  it('takes the transfer that already has the payment’s key', async () => {
    const { call, send, account, transferOf, host } = createWorld()
    const body = { account_id: account, amount: 49_500, statement_descriptor: 'By hand' }
    const details = { account_number: '123456789', routing_number: '021000021' }
    await send('POST', '/ach_transfers', { ...body, ...details }, { 'idempotency-key': 'pmt_1' })
    expect(await call('rail/submit', payment(), 'pmt_1')).toEqual({ status: 'accepted' })
    expect(host.links.has(transferOf()!.id)).toBe(true)
  })

  it.each([
    ['no payee', { destination: { ...achDebt, payee: undefined } }, 10009],
    ['a number that is not one', { destination: { ...personAccount, number: '12345678901234567890' } }, 10008],
    ['a routing number that is not one', { destination: { ...personAccount, routing: '123456789' } }, 10008],
    ['a source elsewhere', { source: { ...sourceAccount, number: '1' } }, 10009],
    ['no source', { source: null }, 10009],
    ['nothing to send', { amount: 500, fee: 500 }, 10010],
    ['too little money', { amount: 2_000_000_00 }, 10001],
    [
      'an address that is not one',
      {
        destination: {
          ...checkDebt,
          payee: { ...checkDebt.payee!, address: { line1: 'x', line2: null, city: 'y', state: 'Delaware', zip: '1' } },
        },
      },
      10009,
    ],
  ] as const)('refuses %s', async (_, changes, code) => {
    const { call, emulator, host } = createWorld()
    const question = JSON.parse(JSON.stringify({ ...payment(), ...changes }))
    expect(await call('rail/submit', question, 'pmt_1')).toEqual({ status: 'refused', code })
    expect(emulator.transfers.all.size).toBe(0)
    expect(JSON.stringify(host.log)).not.toContain('123456789')
  })

  it('knows the outcome of a payment whose answer was lost', async () => {
    const { call, outcome, context, emulator, host, transferOf } = createWorld()
    expect(await outcome('rail/submit', payment(), 'pmt_1')).toEqual({ known: false })
    await submit(context, { ...payment(), request_id: 'pmt_1', team_id: 'tem_1', now: START })
    await context.store.delete('transfer', 'pmt_1')
    host.links.clear()
    emulator.setLag(MINUTE_MS)
    expect(await outcome('rail/submit', payment(), 'pmt_1')).toEqual({ known: false })
    expect(await call('rail/submit', payment(), 'pmt_1')).toEqual({ status: 'accepted' })
    expect(emulator.transfers.all.size).toBe(1)
    emulator.setLag(0)
    expect(await outcome('rail/submit', payment(), 'pmt_1')).toEqual({ known: true, answer: { status: 'accepted' } })
    expect(host.links.has(transferOf()!.id)).toBe(true)
  })
})

describe('cancel', () => {
  // kills: canceled-payment-is-not-sent
  it('cancels before submission, and refuses the later submission', async () => {
    const { call, outcome, emulator } = createWorld()
    expect(await call('rail/cancel', payment(), 'pmt_1')).toEqual({ status: 'canceled' })
    expect(await call('rail/submit', payment(), 'pmt_1')).toEqual({ status: 'refused', code: 10004 })
    expect(await outcome('rail/cancel', payment(), 'pmt_1')).toEqual({ known: true, answer: { status: 'canceled' } })
    expect(emulator.transfers.all.size).toBe(0)
  })

  it('cancels at Increase while the transfer waits for approval', async () => {
    const { call, emulator, account, transferOf } = createWorld()
    emulator.bank.accounts.get(account)!.needsApproval = true
    await call('rail/submit', payment(), 'pmt_1')
    expect(await call('rail/cancel', payment(), 'pmt_1')).toEqual({ status: 'canceled' })
    expect(transferOf()!.status).toBe('canceled')
    expect(emulator.bank.availableBalance(account)).toBe(1_000_000_00)
  })

  it('is too late for a credit under way, and stops a check until it is deposited', async () => {
    const { call, emulator, transferOf } = createWorld()
    await call('rail/submit', payment(), 'pmt_1')
    expect(await call('rail/cancel', payment(), 'pmt_1')).toEqual({ status: 'too_late' })
    const early = payment({ payment_id: 'pmt_2', destination: checkDebt })
    await call('rail/submit', early, 'pmt_2')
    expect(await call('rail/cancel', early, 'pmt_2')).toEqual({ status: 'canceled' })
    expect(transferOf('pmt_2')!.status).toBe('stopped')
    const late = payment({ payment_id: 'pmt_3', destination: checkDebt })
    await call('rail/submit', late, 'pmt_3')
    emulator.forward(8 * DAY_MS)
    expect(await call('rail/cancel', late, 'pmt_3')).toEqual({ status: 'too_late' })
    expect(transferOf('pmt_3')!.status).toBe('deposited')
  })

  it('decides nothing while a submission may be under way', async () => {
    const { call, context } = createWorld()
    await context.store.claim('payment', 'pmt_1', { route: 'ach_transfers', body: {}, account: 'a', amount: 1 })
    await expect(call('rail/cancel', payment(), 'pmt_1')).rejects.toMatchObject({ outcome: 'nothing', retryable: true })
  })
})

describe('status', () => {
  // kills: other-transfers-do-not-count
  it.each([
    ['another transfer', { id: 'ach_transfer_other' }],
    ['a transfer of another payment', { idempotency_key: 'pmt_2' }],
    ['a transfer in another currency', { currency: 'EUR' }],
  ])('does not believe an answer about %s', async (_what, change) => {
    let lie = {}
    const { call } = createWorld({
      isChecked: false,
      network: answer => async request => {
        const response = await answer(request)
        if (request.method !== 'GET') return response
        return Response.json({ ...((await response.json()) as object), ...lie })
      },
    })
    await call('rail/submit', payment(), 'pmt_1')
    lie = { ...change, settlement: { settled_at: '2026-11-01T00:00:00Z' } }
    await expect(call('rail/status', payment())).rejects.toMatchObject({ retryable: true })
    lie = {}
    expect(await call('rail/status', payment())).toMatchObject({ status: 'pending' })
  })

  it('follows a credit to day 60', async () => {
    const { call, emulator, transferOf } = createWorld()
    const status = () => call('rail/status', payment())
    expect(await status()).toMatchObject({ status: 'pending', next_at: START + 30 * MINUTE_MS })
    await call('rail/submit', payment(), 'pmt_1')
    expect(await status()).toMatchObject({ status: 'pending', destination_trace_id: null })
    emulator.forward(20 * MINUTE_MS)
    const { submission } = transferOf() as Ach
    expect(await status()).toMatchObject({ status: 'processing', destination_trace_id: submission!.trace_number })
    emulator.forward(20 * MINUTE_MS)
    const expected = Date.parse(submission!.expected_funds_settlement_at)
    expect(await status()).toMatchObject({ status: 'sent', next_at: expected })
    emulator.forward(6 * HOUR_MS)
    const settled = await status()
    expect(settled).toMatchObject({ status: 'posted', code: null, returned_as: null, noc: null })
    expect(settled.next_at).toBe(START + DAY_MS)
    emulator.forward(70 * DAY_MS)
    expect(await status()).toMatchObject({ status: 'posted', next_at: null })
  })

  it('reports a return with its raw code, even on day 59, and answers earlier times as before', async () => {
    const { call, emulator, transferOf } = createWorld()
    const question = payment({ destination: { ...personAccount, number: '775910' } })
    await call('rail/submit', question, 'pmt_1')
    emulator.forward(58 * DAY_MS)
    const before = emulator.bank.now()
    expect(await call('rail/status', question)).toMatchObject({ status: 'posted' })
    emulator.forward(2 * DAY_MS)
    const { return: back } = transferOf() as Ach
    const at = Date.parse(back!.created_at)
    const returned_as = { code: 'R10', at, trace: back!.trace_number }
    expect(await call('rail/status', question)).toMatchObject({
      status: 'reversal_required',
      code: 10009,
      returned_as,
      next_at: null,
    })
    expect(await call('rail/status', question, 'r1', before)).toMatchObject({ status: 'posted', next_at: at })
  })

  it('reports the corrected details of a notification of change, which may follow a return', async () => {
    const { call, emulator, host } = createWorld()
    const question = payment({ destination: { ...personAccount, number: '779701' } })
    await call('rail/submit', question, 'pmt_1')
    emulator.forward(5 * DAY_MS)
    const answer = await call('rail/status', question)
    expect(answer).toMatchObject({
      status: 'reversal_required',
      code: 10008,
      noc: { code: 'C01' },
      corrected: { number: '987654321' },
    })
    await call('rail/status', question)
    expect(host.log.filter(({ event }) => event === 'notification_of_change').length).toBe(1)
  })

  it('reports suspected fraud and unknown return codes', async () => {
    const { call, emulator, host, transferOf } = createWorld()
    for (const [id, code, addenda] of [
      ['pmt_1', 'R17', 'QUESTIONABLE ID 7'],
      ['pmt_2', 'R99', null],
    ] as const) {
      await call('rail/submit', payment({ payment_id: id }), id)
      emulator.forward(HOUR_MS)
      emulator.transfers.return(transferOf(id) as Ach, code, addenda)
      const answer = await call('rail/status', payment({ payment_id: id }), id)
      expect(answer).toMatchObject({ status: 'reversal_required', code: 10009, returned_as: { code } })
    }
    expect(host.log.map(({ event }) => event)).toEqual(['ach_return_questionable', 'ach_return_unknown'])
  })

  it('fails a transfer that Increase rejects', async () => {
    const { call, emulator, account } = createWorld()
    const question = payment({ destination: { ...personAccount, number: '7766' } })
    await call('rail/submit', question, 'pmt_1')
    emulator.forward(HOUR_MS)
    expect(await call('rail/status', question)).toMatchObject({ status: 'failed', code: 10009 })
    expect(await call('rail/status', question, 'r1', START)).toMatchObject({ status: 'pending' })
    expect(emulator.bank.currentBalance(account)).toBe(1_000_000_00)
  })

  it('keeps an unknown status pending, and reports it', async () => {
    const { call, host, transferOf } = createWorld({ isChecked: false })
    await call('rail/submit', payment(), 'pmt_1')
    Object.assign(transferOf()!, { status: 'pending_something' })
    expect(await call('rail/status', payment())).toMatchObject({ status: 'pending', code: null })
    expect(host.log).toMatchObject([{ event: 'provider_status_unknown', fields: { status: 'pending_something' } }])
  })

  it('follows a check to its deposit', async () => {
    const { call, emulator } = createWorld()
    const question = payment({ destination: checkDebt })
    await call('rail/submit', question, 'pmt_1')
    const seen: string[] = []
    for (const ms of [HOUR_MS, 2 * DAY_MS, 5 * DAY_MS]) {
      emulator.forward(ms)
      seen.push((await call('rail/status', question)).status)
    }
    expect(seen).toEqual(['processing', 'sent', 'posted'])
  })

  it.each([
    ['fails', 20 * MINUTE_MS, 'failed'],
    ['is returned', 3 * DAY_MS, 'reversal_required'],
  ] as const)('a check that is stopped %s', async (_, ms, expected) => {
    const { call, emulator, transferOf } = createWorld()
    const question = payment({ destination: checkDebt })
    await call('rail/submit', question, 'pmt_1')
    emulator.forward(ms)
    emulator.transfers.stop(transferOf() as Check, 'mail_delivery_failed')
    expect(await call('rail/status', question)).toMatchObject({
      status: expected,
      code: 10009,
      returned_as: { code: 'mail_delivery_failed', trace: null },
    })
  })
})
