import { describe, expect, test } from 'vitest'
import { readPhone, readUsPhone } from './phones.js'

describe('US phone numbers', () => {
  test.each([
    '5125550100',
    '+1 (512) 555-0100',
    '1-512-555-0100',
    '001 512 555 0100',
    '512.555.0100 ',
    'tel:+15125550100',
    'tel:+1-512-555-0100;ext=5',
    '(512) 555-0100 x12',
    '512-555-0100 ext. 5',
    '512-555-0100 extension 12345',
    '+1 512 555 0100 #7',
    '5125550100,,5',
    '\u202a+1 512-555-0100\u202c',
    '\u200e(512)\u00a0555\u2011010\u20600',
    '５１２ ５５５ ０１００',
    '＋１ ５１２ ５５５ ０１００',
    '٥١٢٥٥٥٠١٠٠',
    '۵۱۲-۵۵۵-۰۱۰۰',
    '५१२५५५०१००',
    'Call me at (512) 555-0100',
  ])('reads %j as the same number', text => expect(readUsPhone(text)).toBe('+15125550100'))

  test.each([
    ['Mexico', '+52 55 1234 5678'],
    ['the United Kingdom', '+44 20 7946 0958'],
    ['India', '+91 98765 43210'],
    ['Spain', '+34 612 34 56 78'],
    ['Norway, with ten digits in all', '+47 22 12 34 56'],
    ['Singapore, with ten digits in all', '+65 6123 4567'],
    ['Mexico, in Arabic digits', '+٥٢ ٥٥ ١٢٣٤ ٥٦٧٨'],
    ['Mexico, after a word', 'Tel: (+52) 55 1234 5678'],
    ['Mexico, with the prefix 00', '0052 55 1234 5678'],
    ['Norway, with the prefix 011', '011 47 22 12 34 56'],
    ['France, without its country code', '06 12 34 56 78'],
    ['Mexico, with too many digits', '52 55 1234 5678'],
  ])('refuses a number of %s', (_country, text) => expect(readUsPhone(text)).toBeNull())

  test.each([
    ['an area code that begins with 0', '0125550100'],
    ['an area code that begins with 1', '1125550100'],
    ['an area code that ends in 11', '9115550100'],
    ['an exchange that begins with 0', '5120550100'],
    ['an exchange that begins with 1', '5121550100'],
    ['nine digits', '512555010'],
    ['eleven digits', '51255501001'],
    ['two numbers', '512-555-0100 / 512-555-0101'],
    ['two country codes', '+1 1 512 555 0100'],
    ['a second plus sign', '512 +52 5550100'],
    ['no digits', 'phone'],
    ['a long text', `${' '.repeat(100)}5125550100`],
  ])('refuses %s', (_what, text) => expect(readUsPhone(text)).toBeNull())

  test('reads every number whose area code and exchange are possible', () => {
    for (const phone of ['+14165550100', '+18765550100', '+12129110100']) expect(readUsPhone(phone)).toBe(phone)
  })

  test.each([
    ['toll-free', ['800', '822', '833', '844', '855', '866', '877', '880', '888']],
    ['premium', ['900']],
    ['for machines and services', ['500', '521', '533', '544', '566', '577', '588', '600', '622', '700', '710']],
  ])('refuses numbers that are %s', (_what, codes) => {
    for (const code of codes) expect([code, readUsPhone(`${code}5550100`)]).toEqual([code, null])
  })

  test('reads numbers of similar area codes, the exchange 976, and places outside the states', () => {
    for (const code of ['505', '530', '534', '630', '701', '801', '870', '901', '416', '876', '787', '671', '684'])
      expect(readUsPhone(`${code}9760100`)).toBe(`+1${code}9760100`)
  })

  test('reads a partial number without its country code', () => {
    expect(readPhone('+1 512')).toEqual({ digits: '512', isForeign: false })
    expect(readPhone('1')).toEqual({ digits: '', isForeign: false })
    expect(readPhone('+')).toEqual({ digits: '', isForeign: false })
    expect(readPhone('+5')).toEqual({ digits: '5', isForeign: true })
  })
})
