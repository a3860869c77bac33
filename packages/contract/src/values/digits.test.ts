import { describe, expect, it, test } from 'vitest'
import { digitsOf, findNumber, toAsciiDigits } from './digits.js'

describe('digits of every script', () => {
  it.each(
    Intl.supportedValuesOf('numberingSystem').filter(system => system !== 'hanidec' && !system.startsWith('roman')),
  )('reads the digits of %s by their values', system => {
    const { format } = new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false })
    const digits = Array.from({ length: 10 }, (_, value) => format(value))
    // Algorithmic systems and ideographs have no decimal digits.
    if (!digits.every(digit => /^\p{Nd}$/u.test(digit))) return
    expect(toAsciiDigits(digits.join(''))).toBe('0123456789')
  })

  it('reads every decimal digit as one ASCII digit', () => {
    let count = 0
    for (let code = 0; code <= 0x10ffff; code += 1) {
      const sign = String.fromCodePoint(code)
      if (!/\p{Nd}/u.test(sign)) continue
      count += 1
      expect(toAsciiDigits(sign)).toMatch(/^\d$/)
    }
    expect(count % 10).toBe(0)
  })

  it('leaves all other text unchanged', () => {
    for (const text of ['', 'Ana Muñoz', '½ ² ① ٪', '12 Main St', '🌸']) expect(toAsciiDigits(text)).toBe(text)
  })

  it('ignores letters and dashes', () => expect(digitsOf('a1-٢ b३')).toBe('123'))
})

describe('finding the code in a message', () => {
  test.each([
    ['Northwind: your 6-digit code is 123456', '123456'],
    ['Valid for 10 minutes: 123456', '123456'],
    ['Your code is 123-456.', '123456'],
    ['Your code is 123 456. It expires in 10 minutes.', '123456'],
    ['<#> Code: 12 34 56', '123456'],
    ['G-123456 is your code', '123456'],
    ['123456 is your code.\n\n@frame.example.com #123456', '123456'],
    ['رمزك هو ١٢٣٤٥٦ صالح لمدة ١٠ دقائق', '123456'],
    ['Call 512-555-0100. Code 419023', '419023'],
    ['\u200e123456\u200f', '123456'],
  ])('finds it in %j', (text, code) => expect(findNumber(text, 6)).toBe(code))

  test.each([
    '',
    'no digits',
    'Your code is 12345',
    'Your code is 1234567',
    'Either 123456 or 654321',
    'Call 512-555-0100',
    'Order 2026-11-29',
    `${'1 '.repeat(5000)}123456`,
  ])('finds none in %j', text => expect(findNumber(text, 6)).toBeNull())
})
