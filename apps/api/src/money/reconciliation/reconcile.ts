/** Compares a provider's statement with the store, page by page, so that a statement of any length fits in memory. */
import { OutsideError } from '@causeway/connector/ports/outside-error'
import type { StatementLine } from '@causeway/connector/provider/provider'
import { DAY_MS } from '@causeway/contract/time'
import type { StatementSource } from '../../network/ports.js'
import type { Store } from '../../platform/db/types.js'
import type { Team } from '../../platform/team.js'
import { compareLine, type StatementException } from './compare.js'
import { findMissingLines, findMissingReturns, findUnlinked } from './expected.js'
import { type CoveredTime, type ReconciliationResult, saveExceptions } from './store.js'
import { BATCH_SIZE, findTransfers, rememberLines, type SeenLine } from './transfers.js'

/** The statement to compare: the one of a team at a provider, between two days, inclusive, in UTC. */
export interface ReconciliationInput {
  source: StatementSource
  team: Pick<Team, 'id' | 'clockOffset'>
  from: string
  to: string
  /** The first time of creation of the resources that must have a line, in epoch milliseconds. At most the first day. */
  resourcesSince: number
}

/** The part of a comparison that is done. Holds no line, so it can be stored between two parts. */
export interface Progress {
  /** The statement's next page; null before the first one. */
  cursor: string | null
  result: ReconciliationResult
}

export interface ReconcileDeps {
  store: Store
  /** The real time, in epoch milliseconds. */
  clock(): number
}

/** The maximum number of empty pages in a row. An account of a team can have no line, so a few are normal. */
const MAX_EMPTY_PAGES = 1_000
/** The maximum number of categories that are counted apart. */
const MAX_CATEGORIES = 50
const MAX_CATEGORY_LENGTH = 100

export const emptyProgress = (): Progress => ({
  cursor: null,
  result: { lines: 0, matched: 0, recent: 0, exceptions: 0, money_in: 0, money_out: 0, other: [] },
})

export const coveredTime = ({ from, to, resourcesSince }: ReconciliationInput, startedAt: number): CoveredTime => ({
  linesSince: Date.parse(from),
  resourcesSince,
  until: Date.parse(to) + DAY_MS,
  startedAt,
})

function countOther(other: ReconciliationResult['other'], { category: name, amount }: StatementLine): void {
  const category = name.slice(0, MAX_CATEGORY_LENGTH)
  const entry = other.find(each => each.category === category)
  if (entry) {
    entry.count++
    entry.sum += amount
  } else if (other.length < MAX_CATEGORIES) other.push({ category, count: 1, sum: amount })
  else countOther(other, { category: 'other', amount } as StatementLine)
}

/** Compares lines, stores the differences, and remembers the lines that belong to a transfer. */
async function compareLines(
  { store, clock }: ReconcileDeps,
  { source: { provider }, team: { id: team } }: ReconciliationInput,
  lines: readonly StatementLine[],
  result: ReconciliationResult,
): Promise<void> {
  const scope = { team, provider }
  const now = clock()
  const transfers = await findTransfers(store.reader, scope, [
    ...new Set(lines.flatMap(({ transfer }) => transfer ?? [])),
  ])
  const exceptions: StatementException[] = []
  const seen: SeenLine[] = []
  // Providers list the latest line first, but the second of two equal lines is the wrong one.
  for (const line of [...lines].sort((one, other) => one.at - other.at)) {
    const transfer = line.transfer === null ? undefined : transfers.get(line.transfer)
    const verdict = compareLine(line, transfer, now)
    result.lines++
    result[line.amount < 0 ? 'money_out' : 'money_in'] += line.amount
    if (verdict.result === 'matched' || verdict.result === 'recent') result[verdict.result]++
    else if (verdict.result === 'other') countOther(result.other, line)
    else exceptions.push(verdict.result)
    if (verdict.remember && transfer && line.transfer !== null && transfer.seen[verdict.remember] === null) {
      transfer.seen[verdict.remember] = line.id
      seen.push({ transfer: line.transfer, column: verdict.remember, line: line.id })
    }
  }
  result.exceptions += exceptions.length
  if (exceptions.length + seen.length > 0)
    await store.write(async tx => {
      await rememberLines(tx, scope, seen)
      await saveExceptions(tx, scope, exceptions, now)
    })
}

/**
 * Compares pages of the statement until the last one, or until the time is up. An interrupted part can be repeated,
 * because a line and a difference are stored once. Throws OutsideError if the provider does not answer.
 * @param sliceMs the time after which to stop between two pages
 * @returns the progress, whose cursor is null after the last page
 */
export async function comparePages(
  deps: ReconcileDeps,
  input: ReconciliationInput,
  progress: Progress,
  sliceMs = Number.POSITIVE_INFINITY,
): Promise<Progress> {
  const { source, team, from, to } = input
  const deadline = performance.now() + sliceMs
  const result = structuredClone(progress.result)
  let { cursor } = progress
  let emptyPages = 0
  do {
    const page = await source.read(team.id, { from, to, cursor })
    // mutant: endless-statements-end (false)
    if (page.lines.length === 0 && page.cursor !== null && ++emptyPages > MAX_EMPTY_PAGES)
      throw new OutsideError('The statement has too many empty pages.', { outcome: 'nothing' })
    if (page.lines.length > 0) emptyPages = 0
    for (let index = 0; index < page.lines.length; index += BATCH_SIZE)
      await compareLines(deps, input, page.lines.slice(index, index + BATCH_SIZE), result)
    if (page.cursor !== null && page.cursor === cursor)
      throw new OutsideError('The statement names the same page twice.', { outcome: 'nothing' })
    cursor = page.cursor
  } while (cursor !== null && performance.now() < deadline)
  return { cursor, result }
}

/** Stores the differences of resources that no line can show, after the last page. @returns the final result */
export async function compareResources(
  { store, clock }: ReconcileDeps,
  input: ReconciliationInput,
  { result }: Progress,
): Promise<ReconciliationResult> {
  const { source, team, resourcesSince, from, to } = input
  const now = clock()
  const scope = { team: team.id, provider: source.provider }
  const search = {
    ...{ ...scope, since: resourcesSince, until: Date.parse(to) + DAY_MS, now, clockOffset: team.clockOffset },
  }
  let { exceptions } = result
  const searches = [
    findMissingLines(store, search),
    findMissingReturns(store, search),
    findUnlinked(store, { ...search, since: Date.parse(from) }),
  ]
  for (const each of searches)
    for await (const batch of each) {
      if (batch.length === 0) continue
      exceptions += batch.length
      await store.write(tx => saveExceptions(tx, scope, batch, now))
    }
  return { ...result, exceptions }
}
