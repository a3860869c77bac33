/** The time within which a part of some events was done. Pure. @param times how many took each number of ms */
export function percentile(times: ReadonlyMap<number, number>, part: number): number {
  const total = [...times.values()].reduce((sum, count) => sum + count, 0)
  let seen = 0
  for (const ms of [...times.keys()].sort((one, other) => one - other)) {
    seen += times.get(ms)!
    if (seen >= total * part) return ms
  }
  return 0
}
