/**
 * Computes the times, in Chicago time, at which a payment's status changes. Callers pass dates already adjusted to
 * business days.
 */
import { DAY_MS, HOUR_MS } from '@causeway/contract/time'
import { timetable } from './tables/inputs.js'

const clock = new Intl.DateTimeFormat('en-US', { timeZone: timetable.zone, hour: 'numeric', hourCycle: 'h23' })

/**
 * Returns a time of day (`10:30`) on a date (`YYYY-MM-DD`) in Chicago, in epoch milliseconds. Accurate only from 3 a.m.
 * onward, because daylight saving time starts and ends at 2 a.m.
 */
export function inChicago(date: string, time: string): number {
  const evening = Date.parse(`${date}T18:00:00.000Z`)
  const behind = 18 - Number(clock.format(evening))
  return Date.parse(`${date}T${time}:00.000Z`) + behind * HOUR_MS
}

/**
 * Returns a date's first window that starts at or after a given time. If there is none, returns the date's last window.
 */
export function windowOn(date: string, notBefore: number): number {
  const windows = timetable.windows.map(time => inChicago(date, time))
  return windows.find(at => at >= notBefore) ?? windows.at(-1)!
}

/** Returns the date that is `days` days after another date, as `YYYY-MM-DD`. */
export function daysAfter(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00.000Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** Returns the day of the month, in UTC. */
export const dayOf = (at: number): number => new Date(at).getUTCDate()

/** Returns the date as `YYYY-MM-DD`, in UTC. */
export const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10)
