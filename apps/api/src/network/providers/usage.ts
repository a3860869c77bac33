import { UnknownMethodError } from '@causeway/connector/http/exchange'
import { endpointsByPath } from '@causeway/connector/methods/contract'
import { OutsideError } from '@causeway/connector/ports/outside-error'
import { RejectedKeyError } from '@causeway/connector/provider/guarded-fetch'
import { HOUR_MS, SECOND_MS } from '@causeway/contract/time'
import type { Store } from '../../platform/db/types.js'
import { describeFault, type Log } from '../../platform/log.js'
import type { ProviderFailure, ProviderUsage } from '../ports.js'

interface UsageDeps {
  store: Store
  log: Log
  /** The real time, in epoch milliseconds. */
  clock(): number
}

/** The interval at which a process stores its counts, in ms. */
const FLUSH_INTERVAL_MS = 10 * SECOND_MS

interface Counts {
  provider: string
  /** The start of the hour, in epoch milliseconds. */
  hour: number
  calls: number
  failures: number
  hooks: number
  failure: { kind: ProviderFailure; path: string; at: number } | null
}

/** Returns the start of an hour. */
const hourOf = (at: number): number => at - (at % HOUR_MS)

/** Returns the kind of an error, or null for a method that the provider may lack. */
function failureOf(path: string, error: unknown): ProviderFailure | null {
  if (error instanceof RejectedKeyError) return 'rejected_key'
  if (error instanceof UnknownMethodError)
    return endpointsByPath.get(path)?.method.absent === undefined ? 'unknown_method' : null
  if (!(error instanceof OutsideError)) return 'internal'
  if (!error.retryable) return 'refused'
  return error.outcome === 'nothing' ? 'busy' : 'no_answer'
}

/** Adds counts to those that a process has not stored yet. The later failure stays. */
function addCounts(counts: Map<string, Counts>, { provider, hour, calls, failures, hooks, failure }: Counts): void {
  const key = `${provider} ${hour}`
  const sum = counts.get(key) ?? { provider, hour, calls: 0, failures: 0, hooks: 0, failure: null }
  counts.set(key, {
    ...sum,
    calls: sum.calls + calls,
    failures: sum.failures + failures,
    hooks: sum.hooks + hooks,
    failure: (failure?.at ?? -1) >= (sum.failure?.at ?? -1) ? failure : sum.failure,
  })
}

const storeCounts = (store: Store, counts: Iterable<Counts>) =>
  store.write(tx =>
    tx
      .insertInto('provider_usage')
      .values(
        [...counts].map(({ provider, hour, calls, failures, hooks, failure }) => ({
          ...{ provider, hour, calls, failures, hooks },
          ...{ failed_at: failure?.at ?? null, failure: failure?.kind ?? null, failed_path: failure?.path ?? null },
        })),
      )
      .onConflict(conflict =>
        conflict.columns(['provider', 'hour']).doUpdateSet(row => {
          // Processes don't store their counts in the order of their failures.
          const isLater = row(
            row.fn.coalesce('excluded.failed_at', row.lit(0)),
            '>=',
            row.fn.coalesce('provider_usage.failed_at', row.lit(0)),
          )
          const later = <Column extends 'failed_at' | 'failure' | 'failed_path'>(column: Column) =>
            row
              .case()
              .when(isLater)
              .then(row.ref(`excluded.${column}`))
              .else(row.ref(`provider_usage.${column}`))
              .end()
          const sum = (column: 'calls' | 'failures' | 'hooks') =>
            row(`provider_usage.${column}`, '+', row.ref(`excluded.${column}`))
          return {
            ...{ calls: sum('calls'), failures: sum('failures'), hooks: sum('hooks') },
            ...{ failed_at: later('failed_at'), failure: later('failure'), failed_path: later('failed_path') },
          }
        }),
      )
      .execute(),
  )

/** Counts calls in memory, and stores the sums by provider and hour, where the processes' counts add up. */
export function createProviderUsage({ store, log, clock }: UsageDeps): ProviderUsage {
  let waiting = new Map<string, Counts>()
  let running: Promise<void> | null = null

  const count = (counts: Omit<Counts, 'hour'>) => addCounts(waiting, { ...counts, hour: hourOf(clock()) })

  async function flush(): Promise<void> {
    if (waiting.size === 0) return
    const counts = waiting
    waiting = new Map()
    try {
      await storeCounts(store, counts.values())
    } catch (error) {
      for (const each of counts.values()) addCounts(waiting, each)
      log('warn', 'provider_usage_not_stored', describeFault(error))
    }
  }

  return {
    countCall(provider, path, error) {
      const kind = error === undefined ? null : failureOf(path, error)
      count({
        ...{ provider, calls: 1, failures: kind === null ? 0 : 1, hooks: 0 },
        failure: kind && { kind, path, at: clock() },
      })
    },
    countHook: provider => count({ provider, calls: 0, failures: 0, hooks: 1, failure: null }),
    flush,
    start() {
      const timer = setInterval(() => {
        running ??= flush().finally(() => {
          running = null
        })
      }, FLUSH_INTERVAL_MS)
      timer.unref()
      return async () => {
        clearInterval(timer)
        await running
        await flush()
      }
    },
  }
}
