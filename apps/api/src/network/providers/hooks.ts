import { createGuardedFetch } from '@causeway/connector/provider/guarded-fetch'
import type { Hook, LinkedResource } from '@causeway/connector/provider/provider'
import { MINUTE_MS } from '@causeway/contract/time'
import type { Db, Store } from '../../platform/db/types.js'
import { enqueueLook } from '../../platform/jobs/enqueue-look.js'
import type { Log } from '../../platform/log.js'
import { type Deps, transact } from '../../platform/scope.js'
import { assertIncoming, receiveIncoming } from '../connectors/pushes.js'
import type { ProviderUsage } from '../ports.js'
import type { ConfiguredProvider } from './host.js'

/** The path on the API listener that receives a provider's webhooks. */
export const hookPath = (provider: string): string => `/hooks/${provider}`

/** A transaction that records a webhook, and reports what it changed. */
interface HookScope {
  db: Db
  /** Reports that a resource of the team may have changed. */
  report(resource: LinkedResource): Promise<void>
}

export interface HookDeps {
  readonly store: Pick<Store, 'reader'>
  readonly log: Log
  readonly providerUsage: Pick<ProviderUsage, 'countHook'>
  /** The real time, in epoch milliseconds. */
  readonly clock: () => number
  /** Sends the requests of a provider that looks up the keys of its signatures. */
  readonly fetch?: typeof fetch
  /** Runs a transaction for a team. Does nothing if the team does not exist. */
  inTeam(team: string, work: (scope: HookScope) => Promise<void>): Promise<void>
}

/** The job that reads the state of each kind of resource, and the field of the resource's id in its payload. */
const looks: Partial<Record<LinkedResource['kind'], readonly [string, string]>> = {
  payment: ['payment.look', 'payment'],
  reversal: ['reversal.look', 'reversal'],
  session: ['avf.look', 'record'],
  link: ['link.look', 'link'],
}

/** Reports changes to the jobs that read the resources. */
export const reportToJobs = (deps: Deps): HookDeps => ({
  store: deps.store,
  log: deps.log,
  providerUsage: deps.providerUsage,
  clock: deps.clock,
  async inTeam(id, work) {
    const team = await deps.teamOf(id)
    if (!team) return
    await transact(deps, team, scope =>
      work({
        db: scope.db,
        async report({ kind, id: resource }) {
          const look = looks[kind]
          if (look) await enqueueLook(scope, look[0], [look[1], resource])
        },
      }),
    )
  },
})

/**
 * Receives a provider's webhook: verifies it before parsing, and processes each id once. A webhook only says which
 * objects may have changed. Jobs then read their state, so it does not matter if webhooks arrive out of order, more than
 * once or not at all.
 */
export const receiveHook = (
  deps: HookDeps,
  configured: ConfiguredProvider,
  request: Request,
  countRejected: () => void = () => {},
): Promise<Response> =>
  receiveIncoming(deps, request, countRejected, async body => {
    const { provider, settings } = configured
    const hook: Hook = { headers: request.headers, url: request.url, body }
    // mutant: hook-is-signed (true)
    const isSigned = await provider.hooks!.verify(hook, settings, deps.clock(), createHookFetch(configured, deps.fetch))
    assertIncoming(isSigned, 401, 'INVALID_SIGNATURE')
    deps.providerUsage.countHook(provider.name)
    const report = provider.hooks!.read(hook)
    return report === null ? 'ignored' : processReport(deps, provider.name, report)
  })

/** The time limit for looking up the key of a signature, in ms. The sender of the webhook waits for it. */
const KEY_TIMEOUT_MS = 5_000

const createHookFetch = ({ provider, settings }: ConfiguredProvider, send: typeof fetch = fetch) =>
  createGuardedFetch({
    title: provider.title,
    hosts: provider.hosts(settings),
    timeoutMs: KEY_TIMEOUT_MS,
    fetch: send,
  })

/** @returns `duplicate` if the service has already received the webhook, `unknown` if none of its objects is known */
async function processReport(
  deps: HookDeps,
  provider: string,
  { id, changed }: { id: string; changed: readonly string[] },
): Promise<'accepted' | 'duplicate' | 'unknown'> {
  const objects = await findObjects(deps.store.reader, provider, changed)
  if (objects.length === 0) return 'unknown'
  const teams = [...new Set(objects.map(({ team_id }) => team_id))]
  let isNew = false
  for (const team of teams)
    await deps.inTeam(team, async ({ db, report }) => {
      // The last team's transaction records the webhook, so an interrupted one is processed again.
      if (team === teams.at(-1) && !(await recordHook(db, provider, id, deps.clock()))) return
      isNew = true
      for (const { kind, resource_id } of objects.filter(({ team_id }) => team_id === team))
        await report({ kind, id: resource_id })
    })
  return isNew ? 'accepted' : 'duplicate'
}

/** Finds the resources of a provider's objects, whichever team they belong to: a webhook does not name the team. */
const findObjects = (db: Db, provider: string, externalIds: readonly string[]) =>
  db
    .selectFrom('provider_objects')
    .select(['team_id', 'kind', 'resource_id'])
    .where('external_id', 'in', externalIds.length > 0 ? externalIds : [''])
    .where('provider', '=', provider)
    .execute()

/** Returns false if the webhook was received before. Also notes the time, which shows that webhooks arrive. */
async function recordHook(db: Db, provider: string, id: string, now: number): Promise<boolean> {
  const inserted = await db
    .insertInto('provider_hooks')
    .values({ provider, id, received_at: now })
    .onConflict(conflict => conflict.columns(['provider', 'id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  // mutant: hook-counts-once (remove)
  if (!inserted) return false
  await db
    .insertInto('provider_states')
    .values({ provider, rejected_key_at: null, hook_at: now })
    .onConflict(conflict =>
      conflict
        .column('provider')
        .doUpdateSet({ hook_at: now })
        .where(row =>
          row.or([row('provider_states.hook_at', 'is', null), row('provider_states.hook_at', '<', now - MINUTE_MS)]),
        ),
    )
    .execute()
  return true
}
