import { errors, ServiceError } from '@causeway/contract/errors'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Tables } from '../db/tables.js'
import type { Scope } from '../scope.js'
import { showTime } from '../show.js'
import type { Limit, Remaining } from './limit.js'

/** Thrown when a limit has been reached. Nothing was counted. */
export class LimitError extends ServiceError {
  /** The team time at which the action will be allowed again, in epoch ms. */
  readonly retryAt: number
  constructor(limit: Limit, retryAt: number, now: number) {
    super(limit.error, `${limit.sentence ?? errors[limit.error].message} Try again at ${showTime(retryAt)}.`, {
      'Retry-After': String(Math.max(1, Math.ceil((retryAt - now) / 1000))),
    })
    this.retryAt = retryAt
  }
}

/**
 * Returns a counter's key. In the sandbox, each team is counted separately because it has its own clock. The subject is
 * hashed, because it may be a phone number or a network address.
 */
function keyOf({ deps, team }: Scope, { kind }: Limit, subject: string): { kind: string; subject: string } {
  const whole = deps.environment === 'sandbox' ? `${team.id} ${subject}` : subject
  const purpose = `limit ${kind}`
  return { kind, /* mutant: code-recipients-are-hashed (argument 2) */ subject: deps.vault.hash(purpose, whole) }
}

/** Matches the counters with the given keys. */
const isOneOf = (keys: readonly { kind: string; subject: string }[]) => (is: ExpressionBuilder<Tables, 'counters'>) =>
  is.or(keys.map(key => is.and([is('kind', '=', key.kind), is('subject', '=', key.subject)])))

/** Returns the number of actions that a subject has left, without counting anything. */
export async function readRemaining(scope: Scope, limit: Limit, subject: string): Promise<Remaining> {
  const [first] = await readAllRemaining(scope, [[limit, subject]])
  return first!
}

/** Returns the number of actions left for each of several limits, in the given order. Runs one query. */
export async function readAllRemaining(
  scope: Scope,
  limits: readonly (readonly [Limit, string])[],
): Promise<Remaining[]> {
  const keys = limits.map(([limit, subject]) => keyOf(scope, limit, subject))
  const rows = await scope.db
    .selectFrom('counters')
    .select(['kind', 'subject', 'used', 'ends_at'])
    .where(isOneOf(keys))
    .where('ends_at', '>', scope.now)
    .execute()
  return limits.map(([limit], index) => {
    const key = keys[index]!
    const row = rows.find(each => each.kind === key.kind && each.subject === key.subject)
    return row
      ? { left: Math.max(0, limit.max - row.used), freeAt: row.ends_at }
      : { left: limit.max, freeAt: scope.now + limit.window }
  })
}

/**
 * Counts `acts` actions against several limits of different kinds in one statement. The engine locks the rows, so
 * simultaneous actions can't exceed a limit, even across processes.
 * @returns the number of actions left for each limit; null if a limit has too few left, in which case nothing was
 *   counted against it
 */
async function count(
  scope: Scope,
  limits: readonly (readonly [Limit, string])[],
  acts: number,
): Promise<(Remaining | null)[]> {
  const { now } = scope
  const keys = limits.map(([limit, subject]) => keyOf(scope, limit, subject))
  const cases = limits.map(([{ kind, max }]) => sql`when ${kind} then cast(${max - acts} as bigint)`)
  const rows = await scope.db
    .insertInto('counters')
    .values(limits.map(([{ window }], index) => ({ ...keys[index]!, used: acts, ends_at: now + window })))
    .onConflict(known =>
      known
        .columns(['kind', 'subject'])
        .doUpdateSet({
          used: sql<number>`case when counters.ends_at <= ${now} then ${acts} else counters.used + ${acts} end`,
          ends_at: sql<number>`case when counters.ends_at <= ${now} then excluded.ends_at else counters.ends_at end`,
        })
        .where(old =>
          old.or([
            old('counters.ends_at', '<=', now),
            old('counters.used', '<=', sql<number>`case counters.kind ${sql.join(cases, sql` `)} end`),
          ]),
        ),
    )
    .returning(['kind', 'used', 'ends_at'])
    .execute()
  return limits.map(([{ kind, max }]) => {
    const row = rows.find(each => each.kind === kind)
    return row ? { left: max - row.used, freeAt: row.ends_at } : null
  })
}

/**
 * Counts actions, one by default, if the limit allows all of them. Call it in a write transaction.
 * @returns the number of actions left, or null if too few were left, in which case nothing was counted
 */
export async function tryCount(scope: Scope, limit: Limit, subject: string, acts = 1): Promise<Remaining | null> {
  return acts > limit.max ? null : (await count(scope, [[limit, subject]], acts))[0]!
}

/**
 * Counts actions, one by default. Throws LimitError if the limit doesn't allow all of them. Call it in a write
 * transaction.
 */
export async function countAction(scope: Scope, limit: Limit, subject: string, acts = 1): Promise<Remaining> {
  const counted = await tryCount(scope, limit, subject, acts)
  if (counted) return counted
  throw new LimitError(limit, (await readRemaining(scope, limit, subject)).freeAt, scope.now)
}

/**
 * Counts one action against several limits of different kinds. If a limit doesn't allow the action, counts nothing and
 * throws a LimitError for the first such limit. Call it in a write transaction.
 * @param reserves for a limit's kind, the kind of another of the limits. An action that the second limit allows is
 *   allowed even if the first limit has been reached. The second limit itself refuses nothing
 * @returns the number of actions left for each limit; null for a limit that had been reached
 */
export async function countAgainstAll(
  scope: Scope,
  limits: readonly (readonly [Limit, string])[],
  reserves: Readonly<Record<string, string>> = {},
): Promise<(Remaining | null)[]> {
  const counts = await count(scope, limits, 1)
  const isCounted = (kind: string | undefined) => limits.some(([each], index) => each.kind === kind && counts[index])
  const isReserve = (kind: string) => Object.values(reserves).includes(kind)
  const reached = limits.find(([{ kind }]) => !isCounted(kind) && !isReserve(kind) && !isCounted(reserves[kind]))
  if (reached === undefined) return counts
  for (const [index, [limit, subject]] of limits.entries())
    if (counts[index]) await uncount(scope, limit, subject, counts[index])
  await scope.db
    .deleteFrom('counters')
    .where(isOneOf(limits.map(([limit, subject]) => keyOf(scope, limit, subject))))
    .where('used', '=', 0)
    .execute()
  throw new LimitError(reached[0], (await readRemaining(scope, ...reached)).freeAt, scope.now)
}

/**
 * Throws LimitError if the limit has been reached. Counts nothing.
 * @param known the number left, if this transaction has already read it
 */
export async function rejectIfLimitReached(
  scope: Scope,
  limit: Limit,
  subject: string,
  known?: Remaining,
): Promise<void> {
  const { left, freeAt } = known ?? (await readRemaining(scope, limit, subject))
  if (left === 0) throw new LimitError(limit, freeAt, scope.now)
}

/**
 * Subtracts an action, such as a guess that was correct or never checked, from its count. Does nothing if the action's
 * window has ended.
 */
export async function uncount(scope: Scope, limit: Limit, subject: string, counted: Remaining): Promise<void> {
  const key = keyOf(scope, limit, subject)
  await scope.db
    .updateTable('counters')
    .set(row => ({ used: row('used', '-', 1) }))
    .where('kind', '=', key.kind)
    .where('subject', '=', key.subject)
    .where('ends_at', '=', counted.freeAt)
    .where('used', '>', 0)
    .execute()
}
