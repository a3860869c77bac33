import { describe, expect, test } from 'vitest'
import { digitsOf, intoPattern, showUsNumber, usNumber } from './digits.js'

describe('phone numbers', () => {
  test.each(['5125550100', '+1 (512) 555-0100', '1-512-555-0100', '512.555.0100 ', '５１２ ５５５ ０１００'])(
    '%j is the same number',
    text => expect(usNumber(text)).toBe('5125550100'),
  )

  test.each([
    ['', ''],
    ['512', '512'],
    ['5125', '(512) 5'],
    ['512555', '(512) 555'],
    ['5125550100', '(512) 555-0100'],
  ])('%j is written %j', (digits, shown) => expect(showUsNumber(digits)).toBe(shown))
})

test('digits go into a pattern as far as they reach, and what is over stays', () => {
  expect(intoPattern('4111111111110342', '#### #### #### ####')).toBe('4111 1111 1111 0342')
  expect(intoPattern('41111', '#### ####')).toBe('4111 1')
  expect(intoPattern('123456789', '### ###')).toBe('123 456789')
})

test('letters and dashes are no digits', () => expect(digitsOf('a1-2 b3')).toBe('123'))
