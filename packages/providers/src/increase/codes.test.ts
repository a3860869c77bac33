import { describe, expect, it } from 'vitest'
import { createWorld, payment, personAccount } from '../testing/increase.js'
import { changeCodes, declineCode, isKnownReturn, refusalCode, returnCode, returnCodes } from './codes.js'
import type { Ach } from './emulator/transfers.js'

/** The code of each return of a credit. Every return code that is not here is 10009. */
const others: Record<string, number> = {
  R02: 10008,
  R03: 10008,
  R04: 10008,
  R12: 10008,
  R13: 10008,
  R14: 10008,
  R15: 10008,
  R16: 10008,
  R19: 10010,
  R20: 10008,
  R22: 10008,
  R28: 10008,
  R34: 10008,
}

describe('returns', () => {
  it.each(Object.entries(returnCodes))('%s is %s, and keeps the raw code', async (reason, raw) => {
    const { call, send, transferOf, host } = createWorld()
    await call('rail/submit', payment(), 'pmt_1')
    const { id } = transferOf()!
    await send('POST', `/simulations/ach_transfers/${id}/submit`)
    await send('POST', `/simulations/ach_transfers/${id}/return`, { reason })
    const { return: back } = transferOf() as Ach
    expect(back!.raw_return_reason_code).toBe(raw)
    expect(await call('rail/status', payment())).toMatchObject({
      status: 'reversal_required',
      code: others[raw] ?? 10009,
      returned_as: { code: raw, at: Date.parse(back!.created_at), trace: back!.trace_number },
    })
    expect(host.log).toEqual([])
  })

  it('lists all 70 codes, and gives another code the one that blames no account', () => {
    expect(Object.keys(returnCodes).length).toBe(70)
    expect(new Set(Object.values(returnCodes)).size).toBe(70)
    expect(isKnownReturn('R03')).toBe(true)
    expect(isKnownReturn('R63')).toBe(false)
    expect(returnCode('R63')).toBe(10009)
  })
})

describe('notifications of change', () => {
  it.each([
    ['C01', { corrected_account_number: '42' }, { number: '42' }],
    ['C02', { corrected_routing_number: '021000021' }, { routing: '021000021' }],
    [
      'C03',
      { corrected_account_number: '42', corrected_routing_number: '021000021' },
      { number: '42', routing: '021000021' },
    ],
    ['C05', { corrected_account_funding: 'savings' }, { account_type: 'savings' }],
  ])('%s corrects the account', async (code, notice, corrected) => {
    const { call, send, transferOf } = createWorld()
    await call('rail/submit', payment({ destination: personAccount }), 'pmt_1')
    const { id } = transferOf()!
    await send('POST', `/simulations/ach_transfers/${id}/create_notification_of_change`, notice)
    expect(await call('rail/status', payment())).toMatchObject({ status: 'pending', noc: { code }, corrected })
  })

  it('has a code for each change', () => {
    expect(Object.values(changeCodes)).toEqual([
      ...['C01', 'C02', 'C03', 'C05', 'C06', 'C07', 'C08', 'C09', 'C13', 'C14'],
      ...['C61', 'C62', 'C63', 'C64', 'C65', 'C66', 'C67', 'C68', 'C69'],
    ])
  })
})

describe('declines and refusals', () => {
  it.each([
    ['closed_account', 10008],
    ['expired_card', 10008],
    ['invalid_amount', 10010],
    ['activity_amount_limit_exceeded', 10010],
    ['do_not_honor', 10009],
    ['a reason that is new', 10009],
  ])('a card that is declined for %s is %d', (reason, code) => {
    expect(declineCode(reason)).toBe(code)
  })

  it.each([
    ['object_not_found_error', [], 10007],
    ['invalid_parameters_error', ['account_id'], 10007],
    ['invalid_parameters_error', ['source_account_number_id', 'amount'], 10007],
    ['invalid_parameters_error', ['routing_number'], 10008],
    ['invalid_parameters_error', ['account_number'], 10008],
    ['invalid_parameters_error', ['amount'], 10010],
    ['invalid_parameters_error', ['statement_descriptor'], 10009],
    ['malformed_request_error', [], 10009],
    ['private_feature_error', [], 10009],
    ['invalid_operation_error', [], 10009],
    ['an error that is new', [], 10009],
  ])('a request that is refused with %s %j is %d', (type, fields, code) => {
    expect(refusalCode({ type, fields }, false)).toBe(code)
    expect(refusalCode({ type, fields }, true)).toBe(10001)
  })
})
