import { parseCron } from '@causeway/contract/values/cron'
import { describe, expect, it } from 'vitest'
import { nextRun } from './next-run.js'

const at = (text: string) => Date.parse(text)
/** Returns the runs from a time on, up to another time. */
function runs(cron: string, from: string, to: string): string[] {
  const times: string[] = []
  for (let time = nextRun(cron, at(from)); time < at(to); time = nextRun(cron, time))
    times.push(new Date(time).toISOString())
  return times
}
const chicagoDay = (time: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Chicago', dateStyle: 'short' }).format(at(time))

describe('the runs of a schedule', () => {
  it.each(['30 2 * * *', '30 1 * * *', '0 0 * * *', '59 23 * * *'])('%s are once on each day of a year', cron => {
    const days = runs(cron, '2026-01-01T06:00:00.000Z', '2027-01-01T06:00:00.000Z').map(chicagoDay)
    expect(days.length).toBeGreaterThanOrEqual(364)
    expect(new Set(days).size).toBe(days.length)
  })

  it('follow the clock in Chicago through the year', () => {
    expect(runs('0 8 * * 1-5', '2026-03-06T00:00:00.000Z', '2026-03-11T00:00:00.000Z')).toEqual([
      '2026-03-06T14:00:00.000Z',
      '2026-03-09T13:00:00.000Z',
      '2026-03-10T13:00:00.000Z',
    ])
  })

  it('at a time that the clock skips happen an hour later', () => {
    expect(runs('30 2 * * *', '2026-03-07T12:00:00.000Z', '2026-03-10T00:00:00.000Z')).toEqual([
      '2026-03-08T08:30:00.000Z',
      '2026-03-09T07:30:00.000Z',
    ])
  })

  // kills: repeated-hour-runs-once
  it('at a time that the clock repeats happen the first time', () => {
    expect(runs('30 1 * * *', '2026-10-31T12:00:00.000Z', '2026-11-03T00:00:00.000Z')).toEqual([
      '2026-11-01T06:30:00.000Z',
      '2026-11-02T07:30:00.000Z',
    ])
  })

  it('on days of the month or weekdays happen on either', () => {
    expect(runs('0 8 15 * MON', '2026-06-07T00:00:00.000Z', '2026-06-23T00:00:00.000Z').map(chicagoDay)).toEqual([
      '2026-06-08',
      '2026-06-15',
      '2026-06-22',
    ])
    expect(runs('0 8 1 JAN,jul *', '2026-01-02T00:00:00.000Z', '2027-02-01T00:00:00.000Z').map(chicagoDay)).toEqual([
      '2026-07-01',
      '2027-01-01',
    ])
  })

  it('on February 29 happen in leap years', () => {
    expect(runs('0 12 29 2 *', '2026-01-01T00:00:00.000Z', '2033-01-01T00:00:00.000Z').map(chicagoDay)).toEqual([
      '2028-02-29',
      '2032-02-29',
    ])
  })

  it('with steps happen at each step', () => {
    expect(runs('15 */6 * * *', '2026-06-01T05:00:00.000Z', '2026-06-02T05:00:00.000Z')).toEqual([
      '2026-06-01T05:15:00.000Z',
      '2026-06-01T11:15:00.000Z',
      '2026-06-01T17:15:00.000Z',
      '2026-06-01T23:15:00.000Z',
    ])
  })
})

describe('an expression', () => {
  it.each([
    '* * * * *',
    '*/5 * * * *',
    '0,30 8 * * *',
    '60 8 * * *',
    '0 24 * * *',
    '0 8 0 * *',
    '0 8 * 13 *',
    '0 8 * * 8',
    '0 8 * *',
    '0 8 * * * *',
    '0 8 30 2 *',
    '0 9-8 * * *',
    '0 8/0 * * *',
    '0 1-2-3 * * *',
    '0 1/2/3 * * *',
    '@daily',
    `0 ${'1,'.repeat(60)}1 * * *`,
    '',
  ])('%j is rejected', text => expect(parseCron(text)).toBeNull())

  it('has Sunday as 0 and as 7', () => {
    expect([...parseCron('0 8 * * 0,7')!.weekdays]).toEqual([0])
  })
})
