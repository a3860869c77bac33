import { describe, expect, it } from 'vitest'
import { Format, shortUrl } from './format.js'
import { dayOf, instantOf, startOfDay } from './time.js'

const chicago = new Format('America/Chicago')
/** Converts the narrow space before AM, which newer versions of ICU use, to a regular space. */
const plain = (text: string) => text.replaceAll('\u202f', ' ')

describe('times', () => {
  it('are in the selected zone', () => {
    expect(chicago.zoneName).toBe('CT')
    expect(plain(chicago.text('2026-03-03T15:41:07.000Z', 'moment'))).toBe('Mar 3, 9:41 AM')
    expect(plain(new Format('UTC').text('2026-03-03T15:41:07.000Z', 'time'))).toBe('3:41:07 PM')
  })

  it("keep the bank calendar's dates in every zone", () => {
    expect(chicago.bankDate('2026-03-06')).toBe('Mar 6')
    expect(new Format('Pacific/Auckland').bankDate('2026-03-06')).toBe('Mar 6')
  })

  it.each([
    ['2026-03-10T07:00', '2026-03-10T12:00:00.000Z'],
    ['2026-03-07T07:00', '2026-03-07T13:00:00.000Z'],
    // Clocks move forward at 2:00 on March 8 and back at 2:00 on November 1.
    ['2026-03-08T01:30', '2026-03-08T07:30:00.000Z'],
    ['2026-03-08T03:30', '2026-03-08T08:30:00.000Z'],
    ['2026-11-01T03:30', '2026-11-01T09:30:00.000Z'],
  ])('reads the local time %s as %s', (local, instant) => {
    expect(instantOf(local, 'America/Chicago')).toBe(instant)
  })
})

describe('days', () => {
  it('start and end at midnight in the selected zone', () => {
    const night = '2026-03-10T03:30:00.000Z'
    expect([dayOf(night, 'America/Chicago'), dayOf(night, 'UTC')]).toEqual(['2026-03-09', '2026-03-10'])
    expect(dayOf(night, 'Pacific/Auckland', -1)).toBe('2026-03-09')
    expect(startOfDay('2026-03-09', 'America/Chicago')).toBe('2026-03-09T05:00:00.000Z')
  })

  it('are consecutive when the clocks change', () => {
    // March 8 has 23 hours in Chicago, and November 1 has 25.
    expect(dayOf('2026-03-09T05:10:00.000Z', 'America/Chicago', -1)).toBe('2026-03-08')
    expect(startOfDay('2026-03-08', 'America/Chicago')).toBe('2026-03-08T06:00:00.000Z')
    expect(dayOf('2026-11-02T05:50:00.000Z', 'America/Chicago', -1)).toBe('2026-10-31')
  })
})

describe('numbers', () => {
  it('show money with its sign', () => {
    expect(chicago.money(295_060)).toBe('$2,950.60')
    expect(chicago.signed(-295_060)).toBe('−2,950.60')
    expect(chicago.signed(0)).toBe('0.00')
  })

  it('show durations in a single unit', () => {
    expect([42_000, 600_000, 93_600_000, 345_600_000].map(each => chicago.span(each))).toEqual([
      '42 s',
      '10 min',
      '26 h',
      '4 d',
    ])
  })

  it('show no percentage for zero', () => {
    expect(chicago.percent(958, 1_000)).toBe('95.8%')
    expect(chicago.percent(0, 0)).toBe('—')
  })
})

it('URLs are shown without their scheme and their query, which can contain a secret', () => {
  expect(shortUrl('https://hooks.example/')).toBe('hooks.example')
  expect(shortUrl('https://hooks.example/in?token=secret&to=a')).toBe('hooks.example/in?…')
})
