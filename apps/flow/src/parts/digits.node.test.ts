import { describe, expect, test } from 'vitest'
import {
  intoPattern,
  isUsNumber,
  readCardNumber,
  readCode,
  readLastFour,
  readZip,
  showUsNumber,
  tidyPhone,
} from './digits.js'

describe('phone numbers', () => {
  test.each([
    ['', ''],
    ['512', '512'],
    ['5125', '(512) 5'],
    ['512555', '(512) 555'],
    ['5125550100', '(512) 555-0100'],
    ['512555010012', '(512) 555-010012'],
  ])('formats %j as %j', (digits, shown) => expect(showUsNumber(digits)).toBe(shown))

  test.each(['512', '(512) 5', '+1 512', '1-512', '٥١٢', '\u200e512\u20115'])('formats %j while it is typed', text =>
    expect(isUsNumber(text)).toBe(true),
  )
  test.each(['+', '+5', '+52 55', '00', '0044', '512-555-0100 x', 'tel:512'])('keeps %j while it is typed', text =>
    expect(isUsNumber(text)).toBe(false),
  )

  test('formats a complete number in any notation, and keeps a number that is not a US number', () => {
    for (const text of ['512-555-0100 x12', 'tel:+15125550100', '+1٥١٢٥٥٥٠١٠٠'])
      expect(tidyPhone(text)).toBe('(512) 555-0100')
    for (const text of ['+52 55 1234 5678', '512-555', 'no number']) expect(tidyPhone(text)).toBe(text)
  })
})

test('fills a pattern with as many digits as there are, and keeps any extra digits', () => {
  expect(intoPattern('4111111111110342', '#### #### #### ####')).toBe('4111 1111 1111 0342')
  expect(intoPattern('41111', '#### ####')).toBe('4111 1')
  expect(intoPattern('123456789', '### ###')).toBe('123 456789')
})

describe('codes', () => {
  test.each([
    ['', ''],
    ['12', '12'],
    ['123-456', '123456'],
    ['123 456', '123456'],
    [' 123456\n', '123456'],
    ['١٢٣٤٥٦', '123456'],
    ['123456123456', null],
    ['1234567', null],
    ['12a', null],
    ['Your 6-digit code is 123456', '123456'],
    ['Your code is 12345', null],
  ])('reads %j as %j', (text, code) => expect(readCode(text, 6)).toBe(code))
})

describe('other numbers', () => {
  test.each([
    ['787', '787'],
    ['٧٨٧٠١', '78701'],
    ['78701–1234', '78701-1234'],
    ['Austin, TX 78701', '78701'],
    ['1 Elm St, Austin TX 78701-1234', '78701-1234'],
    ['Box 78701, 78702', 'Box 78701, 78702'],
  ])('reads the ZIP code in %j as %j', (text, zip) => expect(readZip(text)).toBe(zip))

  test.each([
    ['12', '12'],
    ['٦٧٨٩', '6789'],
    ['123-45-6789', '6789'],
    ['123456789', '6789'],
    ['XXX-XX-6789', '6789'],
    ['12345', null],
  ])('reads the last four digits in %j as %j', (text, digits) => expect(readLastFour(text)).toBe(digits))

  test.each([
    ['4111 1111 1111 0342', '4111111111110342'],
    ['٤١١١ ١١١١', '41111111'],
    ['4111-1111-1111-0342 exp 12/30', '4111111111110342'],
    ['4111 1111 1111 0342 0000 0000', '411111111111034200000000'],
  ])('reads the card number in %j as %j', (text, digits) => expect(readCardNumber(text)).toBe(digits))
})
