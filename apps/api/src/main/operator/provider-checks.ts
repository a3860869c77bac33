import { endpointsByPath, STATEMENT_PATH } from '@causeway/connector/methods/contract'
import { OutsideError } from '@causeway/connector/ports/outside-error'
import { createGuardedFetch, RejectedKeyError } from '@causeway/connector/provider/guarded-fetch'
import { DAY_MS } from '@causeway/contract/time'
import { readReconciliationHealth } from '../../money/reconciliation/all-teams.js'
import { type Capability, describeCapabilities } from '../../network/capabilities/capabilities.js'
import { kindNames } from '../../network/capabilities/needs.js'
import { readLatestCapabilities } from '../../network/connectors/capabilities.js'
import type { ConfiguredProvider } from '../../network/providers/host.js'
import { payRoutesOf } from '../../network/providers/open.js'
import { createServedRoutes } from '../../network/providers/routing.js'
import type { Store } from '../../platform/db/types.js'
import type { Config } from '../config.js'
import type { CheckResult } from './doctor-checks.js'

type NamedResult = CheckResult & { name: string }

/** The time limit for one request, in ms. */
const REQUEST_TIMEOUT_MS = 10_000
/** The time without a webhook after which a provider that has payments under way is reported. */
const HOOK_SILENCE_MS = 3 * DAY_MS
/** The time without a complete comparison of a statement after which the provider is reported. */
const STATEMENT_SILENCE_MS = 2 * DAY_MS
/** The age after which an unhandled notice of a bank is no longer reported. */
const NOTICE_DAYS = 60
/** The number of latest payments whose merchants must have a payee. */
const MAX_PAYMENTS = 2_000

/** Checks the providers in this process: their settings, their webhooks, and the payees that payments need. */
export async function* checkProviders(
  config: Config,
  store: Store,
  now: number,
  send: typeof fetch = fetch,
): AsyncGenerator<NamedResult> {
  for (const configured of config.providers) yield* checkConfigured(configured, config.environment, store, now, send)
  const connector = await readLatestCapabilities(store)
  if (payRoutesOf(config, connector).length > 0) yield await checkPayees(store, now)
  yield* checkNotices(store, now)
  const withStatements = config.providers.flatMap(({ provider }) => (provider.statement ? provider.name : []))
  if (connector.paths()?.has(STATEMENT_PATH)) withStatements.push('connector')
  yield* checkReconciliation(withStatements, store, now)
  // Only the sandbox simulates.
  const missing = describeCapabilities(createServedRoutes(config.routes, connector.paths)()).filter(
    ({ kind, unserved }) =>
      kind !== 'simulation' && unserved.some(path => !('absent' in endpointsByPath.get(path)!.method)),
  )
  if (missing.length > 0) yield { ...{ name: 'providers', level: 'warning' }, message: describeMissing(missing) }
}

function describeMissing(missing: readonly Capability[]): string {
  const paths = [...new Set(missing.flatMap(({ unserved }) => unserved))].sort()
  const names = missing.map(({ kind, name }) => `${name} (${kindNames[kind]})`).sort()
  return `No provider serves ${paths.join(', ')}. Not offered: ${names.join(', ')}. To offer them, add a provider to PROVIDERS, such as connector.`
}

/** Checks one provider in this process: its settings and its webhooks. */
export async function* checkConfigured(
  configured: ConfiguredProvider,
  environment: Config['environment'],
  store: Store,
  now: number,
  send: typeof fetch = fetch,
): AsyncGenerator<NamedResult> {
  const { name, title, proven } = configured.provider
  for await (const result of checkProvider(configured, now, send)) yield { name, ...result }
  if (proven.level !== 'live' && environment === 'production')
    yield {
      ...{ name, level: 'warning' },
      message: `${title} is proven with ${proven.level === 'emulator' ? 'an emulator' : "the provider's sandbox"} only (${proven.on}). Make a small first payment, and follow it to the end before you make more.`,
    }
  yield* checkHooks(configured, store, now)
}

async function* checkProvider(
  { provider, settings }: ConfiguredProvider,
  now: number,
  send: typeof fetch,
): AsyncGenerator<CheckResult> {
  const { title } = provider
  const guarded = createGuardedFetch({
    title,
    hosts: provider.hosts(settings),
    timeoutMs: REQUEST_TIMEOUT_MS,
    fetch: send,
  })
  try {
    yield* provider.check({ settings, fetch: guarded, now: () => now })
  } catch (error) {
    if (error instanceof RejectedKeyError)
      yield {
        level: 'problem',
        message: `${title} rejected the credentials. Check ${secretsOf(provider.settings).join(' and ')}.`,
      }
    else if (error instanceof OutsideError)
      yield { level: 'problem', message: `${error.message} Check the provider's address and this machine's network.` }
    else throw error
  }
}

const secretsOf = (settings: ConfiguredProvider['provider']['settings']) =>
  Object.entries(settings as Record<string, { isSecret: boolean }>).flatMap(([name, { isSecret }]) =>
    isSecret ? [name] : [],
  )

async function* checkHooks({ provider }: ConfiguredProvider, store: Store, now: number): AsyncGenerator<NamedResult> {
  const { name, title } = provider
  const state = await store.reader
    .selectFrom('provider_states')
    .select(['rejected_key_at', 'hook_at'])
    .where('provider', '=', name)
    .executeTakeFirst()
  if (state?.rejected_key_at != null)
    yield {
      ...{ name, level: 'problem' },
      message: `${title} rejected the service's credentials at ${new Date(state.rejected_key_at).toISOString()}, and has accepted none since. Check ${secretsOf(provider.settings).join(' and ')}, then restart the service.`,
    }
  if (!provider.hooks) return
  const latest = await store.reader
    .selectFrom('provider_objects')
    .select(store.reader.fn.max('created_at').as('at'))
    .where('team_id', 'in', teams => teams.selectFrom('teams').select('id'))
    .where('provider', '=', name)
    .executeTakeFirst()
  const sentAt = latest?.at ?? null
  if (sentAt !== null && Number(sentAt) > (state?.hook_at ?? 0) + HOOK_SILENCE_MS && Number(sentAt) < now)
    yield {
      ...{ name, level: 'warning' },
      message: `No webhook of ${title} has arrived for three days, although payments were sent. Nothing is lost, but payments are updated late. Check that ${title} calls {API_ORIGIN}/hooks/${name}.`,
    }
}

/** Reports the merchants of recent payments that the directory does not cover. */
async function checkPayees(store: Store, now: number): Promise<NamedResult> {
  const recent = await store.reader
    .selectFrom('payments')
    .select('destination')
    .where('team_id', 'in', teams => teams.selectFrom('teams').select('id'))
    .where('created_at', '>', now - 30 * DAY_MS)
    .orderBy('id', 'desc')
    .limit(MAX_PAYMENTS)
    .execute()
  const ids = [...new Set(recent.flatMap(({ destination }) => destination ?? []))]
  const accounts =
    ids.length === 0
      ? []
      : await store.reader
          .selectFrom('accounts')
          .select('mch_id')
          .distinct()
          .where('team_id', 'in', teams => teams.selectFrom('teams').select('id'))
          .where('id', 'in', ids)
          .where('mch_id', 'is not', null)
          .execute()
  const active = await store.reader.selectFrom('payees').select('mch_id').where('status', '=', 'active').execute()
  const covered = new Set(active.map(({ mch_id }) => mch_id))
  const missing = accounts.flatMap(({ mch_id }) => (mch_id !== null && !covered.has(mch_id) ? [mch_id] : [])).sort()
  const name = 'payees'
  if (covered.size === 0)
    return {
      ...{ name, level: 'problem' },
      message:
        'No merchant has a payee, so no debt can be paid. Import them with: pnpm admin payee import FILE.csv --by NAME',
    }
  if (missing.length > 0)
    return {
      ...{ name, level: 'warning' },
      message: `${missing.length} merchants of recent payments have no payee: ${missing.slice(0, 10).join(', ')}${missing.length > 10 ? ', …' : ''}.`,
    }
  return { name, level: 'ok', message: `${covered.size} merchants have a payee.` }
}

/** Reports differences between statements and the store, and statements that are not compared. */
async function* checkReconciliation(names: readonly string[], store: Store, now: number): AsyncGenerator<NamedResult> {
  for (const { provider: name, open, complete_at } of await readReconciliationHealth(store.reader, names)) {
    if (open > 0)
      yield {
        ...{ name, level: 'problem' },
        message: `Differences between the statement and the store without an explanation: ${open}. List them with: pnpm admin payments exceptions. docs/operations.md says what to do about each.`,
      }
    if (complete_at !== null && complete_at < now - STATEMENT_SILENCE_MS)
      yield {
        ...{ name, level: 'problem' },
        message: `The statement was last compared with the store at ${new Date(complete_at).toISOString()}. A worker should do so every day. Check that one runs, and look for job_failed with the job reconciliation.run in its log.`,
      }
  }
}

/** Reports notices that a person must handle. A payee that was confirmed after a notice replaces the wrong details. */
async function* checkNotices(store: Store, now: number): AsyncGenerator<NamedResult> {
  const teams = store.reader.selectFrom('teams').select('id')
  const open = await store.reader
    .selectFrom('payment_notices as notice')
    .innerJoin('payments', join =>
      join.onRef('payments.team_id', '=', 'notice.team_id').onRef('payments.id', '=', 'notice.payment_id'),
    )
    .innerJoin('accounts', join =>
      join.onRef('accounts.team_id', '=', 'notice.team_id').onRef('accounts.id', '=', 'payments.destination'),
    )
    .leftJoin('payees', join =>
      join
        .onRef('payees.mch_id', '=', 'accounts.mch_id')
        .on('payees.status', '=', 'active')
        .onRef('payees.decided_at', '>', 'notice.created_at'),
    )
    .select(['notice.payment_id', 'notice.code'])
    .where('notice.team_id', 'in', teams)
    .where('notice.created_at', '>', now - NOTICE_DAYS * DAY_MS)
    .where('notice.handled_at', 'is', null)
    .where('payees.id', 'is', null)
    .orderBy('notice.created_at')
    .execute()
  if (open.length === 0) return
  const listed = open.slice(0, 10).map(({ payment_id, code }) => `${payment_id} (${code})`)
  yield {
    ...{ name: 'payees', level: 'warning' },
    message: `Banks asked for other details in ${open.length} notices of the last ${NOTICE_DAYS} days: ${listed.join(', ')}${open.length > 10 ? ', …' : ''}. Confirm the details with the creditor, then import them with: pnpm admin payee import FILE.csv --by NAME`,
  }
}
