import type { Scope } from '../scope.js'

/** Jobs of lanes that run at once in a process; of one lane; of one that fails. */
export const bounds = { all: 128, lane: 8, failing: 1 }
/** Attempts in a row that came to nothing before a lane counts as failing. */
const FAILING = 3

/** True if that many attempts in a row show that the target of a lane is not there. */
export const isFailing = ({ failures }: Pick<LaneState, 'failures'>): boolean => failures >= FAILING

/** A lane with work to do. */
export interface LaneState {
  lane: string
  failures: number
  /** When its first job became due. */
  oldest: number
}

/**
 * The number of jobs each lane may begin now: one each in turns, those first that have the fewest running and wait
 * longest. Lanes that fail have one at a time and together at most half of all, so that however many of them hang, the
 * others continue. Pure.
 */
export function share(waiting: readonly LaneState[], running: ReadonlyMap<string, number>): Map<string, number> {
  const given = new Map<string, number>()
  const busy = (lane: string) => (running.get(lane) ?? 0) + (given.get(lane) ?? 0)
  const sum = (lanes: Iterable<number>) => [...lanes].reduce((total, count) => total + count, 0)
  let free = bounds.all - sum(running.values())
  const failing = new Set(waiting.filter(isFailing).map(({ lane }) => lane))
  let freeToFail = bounds.all / 2 - sum([...failing].map(lane => running.get(lane) ?? 0))
  const turns = [...waiting].sort(
    (a, b) =>
      Number(failing.has(a.lane)) - Number(failing.has(b.lane)) || busy(a.lane) - busy(b.lane) || a.oldest - b.oldest,
  )
  for (let more = true; more && free > 0; ) {
    more = false
    for (const { lane } of turns) {
      const fails = failing.has(lane)
      if (free === 0 || busy(lane) >= (fails ? bounds.failing : bounds.lane) || (fails && freeToFail <= 0)) continue
      given.set(lane, (given.get(lane) ?? 0) + 1)
      free -= 1
      if (fails) freeToFail -= 1
      more = true
    }
  }
  return given
}

/** Makes a lane if it does not exist. */
export async function openLane({ db, team }: Pick<Scope, 'db' | 'team'>, lane: string): Promise<void> {
  await db
    .insertInto('lanes')
    .values({ lane, team_id: team.id, paused_until: 0, failures: 0 })
    .onConflict(conflict => conflict.columns(['team_id', 'lane']).doNothing())
    .execute()
}

/** Resets a lane: whatever its pauses and failures, its waiting jobs are tried now. */
export async function freeLane({ db, team }: Pick<Scope, 'db' | 'team'>, lane: string): Promise<void> {
  await db
    .updateTable('lanes')
    .set({ paused_until: 0, failures: 0 })
    .where('team_id', '=', team.id)
    .where('lane', '=', lane)
    .execute()
}

/** Records the outcome of a job of the lane. @param pausedUntil real time: nothing of the lane begins before */
export async function noteLane(
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
