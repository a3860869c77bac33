/** When a payment moves, in Chicago time. Business days are the caller's: the dates of a payment are given. */
import { timetable } from './inputs.js'

const day = 86_400_000
const clock = new Intl.DateTimeFormat('en-US', { timeZone: timetable.zone, hour: 'numeric', hourCycle: 'h23' })

/** A time of day (`10:30`) on a date (`YYYY-MM-DD`) in Chicago, epoch milliseconds. Good from 03:00 on, when clocks have changed. */
export function inChicago(date: string, time: string): number {
  const evening = Date.parse(`${date}T18:00:00.000Z`)
  const behind = 18 - Number(clock.format(evening))
  return Date.parse(`${date}T${time}:00.000Z`) + behind * 3_600_000
}

/** The first window on a date that is not before a time; the last one of that date where none is left. */
export function windowOn(date: string, notBefore: number): number {
  const windows = timetable.windows.map(time => inChicago(date, time))
  return windows.find(at => at >= notBefore) ?? windows.at(-1)!
}

/** The date that many days after a date, `YYYY-MM-DD`. */
export function daysAfter(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00.000Z`) + days * day).toISOString().slice(0, 10)
}

export const HOUR = 3_600_000
export const DAY = 24 * HOUR

/** The day of the month of a time, UTC. */
export const dayOf = (at: number): number => new Date(at).getUTCDate()

/** The day of a time, UTC, as `YYYY-MM-DD`. */
export const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10)
