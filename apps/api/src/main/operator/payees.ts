/** The commands of the payee directory. */
import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { readLatestCapabilities } from '../../network/connectors/capabilities.js'
import { showEntry } from '../../network/payees/directory.js'
import { applyPayee } from '../../network/payees/materialize.js'
import { columns, type PayeeDetails, type PayeeInput, readPayee } from '../../network/payees/payee.js'
import { personFaultOf } from '../../network/payees/person.js'
import { confirmPayee, endPayee, openDetails, proposePayees, selectPayees } from '../../network/payees/store.js'
import { payRoutesOf } from '../../network/providers/open.js'
import { companyName } from '../../platform/company-name.js'
import { createVault, type Vault } from '../../platform/crypto/vault.js'
import type { Tables } from '../../platform/db/tables.js'
import type { Store } from '../../platform/db/types.js'
import type { Config } from '../config.js'
import { OperatorError } from './operator-team.js'

/** The maximum size of an import file, in bytes, and its number of lines. */
const MAX_FILE_BYTES = 8 * 1024 * 1024
const MAX_ROWS = 20_000
const MAX_PERSON_LENGTH = 60

/** Reads the name of the person who runs a command. Throws OperatorError. */
export function readPerson(text: string): string {
  const name = companyName(text, MAX_PERSON_LENGTH)
  if (name === null) throw new OperatorError('Add --by NAME: the name of the person who runs this command.')
  const fault = personFaultOf(name)
  if (fault) throw new OperatorError(`The name in --by ${fault}.`)
  return name
}

/** Reads the options of a command. @returns the other arguments, and the person who runs the command */
function readArguments(args: readonly string[]): { rest: string[]; by: string; isDryRun: boolean } {
  const rest: string[] = []
  let person = ''
  let isDryRun = false
  for (let at = 0; at < args.length; at++) {
    if (args[at] === '--by') person = args[++at] ?? ''
    else if (args[at] === '--dry-run') isDryRun = true
    else rest.push(args[at]!)
  }
  return { rest, by: readPerson(person), isDryRun }
}

interface LineReport {
  line: number
  merchant: string
  result: 'proposed' | 'would be proposed' | 'unchanged' | 'invalid'
  payee?: string
  problems?: string[]
}

/** Checks the first line of an import file. @returns the columns. Throws OperatorError */
function checkColumns(file: string, names: string[]): string[] {
  if (!names.some(name => columns.includes(name)))
    throw new OperatorError(`${file} has no header. Its first line must name its columns: ${columns.join(', ')}.`)
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index))
  if (repeated.size > 0)
    throw new OperatorError(`${file} names columns more than once: ${[...repeated].join(', ')}. Keep one of each.`)
  const unknown = names.filter(name => !columns.includes(name))
  if (unknown.length > 0)
    throw new OperatorError(`${file} has unknown columns: ${unknown.join(', ')}. It may have: ${columns.join(', ')}.`)
  const missing = ['merchant', 'route'].filter(name => !names.includes(name))
  if (missing.length > 0) throw new OperatorError(`${file} lacks the columns ${missing.join(' and ')}.`)
  return names
}

/** Reads an import file. Throws OperatorError if the file itself can't be read. */
function readFile(file: string): { line: number; row: Record<string, string> }[] {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    throw new OperatorError(`${file} can't be read (${(error as NodeJS.ErrnoException).code}).`)
  }
  if (bytes.byteLength > MAX_FILE_BYTES) throw new OperatorError(`${file} is larger than 8 MB. Split it.`)
  // Text without characters of more than one byte is valid UTF-8 also if it is UTF-16 without a mark, so look for zeros.
  if (!isUtf8(bytes) || bytes.includes(0))
    throw new OperatorError(`${file} is not text in UTF-8. Save it as CSV UTF-8.`)
  let records: { record: Record<string, string>; info: { lines: number } }[]
  try {
    records = parse(bytes, {
      columns: names => checkColumns(file, names),
      bom: true,
      info: true,
      trim: true,
      skip_empty_lines: true,
      to: MAX_ROWS + 1,
    })
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`${file} is not valid CSV: ${(error as Error).message}`)
  }
  if (records.length > MAX_ROWS) throw new OperatorError(`${file} has more than 20,000 rows. Split it.`)
  if (records.length === 0) throw new OperatorError(`${file} has no rows.`)
  return records.map(({ record, info }) => ({ line: info.lines, row: record }))
}

const isSame = (one: PayeeDetails, other: PayeeDetails): boolean =>
  JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort())

/** Proposes the payees of a file, and reports each line. Nothing is proposed if any line is invalid. */
async function importPayees(store: Store, vault: Vault, now: number, args: readonly string[]) {
  const { rest, by, isDryRun } = readArguments(args)
  if (rest.length !== 1)
    throw new OperatorError('Name one file: pnpm admin payee import FILE.csv --by NAME [--dry-run]')
  const lines = readFile(rest[0]!)
  const existing = new Map<string, { details: PayeeDetails; max_amount: number | null }[]>()
  for (const row of await selectPayees(store.reader))
    existing.set(row.mch_id, [
      ...(existing.get(row.mch_id) ?? []),
      { details: openDetails(vault, row), max_amount: row.max_amount },
    ])
  const seen = new Map<string, number>()
  const inputs: PayeeInput[] = []
  const report = lines.map(({ line, row }): LineReport => {
    const merchant = row['merchant'] ?? ''
    const payee = readPayee(row)
    if ('problems' in payee) return { line, merchant, result: 'invalid', problems: payee.problems }
    const earlier = seen.get(payee.mch_id)
    if (earlier !== undefined)
      return { line, merchant, result: 'invalid', problems: [`merchant is also on line ${earlier}`] }
    seen.set(payee.mch_id, line)
    const isKnown = existing
      .get(payee.mch_id)
      ?.some(each => each.max_amount === payee.max_amount && isSame(each.details, payee.details))
    if (isKnown) return { line, merchant, result: 'unchanged' }
    inputs.push(payee)
    return { line, merchant, result: 'would be proposed' }
  })
  const hasInvalid = report.some(({ result }) => result === 'invalid')
  const count = (result: LineReport['result']) => report.filter(each => each.result === result).length
  if (!isDryRun && !hasInvalid) {
    const ids = await proposePayees({ store, vault }, inputs, by, now)
    let next = 0
    for (const each of report)
      if (each.result === 'would be proposed') Object.assign(each, { result: 'proposed', payee: ids[next++] })
  }
  return {
    ok: !hasInvalid,
    proposed: count('proposed'),
    unchanged: count('unchanged'),
    invalid: count('invalid'),
    lines: report,
    ...(inputs.length > 0 &&
      !isDryRun &&
      !hasInvalid && {
        next: 'A second person confirms each payee: pnpm admin payee confirm PAYEE --by NAME',
      }),
  }
}

/** Shows a payee with its account number masked. */
function showPayee(vault: Vault, row: Tables['payees']) {
  const entry = showEntry(vault, row)
  const time = (at: number | null) => (at === null ? null : new Date(at).toISOString())
  return { ...entry, proposed_at: time(entry.proposed_at), decided_at: time(entry.decided_at) }
}

/** Confirms every proposal that another person made. */
async function confirmAll(store: Store, config: Config, now: number, by: string) {
  const vault = createVault(config.masterKey)
  const routes = payRoutesOf(config, await readLatestCapabilities(store))
  const confirmed: string[] = []
  const own: string[] = []
  let accounts_changed = 0
  for (const { id, status: before } of await selectPayees(store.reader)) {
    if (before !== 'proposed') continue
    const { status, row } = await confirmPayee(store, id, by, now)
    if (status === 'same_person') own.push(id)
    if (!row) continue
    confirmed.push(id)
    accounts_changed += await applyPayee(store, row.mch_id, openDetails(vault, row), routes)
  }
  return { ok: own.length === 0, confirmed, proposed_by_the_same_person: own, accounts_changed }
}

async function confirm(store: Store, config: Config, now: number, args: readonly string[]) {
  const { rest, by } = readArguments(args)
  const [id = ''] = rest
  if (id === 'all') return confirmAll(store, config, now, by)
  const { status, row } = await confirmPayee(store, id, by, now)
  if (status === 'same_person') throw new OperatorError(`${by} proposed this payee, so another person must confirm it.`)
  if (status === 'replaced')
    throw new OperatorError(`The payee ${id} was replaced by a later one. List them with: pnpm admin payee list`)
  if (!row) throw new OperatorError(`No proposed payee has the id ${id}. List them with: pnpm admin payee list`)
  const vault = createVault(config.masterKey)
  const routes = payRoutesOf(config, await readLatestCapabilities(store))
  return {
    ...showPayee(vault, row),
    accounts_changed: await applyPayee(store, row.mch_id, openDetails(vault, row), routes),
  }
}

async function end(store: Store, config: Config, now: number, args: readonly string[]) {
  const { rest, by } = readArguments(args)
  const [id = ''] = rest
  const row = await endPayee(store, id, by, now)
  if (!row)
    throw new OperatorError(`No proposed or active payee has the id ${id}. List them with: pnpm admin payee list`)
  const routes = payRoutesOf(config, await readLatestCapabilities(store))
  const changed = row.status === 'removed' ? await applyPayee(store, row.mch_id, null, routes) : 0
  return { ...showPayee(createVault(config.masterKey), row), accounts_changed: changed }
}

type PayeeCommand = (store: Store, config: Config, now: number, args: readonly string[]) => Promise<unknown>

/** The commands, by the word after `payee`. */
export const payeeCommands: Readonly<Record<string, PayeeCommand>> = {
  import: (store, config, now, args) => importPayees(store, createVault(config.masterKey), now, args),
  list: async (store, config) =>
    (await selectPayees(store.reader)).map(row => showPayee(createVault(config.masterKey), row)),
  confirm,
  remove: end,
}
