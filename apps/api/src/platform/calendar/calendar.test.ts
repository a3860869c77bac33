import { describe, expect, it } from 'vitest'
import {
  addBusinessDays,
  chicagoDate,
  cycleOf,
  isBankHoliday,
  isBusinessDay,
  previousDay,
  pullDate,
} from './calendar.js'

describe('bank holidays', () => {
  it.each([
    ['2026-01-01', 'New Year'],
    ['2026-01-19', 'Martin Luther King'],
    ['2026-02-16', 'Washington'],
    ['2026-05-25', 'Memorial Day'],
    ['2026-06-19', 'Juneteenth'],
    ['2026-09-07', 'Labor Day'],
    ['2026-10-12', 'Columbus'],
    ['2026-11-11', 'Veterans'],
    ['2026-11-26', 'Thanksgiving'],
    ['2026-12-25', 'Christmas'],
    ['2027-07-05', 'the Monday after a Sunday holiday'],
  ])('%s is a bank holiday: %s', date => expect(isBankHoliday(date)).toBe(true))

  it('a Saturday holiday is not observed on a weekday', () => {
    expect(isBankHoliday('2026-07-03')).toBe(false)
    expect(isBusinessDay('2026-07-03')).toBe(true)
    expect(isBusinessDay('2026-07-06')).toBe(true)
  })

  it('a year has eleven holidays, minus those that fall on a Saturday', () => {
    const days = (year: number) =>
      Array.from({ length: 365 }, (_, day) => new Date(Date.UTC(year, 0, 1 + day)).toISOString().slice(0, 10))
    const closed = (year: number) =>
      days(year).filter(date => isBankHoliday(date) && ![0, 6].includes(new Date(date).getUTCDay()))
    expect(closed(2026)).toHaveLength(10)
    expect(closed(2025)).toHaveLength(11)
  })
})

describe('business days', () => {
  it('skip weekends and holidays', () => {
    expect(addBusinessDays('2026-01-16', 1)).toBe('2026-01-20')
    expect(addBusinessDays('2026-11-25', 2)).toBe('2026-11-30')
    expect(addBusinessDays('2026-03-04', 0)).toBe('2026-03-04')
  })

  it.each([
    ['2026-03-02T15:00:00.000Z', '2026-03-02', 'before the first window'],
    ['2026-03-02T22:30:00.000Z', '2026-03-02', 'at the last window'],
    ['2026-03-02T22:31:00.000Z', '2026-03-03', 'after the last window'],
    ['2026-03-07T15:00:00.000Z', '2026-03-09', 'on a Saturday'],
    ['2026-07-10T21:30:00.000Z', '2026-07-10', 'at the last window of summer'],
    ['2026-07-10T21:31:00.000Z', '2026-07-13', 'after the last window of a summer Friday'],
  ])('a payment made at %s is debited on %s: %s', (made, date) => {
    expect(pullDate(Date.parse(made))).toBe(date)
  })

  it('a day starts later in Chicago than in UTC', () => {
    expect(chicagoDate(Date.parse('2026-03-03T05:59:00.000Z'))).toBe('2026-03-02')
    expect(chicagoDate(Date.parse('2026-03-03T06:00:00.000Z'))).toBe('2026-03-03')
  })
})

describe('cut-off cycles', () => {
  const shown = ({ from, to }: { from: number; to: number }) => [
    new Date(from).toISOString(),
    new Date(to).toISOString(),
  ]

  it.each([
    ['2026-03-03T15:00:00.000Z', '2026-03-02T22:31:00.000Z', '2026-03-03T22:31:00.000Z', 'a day'],
    ['2026-03-07T15:00:00.000Z', '2026-03-06T22:31:00.000Z', '2026-03-09T21:31:00.000Z', 'the weekend of summer time'],
    ['2026-11-01T15:00:00.000Z', '2026-10-30T21:31:00.000Z', '2026-11-02T22:31:00.000Z', 'the weekend of winter time'],
    ['2026-01-18T15:00:00.000Z', '2026-01-16T22:31:00.000Z', '2026-01-20T22:31:00.000Z', 'a weekend with its holiday'],
  ])('the cycle at %s runs from %s to %s: %s', (time, from, to) => {
    expect(shown(cycleOf(Date.parse(time)))).toEqual([from, to])
  })

  it('have no gaps between them, and each contains all times that are debited on one day', () => {
    for (let at = Date.parse('2026-10-25T00:00:00.000Z'); at < Date.parse('2026-12-01T00:00:00.000Z'); ) {
      const { from, to } = cycleOf(at)
      expect([pullDate(from), pullDate(to - 1)]).toEqual([pullDate(at), pullDate(at)])
      expect([pullDate(from - 1) < pullDate(at), pullDate(to) > pullDate(at)]).toEqual([true, true])
      at = to
    }
  })

  it('the previous day has 23, 24 or 25 hours', () => {
    expect(shown(previousDay(Date.parse('2026-03-09T15:00:00.000Z')))).toEqual([
      '2026-03-08T06:00:00.000Z',
      '2026-03-09T05:00:00.000Z',
    ])
    expect(shown(previousDay(Date.parse('2026-11-02T15:00:00.000Z')))).toEqual([
      '2026-11-01T05:00:00.000Z',
      '2026-11-02T06:00:00.000Z',
    ])
  })
})
