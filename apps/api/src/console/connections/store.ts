import { HOUR_MS } from '@causeway/contract/time'
import type { ProviderFailure } from '../../network/ports.js'
import type { Db } from '../../platform/db/types.js'

/** The sums of a provider's calls over a period. */
export interface Usage {
  calls: number
  failures: number
  hooks: number
  last: { at: number; kind: ProviderFailure; path: string } | null
}

const noUsage: Usage = { calls: 0, failures: 0, hooks: 0, last: null }

/** Adds up the hours since a time. @returns a function that returns a provider's sums */
export async function readUsage(
  db: Db,
  providers: readonly string[],
  since: number,
): Promise<(provider: string) => Usage> {
  const sums = new Map<string, Usage>()
  if (providers.length === 0) return () => noUsage
  const rows = await db
    .selectFrom('provider_usage')
    .selectAll()
    .where('provider', 'in', providers)
    .where('hour', '>', since - HOUR_MS)
    .orderBy('hour')
    .execute()
  for (const { provider, calls, failures, hooks, failed_at, failure, failed_path } of rows) {
    const sum = sums.get(provider) ?? noUsage
    sums.set(provider, {
      calls: sum.calls + calls,
      failures: sum.failures + failures,
      hooks: sum.hooks + hooks,
      last:
        failed_at === null ? sum.last : { at: failed_at, kind: failure as ProviderFailure, path: failed_path ?? '' },
    })
  }
  return provider => sums.get(provider) ?? noUsage
}

/** Returns the stored states of these providers, by name. */
export async function findStates(db: Db, providers: readonly string[]) {
  if (providers.length === 0) return new Map<string, never>()
  const rows = await db.selectFrom('provider_states').selectAll().where('provider', 'in', providers).execute()
  return new Map(rows.map(row => [row.provider, row] as const))
}

/** The maximum number of a payment's objects that are shown. Most payments have one or two. */
const MAX_OBJECTS = 20

/** Finds the provider's objects of a payment and of its reversals, oldest first. */
export async function findObjects(db: Db, team: string, payment: string) {
  const reversals = await db
    .selectFrom('reversals')
    .select('id')
    .where('team_id', '=', team)
    .where('payment_id', '=', payment)
    .limit(MAX_OBJECTS)
    .execute()
  return db
    .selectFrom('provider_objects')
    .select(['provider', 'kind', 'resource_id', 'external_id', 'created_at'])
    .where('team_id', '=', team)
    .where('resource_id', 'in', [payment, ...reversals.map(({ id }) => id)])
    .orderBy('created_at')
    .orderBy('external_id')
    .limit(MAX_OBJECTS)
    .execute()
}

/** Returns a function that returns the id of the account that a person shares under the network's reference, if any. */
export async function findSharedAccounts(
  db: Db,
  team: string,
  holders: readonly string[],
): Promise<(holder: string, reference: string) => string | undefined> {
  if (holders.length === 0) return () => undefined
  const rows = await db
    .selectFrom('accounts')
    .select(['id', 'holder_id', 'reference'])
    .where('team_id', '=', team)
    .where('holder_id', 'in', holders)
    .where('reference', 'is not', null)
    .where('awaits_consent', 'is', null)
    .execute()
  const ids = new Map(rows.map(({ id, holder_id, reference }) => [`${holder_id} ${reference}`, id]))
  return (holder, reference) => ids.get(`${holder} ${reference}`)
}
