import { describe, expect, test } from 'vitest'
import { checkDob, dobOrder, readDob, readPasted } from './dob.js'

const now = Date.parse('2026-11-23T00:00:00Z')
const dob = (month: string, day: string, year: string) => ({ month, day, year })

describe('a typed date of birth', () => {
  test('is sent as year, month, day', () =>
    expect(checkDob(dob('3', '11', '1930'), now)).toEqual({ iso: '1930-03-11' }))
  test.each([
    [dob('2', '30', '1980'), 'bad'],
    [dob('13', '1', '1980'), 'bad'],
    [dob('1', '1', '80'), 'bad'],
    [dob('1', '', '1980'), 'missing'],
    [dob('1', '1', '2027'), 'future'],
  ])('%j is %s', (value, wrong) => expect(checkDob(value, now)).toEqual({ wrong }))
  test('follows the order of the locale', () => {
    expect(dobOrder('en-US')).toEqual(['month', 'day', 'year'])
    expect(dobOrder('es')).toEqual(['day', 'month', 'year'])
  })
  test('can be pasted whole', () => {
    expect(readPasted('03/11/1930', ['month', 'day', 'year'])).toEqual(dob('03', '11', '1930'))
    expect(readPasted('1930-03-11', ['month', 'day', 'year'])).toEqual(dob('03', '11', '1930'))
    expect(readPasted('١١/٠٣/١٩٣٠', ['day', 'month', 'year'])).toEqual(dob('03', '11', '1930'))
    expect(readPasted('Born \u200e03.11.1930', ['month', 'day', 'year'])).toEqual(dob('03', '11', '1930'))
    expect(readPasted('1930', ['month', 'day', 'year'])).toBeNull()
  })
  test('shows a known date again', () => expect(readDob('1930-03-11')).toEqual(dob('03', '11', '1930')))
})
