import { DAY_MS } from '@causeway/contract/time'
import { recordActions } from '../../platform/audit/store.js'
import { requireScope } from '../../platform/http/endpoint/scopes.js'
import { countAction, LimitError, rejectIfLimitReached } from '../../platform/limits/counters.js'
import type { Limit } from '../../platform/limits/limit.js'
import type { Ctx, Read, Scope } from '../../platform/scope.js'
import { loadTreeCeilings } from './grants.js'

/**
 * Actions that show an SSN or a full account number. Each maps to true if it counts toward the daily limit. A response
 * doesn't count if it only repeats a number that the request contained.
 */
const isCountedByAction: ReadonlyMap<string, boolean> = new Map([
  ['account.number.create', false],
  ['account.number.read', true],
  ['file.read', true],
  ['identity.read', true],
  ['managed_account.read', true],
  ['payment_instrument.read', true],
  ['sensitive.read', true],
])

/** Returns true if an audited action shows an SSN or a full account number. */
export const showsFullNumber = (action: string): boolean => isCountedByAction.has(action)

/** A daily limit on reads, and the subject to which it applies. */
interface ReadLimit {
  limit: Limit
  subject: string
}

const createReadLimit = (kind: string, max: number, rule: string, subject: string): ReadLimit => ({
  limit: {
    kind,
    max,
    window: DAY_MS,
    error: 'TOO_MANY_REQUESTS',
    sentence: `Too many SSNs and full account numbers were read. ${rule}`,
  },
  subject,
})

/**
 * Returns the daily limits on reads: the ceilings that the team shares with its tree, and the team's own limit.
 */
async function loadReadLimits({ deps, team, db }: Scope): Promise<ReadLimit[]> {
  const ceilings = await loadTreeCeilings(db, deps.environment, team.path, 'sensitive_reads_per_day')
  const teamLimit = team.settings.limits.sensitive_reads_per_day
  return [
    ...ceilings.map(({ path, limit }) =>
      createReadLimit(
        'sensitive_read_tree',
        limit,
        `All teams in the tree share a limit of ${limit} per day.`,
        path.at(-1)!,
      ),
    ),
    ...(teamLimit === null
      ? []
      : [createReadLimit('sensitive_read', teamLimit, `The team can read ${teamLimit} per day.`, team.id)]),
  ]
}

/** The operator is alerted when at most this fraction of a day's reads remains. */
const ALERT_FRACTION = 0.2

/** Logs that a team's reads of SSNs and full numbers are near or at their limit. A leaked key may be the cause. */
const alertOperator = ({ deps, team }: Scope, state: 'near' | 'reached'): void =>
  deps.log('warn', `sensitive_reads_${state}`, {
    team_id: team.id,
    ...(deps.requestId !== undefined && { request_id: deps.requestId }),
  })

/** Checks a limit, and alerts the operator if the limit is reached. */
async function withAlert<T>(scope: Scope, check: () => Promise<T>): Promise<T> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof LimitError) alertOperator(scope, 'reached')
    throw error
  }
}

/**
 * Counts reads of SSNs and full numbers, and alerts the operator when few remain. Throws TOO_MANY_REQUESTS. Must be
 * called inside a write transaction.
 */
export async function countReads(scope: Scope, count: number): Promise<void> {
  for (const { limit, subject } of await loadReadLimits(scope)) {
    const { left } = await withAlert(scope, () => countAction(scope, limit, subject, count))
    const alertBelow = limit.max * ALERT_FRACTION
    if (left <= alertBelow && left + count > alertBelow) alertOperator(scope, 'near')
  }
}

/**
 * Records in the audit log that a response shows sealed values. Uses the request's transaction, or a new one if the
 * request only reads. Reading an SSN or a full number requires the `sensitive` scope, and most such reads count toward
 * the daily limits. Throws FORBIDDEN or TOO_MANY_REQUESTS.
 */
export async function auditReads(ctx: Ctx, action: string, resources: readonly string[]): Promise<void> {
  if (resources.length === 0) return
  const isCounted = isCountedByAction.get(action)
  if (isCounted !== undefined) requireScope(ctx.scopes, 'sensitive')
  const record = async (tx: Ctx['db']) => {
    const { deps, team, now, after } = ctx
    if (isCounted) await countReads({ deps, team, now, after, db: tx }, resources.length)
    await recordActions(ctx, tx, ctx.actor, action, resources)
  }
  if (ctx.db !== ctx.deps.store.reader) await record(ctx.db)
  else await ctx.deps.store.write(record)
  ctx.reads.push({ action, resources, sensitive: isCounted !== undefined })
}

/**
 * Throws TOO_MANY_REQUESTS if a limit on reads has been reached. Call this before requesting a number from the network.
 */
export async function checkReads(ctx: Ctx): Promise<void> {
  for (const { limit, subject } of await loadReadLimits(ctx))
    await withAlert(ctx, () => rejectIfLimitReached(ctx, limit, subject))
}

/**
 * Checks a write request that expands fields containing SSNs or full numbers. Call this before the write takes effect,
 * because the numbers are read after the commit. Throws FORBIDDEN or TOO_MANY_REQUESTS.
 * @param expanded the names of the fields, as in `expand[]`
 */
export async function checkExpand(ctx: Ctx, expanded: ReadonlySet<string>): Promise<void> {
  if (![...expanded].some(name => showsFullNumber(`${name.split('.').at(-1)}.read`))) return
  requireScope(ctx.scopes, 'sensitive')
  await checkReads(ctx)
}

/** Records the reads in a replayed response without counting them again. */
export async function auditReplay(
  base: Omit<Ctx, 'db' | 'now' | 'after' | 'input' | 'prepared' | 'reads'>,
  reads: readonly Read[],
): Promise<void> {
  const { deps, team, actor } = base
  await deps.store.write(async db => {
    const scope = { deps, team, now: deps.clock() + team.clockOffset, db, after() {} }
    for (const { action, resources } of reads) await recordActions(scope, db, actor, action, resources)
  })
}
