import type { Scope } from '../scope.js'

/** The maximum number of lane jobs that a process runs at the same time: in total, per lane and per failing lane. */
export const laneLimits = { all: 128, lane: 8, failing: 1 }
/** The number of consecutive failed attempts after which a lane counts as failing. */
const FAILURE_THRESHOLD = 3

/** Returns true if a lane's target counts as unresponsive because of its consecutive failures. */
export const isFailing = ({ failures }: Pick<LaneState, 'failures'>): boolean => failures >= FAILURE_THRESHOLD

/** A lane with due jobs. */
export interface LaneState {
  lane: string
  failures: number
  /** The time at which the lane's first job became due. */
  oldest: number
}

/**
 * Returns the number of jobs that each lane may start now. Lanes take turns getting one job each. Failing lanes go
 * last. Among the others, the lanes with the fewest running jobs go first. Ties go to the lane that has waited longest.
 * Each failing lane gets at most one job, and all failing lanes together get at most half of the total, so that the
 * other lanes continue even if many targets hang. Pure.
 */
export function allocateSlots(
  waiting: readonly LaneState[],
  running: ReadonlyMap<string, number>,
): Map<string, number> {
  const slots = new Map<string, number>()
  const busy = (lane: string) => (running.get(lane) ?? 0) + (slots.get(lane) ?? 0)
  const sum = (lanes: Iterable<number>) => [...lanes].reduce((total, count) => total + count, 0)
  let free = laneLimits.all - sum(running.values())
  const failing = new Set(waiting.filter(isFailing).map(({ lane }) => lane))
  let freeToFail = laneLimits.all / 2 - sum([...failing].map(lane => running.get(lane) ?? 0))
  const order = [...waiting].sort(
    (a, b) =>
      Number(failing.has(a.lane)) - Number(failing.has(b.lane)) || busy(a.lane) - busy(b.lane) || a.oldest - b.oldest,
  )
  for (let hasAllocated = true; hasAllocated && free > 0; ) {
    hasAllocated = false
    for (const { lane } of order) {
      const fails = failing.has(lane)
      if (free === 0 || busy(lane) >= (fails ? laneLimits.failing : laneLimits.lane) || (fails && freeToFail <= 0))
        continue
      slots.set(lane, (slots.get(lane) ?? 0) + 1)
      free -= 1
      if (fails) freeToFail -= 1
      hasAllocated = true
    }
  }
  return slots
}

/** Creates a lane if it does not exist. */
export async function createLane({ db, team }: Pick<Scope, 'db' | 'team'>, lane: string): Promise<void> {
  await db
    .insertInto('lanes')
    .values({ lane, team_id: team.id, paused_until: 0, failures: 0 })
    .onConflict(conflict => conflict.columns(['team_id', 'lane']).doNothing())
    .execute()
}

/** Resets a lane's pause and failures, so that its waiting jobs are attempted now. */
export async function resetLane({ db, team }: Pick<Scope, 'db' | 'team'>, lane: string): Promise<void> {
  await db
    .updateTable('lanes')
    .set({ paused_until: 0, failures: 0 })
    .where('team_id', '=', team.id)
    .where('lane', '=', lane)
    .execute()
}

/**
 * Records the outcome of a job in a lane.
 * @param pausedUntil the real time before which none of the lane's jobs start
 */
export async function recordLaneOutcome(
  { db, team }: Pick<Scope, 'db' | 'team'>,
  lane: string,
  ok: boolean,
  pausedUntil = 0,
): Promise<void> {
  await db
    .updateTable('lanes')
    .set(set => ({
      failures: ok ? 0 : set('failures', '+', 1),
      paused_until: set
        .case()
        .when('paused_until', '<', pausedUntil)
        .then(pausedUntil)
        .else(set.ref('paused_until'))
        .end(),
    }))
    .where('team_id', '=', team.id)
    .where('lane', '=', lane)
    .execute()
}
