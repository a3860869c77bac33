/** Writes the pages of a list as a CSV file. Counts each file toward the user's daily limit, and audits it. */
import { DAY_MS } from '@causeway/contract/time'
import { audit } from '../../platform/audit/store.js'
import { csvLine } from '../../platform/csv.js'
import { countAction, rejectIfLimitReached } from '../../platform/limits/counters.js'
import type { Limit } from '../../platform/limits/limit.js'
import { reading, transact } from '../../platform/scope.js'
import type { ConsoleRequest } from '../console-endpoints.js'
import { actorOf, limitSubject } from '../user.js'
import type { Columns } from './columns.js'

const exportLimit: Limit = {
  kind: 'console_export',
  max: 200,
  window: DAY_MS,
  error: 'TOO_MANY_REQUESTS',
  sentence: 'You exported too many files. A console user can export at most 200 files per day.',
}

export interface Page<Row> {
  readonly rows: readonly Row[]
  /** The cursor of the next page; null on the last page. */
  readonly next: string | null
}

/**
 * Yields the header, and then each page. Throws TOO_MANY_REQUESTS.
 * @param name the name of the list in the audit log
 * @param read reads a page. The cursor of the first page is null
 */
export async function* pagesAsCsv<Row>(
  { deps, user }: ConsoleRequest,
  name: string,
  columns: Columns<Row>,
  read: (cursor: string | null) => Promise<Page<Row>>,
): AsyncGenerator<string> {
  await rejectIfLimitReached(reading(deps, user.team), exportLimit, limitSubject(user))
  let page = await read(null)
  await transact(deps, user.team, async scope => {
    await countAction(scope, exportLimit, limitSubject(user))
    // mutant: export-is-audited (remove)
    await audit(scope, actorOf(user.session), 'list.export', name)
  })
  yield csvLine(Object.keys(columns))
  const cells = Object.values(columns)
  for (;;) {
    yield page.rows.map(row => csvLine(cells.map(cell => cell(row)))).join('')
    if (page.next === null) return
    page = await read(page.next)
  }
}
