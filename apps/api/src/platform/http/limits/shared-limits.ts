import { randomText } from '../../crypto/random.js'
import type { Store } from '../../db/types.js'
import { describeFault, type Log } from '../../log.js'
import type { Limits, Told } from './limits.js'

interface Deps {
  readonly store: Store
  readonly clock: () => number
  readonly log: Log
  readonly limits: Limits
}

const KIND = 'requests'
/**
 * The interval between exchanges, in ms. A limit can be exceeded by as many requests as the processes accept during one
 * interval.
 */
const EXCHANGE_INTERVAL_MS = 1_000
/**
 * The time for which a shared count stays valid, in ms. Counts from a process that has ended are ignored after that
 * time.
 */
const COUNT_LIFETIME_MS = 10_000
/** The maximum number of subjects that a process shares in one exchange. */
const MAX_SHARED_SUBJECTS = 500

/** Writes this process's counts to the store. @returns the counts of the other processes */
async function exchange({ store, clock, limits }: Deps, process: string): Promise<Told[]> {
  const now = clock()
  const ownCounts = limits.tell().slice(0, MAX_SHARED_SUBJECTS)
  if (ownCounts.length > 0)
    await store.write(tx =>
      tx
        .insertInto('counters')
        .values(
          ownCounts.map(({ name, used, blockedUntil }) => ({
            kind: KIND,
            subject: `${name}/${process}`,
            // A negative count means that the subject is rejected until `ends_at`.
            used: blockedUntil > 0 ? -1 : used,
            ends_at: blockedUntil > 0 ? blockedUntil : now + COUNT_LIFETIME_MS,
          })),
        )
        .onConflict(known =>
          known
            .columns(['kind', 'subject'])
            .doUpdateSet(row => ({ used: row.ref('excluded.used'), ends_at: row.ref('excluded.ends_at') })),
        )
        .execute(),
    )
  const rows = await store.reader
    .selectFrom('counters')
    .select(['subject', 'used', 'ends_at'])
    .where('kind', '=', KIND)
    .where('ends_at', '>', now)
    .limit(4 * MAX_SHARED_SUBJECTS)
    .execute()
  return rows
    .filter(row => !row.subject.endsWith(`/${process}`))
    .map(({ subject, used, ends_at }) => ({
      name: subject.slice(0, subject.lastIndexOf('/')),
      used: Math.max(0, used),
      blockedUntil: used < 0 ? ends_at : 0,
    }))
}

/**
 * Shares rate limit counts, once a second, between the processes that use one PostgreSQL database. While the store is
 * unavailable, each process uses only its own counts.
 * @returns a function that stops sharing and waits for any running exchange to end
 */
export function shareLimits(deps: Deps, every: number = EXCHANGE_INTERVAL_MS): () => Promise<void> {
  const process = randomText(8)
  let isFailing = false
  let running: Promise<void> | null = null
  const once = async () => {
    try {
      deps.limits.hear(await exchange(deps, process))
      isFailing = false
    } catch (error) {
      deps.limits.hear([])
      if (!isFailing) deps.log('warn', 'limits_not_shared', describeFault(error))
      isFailing = true
    }
  }
  const timer = setInterval(() => {
    // Only one exchange runs at a time. Otherwise, exchanges would accumulate while the store is slow, then all run at
    // once and delay shutdown.
    running ??= once().finally(() => {
      running = null
    })
  }, every)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
