/**
 * Returns the time within which a given fraction of events completed. Pure.
 * @param times the number of events by duration in ms
 */
export function percentile(times: ReadonlyMap<number, number>, fraction: number): number {
  const total = [...times.values()].reduce((sum, count) => sum + count, 0)
  let count = 0
  for (const ms of [...times.keys()].sort((one, other) => one - other)) {
    count += times.get(ms)!
    if (count >= total * fraction) return ms
  }
  return 0
}

/**
 * Rounds a duration in ms to a representative value. Durations that round to the same value differ by at most about
 * 20%, so there are few distinct values. Pure.
 */
export function timeClass(ms: number): number {
  const whole = Math.round(ms)
  if (whole < 6) return Math.max(0, whole)
  return Math.round(1.2 ** Math.round(Math.log(whole) / Math.log(1.2)))
}
