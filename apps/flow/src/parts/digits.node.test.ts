import { describe, expect, test } from 'vitest'
import { digitsOf, intoPattern, showUsNumber, usNumber } from './digits.js'

describe('phone numbers', () => {
  test.each(['5125550100', '+1 (512) 555-0100', '1-512-555-0100', '512.555.0100 ', '５１２ ５５５ ０１００'])(
    'reads %j as the same number',
    text => expect(usNumber(text)).toBe('5125550100'),
  )

  test.each([
    ['', ''],
    ['512', '512'],
    ['5125', '(512) 5'],
    ['512555', '(512) 555'],
    ['5125550100', '(512) 555-0100'],
  ])('formats %j as %j', (digits, shown) => expect(showUsNumber(digits)).toBe(shown))
})

test('fills a pattern with as many digits as there are, and keeps any extra digits', () => {
  expect(intoPattern('4111111111110342', '#### #### #### ####')).toBe('4111 1111 1111 0342')
  expect(intoPattern('41111', '#### ####')).toBe('4111 1')
  expect(intoPattern('123456789', '### ###')).toBe('123 456789')
})

test('ignores letters and dashes', () => expect(digitsOf('a1-2 b3')).toBe('123'))
