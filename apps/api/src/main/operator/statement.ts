/** The commands that compare the statements of providers with the store, and explain the differences. */
import { once } from 'node:events'
import { DAY_MS } from '@causeway/contract/time'
import {
  exceptionsAsCsv,
  findExceptionTeam,
  listExceptions,
  listTeamsOf,
} from '../../money/reconciliation/all-teams.js'
import {
  comparePages,
  compareResources,
  coveredTime,
  emptyProgress,
  type ReconciliationInput,
} from '../../money/reconciliation/reconcile.js'
import {
  addRun,
  completeRun,
  explainException,
  listOpenExceptions,
  showException,
} from '../../money/reconciliation/store.js'
import { openStatements } from '../../network/providers/open.js'
import { createProviderUsage } from '../../network/providers/usage.js'
import { createVault, type Vault } from '../../platform/crypto/vault.js'
import type { Store } from '../../platform/db/types.js'
import { createMetrics } from '../../platform/metrics.js'
import { findTeam } from '../../team/teams/store.js'
import { wait } from '../adapters.js'
import type { Config } from '../config.js'
import { OperatorError } from './operator-team.js'
import { readPerson } from './payees.js'

/** @param send reaches the provider; tests pass an emulator */
export async function checkStatements(
  store: Store,
  config: Pick<Config, 'masterKey' | 'providers' | 'routes' | 'connector'>,
  now: number,
  [from = '', to = '']: readonly string[],
  send: typeof fetch = fetch,
) {
  const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
  if (!isDay(from) || !isDay(to) || from > to)
    throw new OperatorError('FROM and TO must be days such as 2026-11-01, and FROM must not be after TO.')
  const vault = createVault(config.masterKey)
  const log = () => {}
  // Runs on, because the signatures of a connector expire after a minute.
  const startedAt = performance.now()
  const clock = () => now + Math.floor(performance.now() - startedAt)
  const providerUsage = createProviderUsage({ store, log, clock })
  const sources = await openStatements(config, {
    ...{ store, vault, log, clock, providerUsage, fetch: send, sleep: wait, metrics: createMetrics() },
  })
  if (sources.length === 0)
    throw new OperatorError('No provider in PROVIDERS has statements. Use: pnpm admin payments reconcile FILE')
  const runs = []
  for (const source of sources)
    for (let after = ''; ; ) {
      const teams = await listTeamsOf(store.reader, source.provider, after)
      for (const id of teams) {
        const team = (await findTeam(store.reader, id))!
        const input = { source, team, from, to, resourcesSince: Date.parse(from) }
        runs.push({ provider: source.provider, team_id: id, ...(await compareTeam(store, vault, input, now)) })
      }
      if (teams.length === 0) break
      after = teams.at(-1)!
    }
  return { ok: runs.every(({ open }) => open.length === 0), from, to, runs }
}

async function compareTeam(
  store: Store,
  vault: Vault,
  input: ReconciliationInput & { team: { dataKey: string } },
  now: number,
) {
  const deps = { store, clock: () => now }
  const result = await compareResources(deps, input, await comparePages(deps, input, emptyProgress()))
  const { team, source, from, to } = input
  const scope = { team: team.id, provider: source.provider }
  await store.write(async tx => {
    const id = await addRun(tx, scope, { from, to }, now)
    const row = { id, team_id: team.id, provider: source.provider }
    await completeRun(tx, row, result, coveredTime(input, now), now)
  })
  const period = { since: Date.parse(from), until: Date.parse(to) + DAY_MS }
  const sealer = vault.sealer(team.id, team.dataKey)
  const open = await listOpenExceptions(store.reader, scope, period)
  return { ...result, open: open.map(row => showException(row, sealer)) }
}

/** The maximum number of exceptions in one result. A CSV file has all of them. */
const MAX_LISTED = 1_000
const MAX_NOTE_LENGTH = 500

const listUsage = 'Use: pnpm admin payments exceptions [--all] [--csv]'
const explainUsage = 'Use: pnpm admin payments explain EXCEPTION --by NAME --note TEXT'

/** Prints parts, each after the one before it was taken. */
async function printAll(parts: AsyncIterable<string>): Promise<void> {
  for await (const part of parts) if (!process.stdout.write(part)) await once(process.stdout, 'drain')
}

/** Lists the exceptions that are neither explained nor resolved, or all of them. */
async function list(store: Store, config: Config, args: readonly string[]): Promise<unknown> {
  if (args.some(each => each !== '--all' && each !== '--csv')) throw new OperatorError(listUsage)
  const vault = createVault(config.masterKey)
  const isOpen = !args.includes('--all')
  if (args.includes('--csv')) return printAll(exceptionsAsCsv(store.reader, vault, isOpen))
  const rows = await listExceptions(store.reader, vault, isOpen, null, MAX_LISTED)
  const exceptions = rows.slice(0, MAX_LISTED)
  return {
    exceptions,
    ...(rows.length > MAX_LISTED && { more: `There are more than ${MAX_LISTED}. Add --csv for all of them.` }),
  }
}

/** Stores why a difference is no fault, with the name of the person who found out. */
async function explain(store: Store, config: Config, now: number, args: readonly string[]): Promise<unknown> {
  const [id = '', ...options] = args
  const values = new Map<string, string>()
  for (let at = 0; at < options.length; at += 2) values.set(options[at]!, options[at + 1] ?? '')
  const by = readPerson(values.get('--by') ?? '')
  const text = (values.get('--note') ?? '').trim()
  if (values.size !== 2 || !values.has('--by') || !values.has('--note')) throw new OperatorError(explainUsage)
  if ((text.match(/[\p{L}\p{N}]/gu) ?? []).length < 3 || text.length > MAX_NOTE_LENGTH)
    throw new OperatorError(
      `TEXT must have at least three letters or digits, and at most ${MAX_NOTE_LENGTH} characters.`,
    )
  const team = await findExceptionTeam(store.reader, id)
  if (!team) throw new OperatorError(`No exception has the id ${id}. List them with: pnpm admin payments exceptions`)
  const sealer = createVault(config.masterKey).sealer(team.id, team.data_key)
  const row = await store.write(tx => explainException(tx, sealer, { team: team.id, id, by, text }, now, { actor: by }))
  return showException(row!, sealer)
}

type StatementCommand = (store: Store, config: Config, now: number, args: readonly string[]) => Promise<unknown>

/** The commands, by the word after `payments`. */
export const statementCommands: Readonly<Record<string, StatementCommand>> = {
  statement: checkStatements,
  exceptions: (store, config, _now, args) => list(store, config, args),
  explain,
}
