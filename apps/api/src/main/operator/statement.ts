/** Compares the statements of providers with the store, for `pnpm admin payments statement`. */
import type { Provider, StatementLine } from '@causeway/connector/provider/provider'
import { DAY_MS } from '@causeway/contract/time'
import { feeOf } from '../../money/payments/show.js'
import { type Comparison, compareStatement, type ExpectedTransfer } from '../../money/reconciliation/compare.js'
import { type ConfiguredProvider, createProviderContexts } from '../../network/providers/host.js'
import { createVault } from '../../platform/crypto/vault.js'
import type { Store } from '../../platform/db/types.js'
import type { Config } from '../config.js'
import { OperatorError } from './operator-team.js'

/** The maximum number of pages of one team's statement. */
const MAX_PAGES = 10_000
/** The number of ids in one query. */
const BATCH_SIZE = 500
/** The time after which a payment that left must be on the statement. */
const GRACE_MS = 3 * DAY_MS

interface TeamComparison extends Comparison {
  provider: string
  team_id: string
  lines: number
}

/** @param send reaches the provider; tests pass an emulator */
export async function checkStatements(
  store: Store,
  config: Config,
  now: number,
  [from = '', to = '']: readonly string[],
  send: typeof fetch = fetch,
) {
  const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
  if (!isDay(from) || !isDay(to) || from > to)
    throw new OperatorError('FROM and TO must be days such as 2026-11-01, and FROM must not be after TO.')
  const configured = config.providers.filter(({ provider }) => provider.statement)
  if (configured.length === 0)
    throw new OperatorError('No provider in PROVIDERS has statements. Use: pnpm admin payments reconcile FILE')
  const teams: TeamComparison[] = []
  for (const each of configured) teams.push(...(await checkProvider(store, config, now, each, { from, to }, send)))
  return { ok: teams.every(({ exceptions }) => exceptions.length === 0), from, to, teams }
}

async function checkProvider(
  store: Store,
  config: Config,
  now: number,
  configured: ConfiguredProvider,
  days: { from: string; to: string },
  send: typeof fetch,
): Promise<TeamComparison[]> {
  const { name } = configured.provider
  const vault = createVault(config.masterKey)
  const contextOf = createProviderContexts(configured, { store, vault, log: () => {}, clock: () => now, fetch: send })
  const teams = await store.reader.selectFrom('teams').select('id').orderBy('id').execute()
  const results: TeamComparison[] = []
  for (const { id: team } of teams) {
    const lines = await readLines(configured.provider, contextOf(team), days)
    const transfers = await findTransfers(store, team, name, lines)
    const expected = await findExpected(store, team, name, days, now)
    if (lines.length === 0 && expected.length === 0) continue
    results.push({
      provider: name,
      team_id: team,
      lines: lines.length,
      ...compareStatement({ lines, transfers, expected }),
    })
  }
  return results
}

async function readLines(provider: Provider, context: unknown, days: { from: string; to: string }) {
  const lines: StatementLine[] = []
  let cursor: string | null = null
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer: { lines: StatementLine[]; cursor: string | null } = await provider.statement!(context as never, {
      ...days,
      cursor,
    })
    lines.push(...answer.lines)
    cursor = answer.cursor
    if (cursor === null) return lines
  }
  throw new OperatorError(`The statement has more than ${MAX_PAGES} pages. Choose a shorter period.`)
}

const batches = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / BATCH_SIZE) }, (_, index) =>
    items.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
  )

/** Finds the resources of the lines' transfers. */
async function findTransfers(store: Store, team: string, provider: string, lines: readonly StatementLine[]) {
  const transfers = new Map<string, ExpectedTransfer>()
  for (const ids of batches([...new Set(lines.flatMap(({ transfer }) => transfer ?? []))])) {
    const objects = await store.reader
      .selectFrom('provider_objects')
      .select(['external_id', 'kind', 'resource_id'])
      .where('team_id', '=', team)
      .where('provider', '=', provider)
      .where('external_id', 'in', ids)
      .execute()
    const resources = await findResources(
      store,
      team,
      objects.map(({ resource_id }) => resource_id),
    )
    for (const { external_id, resource_id } of objects) {
      const resource = resources.get(resource_id)
      if (resource) transfers.set(external_id, resource)
    }
  }
  return transfers
}

async function findResources(store: Store, team: string, ids: readonly string[]) {
  const resources = new Map<string, ExpectedTransfer>()
  if (ids.length === 0) return resources
  const payments = await store.reader
    .selectFrom('payments')
    .select(['id', 'amount', 'fee', 'status', 'created_at'])
    .where('team_id', '=', team)
    .where('id', 'in', ids)
    .execute()
  for (const row of payments) resources.set(row.id, { ...row, kind: 'payment', amount: row.amount - feeOf(row) })
  const reversals = await store.reader
    .selectFrom('reversals')
    .select(['id', 'amount', 'status', 'created_at'])
    .where('team_id', '=', team)
    .where('id', 'in', ids)
    .execute()
  for (const row of reversals) resources.set(row.id, { ...row, kind: 'reversal' })
  return resources
}

/** Finds the payments of the period that the provider got, early enough that they must be on the statement. */
async function findExpected(
  store: Store,
  team: string,
  provider: string,
  { from, to }: { from: string; to: string },
  now: number,
): Promise<ExpectedTransfer[]> {
  const until = Math.min(Date.parse(to) + DAY_MS, now) - GRACE_MS
  const rows = await store.reader
    .selectFrom('provider_objects')
    .select('resource_id')
    .where('team_id', '=', team)
    .where('provider', '=', provider)
    .where('kind', '=', 'payment')
    .where('created_at', '>=', Date.parse(from))
    .where('created_at', '<', until)
    .execute()
  const expected: ExpectedTransfer[] = []
  for (const ids of batches([...new Set(rows.map(({ resource_id }) => resource_id))]))
    expected.push(...(await findResources(store, team, ids)).values())
  return expected
}
