import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readAmount, showAmount } from './amount.js'

const cents = fc.integer({ min: 0, max: 100_000_000 })
const locale = fc.constantFrom(
  'en-US',
  'es-US',
  'es',
  'de',
  'fr',
  'pt-BR',
  'ar-US-u-nu-latn',
  'ar-EG',
  'fa',
  'hi-u-nu-deva',
  'en-IN',
)

describe('amounts', () => {
  test('are read back to the cent as shown, in every locale', () => {
    fc.assert(fc.property(cents, locale, (n, l) => readAmount(showAmount(n, l), l) === n))
  })

  test('ignores currency signs and spaces around an amount', () => {
    fc.assert(
      fc.property(
        cents,
        fc.constantFrom('$', '$ ', ' ', 'US$ ', ''),
        fc.constantFrom('', ' ', ' USD'),
        (n, before, after) => {
          expect(readAmount(`${before}${showAmount(n, 'en-US')}${after}`, 'en-US')).toBe(n)
        },
      ),
    )
  })

  test('accepts whole dollars without grouping separators or cents', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 1_000_000 }), n => readAmount(String(n), 'en-US') === n * 100))
  })

  test('returns null or a whole, safe number of cents for any text', () => {
    fc.assert(
      fc.property(fc.string(), locale, (text, l) => {
        const read = readAmount(text, l)
        expect(read === null || (Number.isSafeInteger(read) && read >= 0)).toBe(true)
      }),
    )
  })

  test.each([
    ['5,212.40', 521_240],
    ['5212.4', 521_240],
    ['5 212', 521_200],
    ['.5', 50],
    ['12.', 1_200],
    ['', 0],
    ['１２', 1_200],
    ['＄１，２３４．５０', 123_450],
    ['١٢٣٤٫٥٠', 123_450],
    ['١٬٢٣٤٫٥٠', 123_450],
    ['۱٬۲۳۴٫۵', 123_450],
    ['١,٢٣٤.٥٠', 123_450],
    ['\u061c٥٠٠\u200f', 50_000],
    ['१,२३४.५०', 123_450],
  ])('reads %j as %i cents', (text, expected) => expect(readAmount(text, 'en-US')).toBe(expected))

  test('reads the Arabic separators in every locale', () => {
    for (const each of ['en-US', 'es', 'ar-US-u-nu-latn', 'ar-EG', 'fa', 'de'])
      expect(readAmount('١٬٢٣٤٫٥٠', each)).toBe(123_450)
  })

  test.each([
    '1.234',
    '5½',
    '5²',
    '١٫٢٣٤',
    '١٬٢٣',
    '١٫٢٫٣',
    ' '.repeat(50),
    '5,21',
    '12,34',
    '1,2,3',
    '-5',
    'abc',
    '1e3',
    '1.2.3',
    '$',
    '99999999999999999',
  ])('rejects %j rather than guessing', text => expect(readAmount(text, 'en-US')).toBe(text === '$' ? 0 : null))
})
