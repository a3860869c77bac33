import { expect, it } from 'vitest'
import { formatMoney, isCents } from './money.js'

it('formats cents as dollars with thousands separators', () => expect(formatMoney(128_760, 'en')).toBe('$1,287.60'))
it('keeps two decimal places unless short is set', () => {
  expect(formatMoney(500_000, 'en')).toBe('$5,000.00')
  expect(formatMoney(500_000, 'en', true)).toBe('$5,000')
  expect(formatMoney(500_050, 'en', true)).toBe('$5,000.50')
})
it.each(['en', 'es', 'es-US', 'ar-u-nu-latn', 'en-CA'])('uses the plain dollar sign in %s', locale => {
  expect(formatMoney(128_760, locale)).toMatch(/^[^A-Z]*\$[^A-Z]*$/)
})
it('formats the largest payment exactly', () => expect(formatMoney(100_000_000, 'en')).toBe('$1,000,000.00'))

it.each([0, 1, 100_000_000, Number.MAX_SAFE_INTEGER])('accepts %s as an amount', value =>
  expect(isCents(value)).toBe(true),
)
it.each([-1, 0.5, '100', null, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('rejects %s as an amount', value =>
  expect(isCents(value)).toBe(false),
)
