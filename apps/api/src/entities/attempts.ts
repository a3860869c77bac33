import type { Scope } from '../scope.js'
import type { EntityRow } from './entity.js'
import { dataOf, requestOf, SESSION } from './sessions.js'

/** How often a person can fail in a frame in a day, whatever tokens and sessions they come with. */
export const QUESTION_ROUNDS = 2
export const MATCH_ROUNDS = 4
const DAY = 86_400_000

export interface Attempts {
  left: number
  /** When one more is free, where none is left, ms of the team's time. */
  freeAt: number
}

/** What is left of so many in a day. Pure. @param times of those that were used, ms */
export function attempts(times: readonly number[], limit: number, now: number): Attempts {
  const recent = times.filter(at => at > now - DAY).sort((a, b) => b - a)
  return { left: Math.max(0, limit - recent.length), freeAt: (recent[limit - 1] ?? now - DAY) + DAY }
}

/** When details were typed that a match was asked for. */
export const matchTimes = (row: EntityRow): number[] => JSON.parse(row.match_times) as number[]

/** Rounds of knowledge questions that were answered wrong, or whose answer is being judged: of all sessions together. */
export async function questionAttempts(scope: Scope, entity: EntityRow): Promise<Attempts> {
  // Whoever is proven, or nobody yet, is asked nothing.
  if (entity.matched === 0 || entity.identity_verified_at !== null) return attempts([], QUESTION_ROUNDS, scope.now)
  const rows = await scope.db
    .selectFrom('records')
    .selectAll()
    .where('holder_id', '=', entity.id)
    .where('product', '=', SESSION)
    .where('status', '!=', 'verified')
    .where('updated_at', '>', scope.now - DAY)
    .execute()
  const rounds = rows.filter(row => requestOf(row).method === 'kba')
  const times = rounds.flatMap(row => Array.from({ length: dataOf(row).tries }, () => row.updated_at))
  return attempts(times, QUESTION_ROUNDS, scope.now)
}
