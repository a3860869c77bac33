/**
 * `isAwaited` is true if a caller waits for the job. Awaited jobs don't use the capacity for other jobs. `work`
 * resolves to true if the job has ended.
 */
export interface Running {
  team: string
  lane: string | null
  isAwaited: boolean
  work: Promise<boolean>
}

type RunningJobs = ReadonlyMap<string, Running>

/** Returns the jobs that have no lane and no waiting caller. */
export const backgroundJobs = (running: RunningJobs): Running[] =>
  [...running.values()].filter(each => each.lane === null && !each.isAwaited)

/** Returns the number of jobs that this process is running in each lane. */
export function countByLane(running: RunningJobs): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { lane } of running.values()) if (lane !== null) counts.set(lane, (counts.get(lane) ?? 0) + 1)
  return counts
}
