import { HIDDEN_MESSAGE } from '@causeway/contract/text'
import { describe, expect, it } from 'vitest'
import { fillPayee, payableThrough, readPayee } from './payee.js'

const ach = { merchant: 'mch_1', route: 'ach', routing: '021000021', account: 'number', sec: 'ccd' }
const check = {
  ...{ merchant: 'mch_2', route: 'check', name: 'Card Bank', line1: 'PO Box 1', city: 'Dallas' },
  ...{ state: 'TX', zip: '75201', memo: 'Acct {number}' },
}
const read = (row: Record<string, string>) => {
  const payee = readPayee(row)
  if ('problems' in payee) throw new Error(payee.problems.join())
  return payee
}

describe('a row of an import file', () => {
  it('becomes a payee of its route, with optional columns empty', () => {
    expect(read({ ...ach, addenda: '', note: '', max_amount: '250000' })).toEqual({
      mch_id: 'mch_1',
      details: { route: 'ach', routing: '021000021', account: 'number', sec: 'ccd' },
      max_amount: 250_000,
      note: null,
    })
    expect(read(check).details).toMatchObject({ route: 'check', memo: 'Acct {number}' })
    expect(read({ ...check, memo: '' }).details).toMatchObject({ memo: '{number}' })
  })

  it.each<[Record<string, string>, string]>([
    [{ ...ach, merchant: '' }, 'merchant is required'],
    [{ ...ach, route: 'wire' }, 'route must be one of: ach, check, card_push'],
    [{ ...ach, routing: '021000022' }, 'routing must be nine digits with a correct check digit'],
    [
      { ...ach, account: 'my account' },
      "account must be an account number, or the word number for the debt's own number",
    ],
    [{ ...ach, sec: 'web' }, 'sec must be ccd, ctx or ppd'],
    [{ ...ach, zip: '75201' }, 'zip does not apply to the route ach'],
    [{ ...ach, max_amount: '12.50' }, 'max_amount must be a whole number of cents'],
    [{ ...ach, max_amount: '0' }, 'max_amount must be at least 1'],
    [{ ...ach, max_amount: '-5' }, 'max_amount must be at least 1'],
    [{ ...ach, addenda: 'RMR {nubmer}' }, 'addenda may contain braces only in {number}, {mask} and {payment}'],
    [{ ...check, memo: 'Acct {number' }, 'memo may contain braces only in {number}, {mask} and {payment}'],
    [{ ...check, memo: '{{number}}' }, 'memo may contain braces only in {number}, {mask} and {payment}'],
    [{ ...check, name: 'Card\u200b Bank' }, `name ${HIDDEN_MESSAGE}`],
    [{ ...check, city: 'Dal\u202elas' }, `city ${HIDDEN_MESSAGE}`],
    [{ ...ach, merchant: 'mch\n1' }, `merchant ${HIDDEN_MESSAGE}`],
    [{ ...check, state: 'Texas' }, 'state must be two capital letters'],
    [{ ...check, name: 'x'.repeat(41) }, 'name must be at most 40 characters'],
  ])('%j is rejected, with the column named', (row, problem) => {
    expect(readPayee(row)).toEqual({ problems: [problem] })
  })
})

// kills: payable-by-the-rail
it('needs the number of a debt only if the payee uses it, and a rail that pays this way', () => {
  const fixed = read({ ...ach, account: '123456789' }).details
  const routes = ['ach', 'check'] as const
  expect(payableThrough(null, true, routes)).toBe('no')
  expect(payableThrough(read(ach).details, true, ['check'])).toBe('no')
  expect(payableThrough(read(ach).details, false, routes)).toBe('needs_number')
  expect(payableThrough(read(ach).details, true, routes)).toBe('yes')
  expect(payableThrough(fixed, false, routes)).toBe('yes')
  expect(payableThrough(read({ ...ach, account: '1', addenda: '{number}' }).details, false, routes)).toBe(
    'needs_number',
  )
  expect(payableThrough(read({ ...check, memo: 'Ref {payment}' }).details, false, routes)).toBe('yes')
})

it('fills in templates', () => {
  const { details } = read({ ...ach, account: '123456789', addenda: 'RMR {number} {mask} {payment}' })
  expect(fillPayee(details, '4111111111111111', 'pmt_1')).toEqual({
    route: 'ach',
    routing: '021000021',
    account: '123456789',
    sec: 'ccd',
    addenda: 'RMR 4111111111111111 1111 pmt_1',
  })
  expect(fillPayee(read(check).details, '4111', 'pmt_1')).toEqual({
    route: 'check',
    name: 'Card Bank',
    address: { line1: 'PO Box 1', line2: null, city: 'Dallas', state: 'TX', zip: '75201' },
    memo: 'Acct 4111',
  })
})
