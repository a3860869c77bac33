/**
 * Downloads of lists as CSV files. The rows come from the API's own lists, one page at a time, so a file has the same
 * filters, rows and masks as the list, and needs no more memory for a million rows than for a hundred.
 */
import type { Endpoint } from '@causeway/contract/declaration/endpoint'
import { consoleExports as declared, omittedParameters } from '@causeway/contract/endpoints/console-exports'
import { ServiceError } from '@causeway/contract/errors'
import { DAY_MS } from '@causeway/contract/time'
import { NEWEST_VERSION } from '@causeway/contract/versions'
import { audit } from '../../platform/audit/store.js'
import { csvLine } from '../../platform/csv.js'
import { countAction, rejectIfLimitReached } from '../../platform/limits/counters.js'
import type { Limit } from '../../platform/limits/limit.js'
import { reading, transact } from '../../platform/scope.js'
import { type ConsoleRequest, type ConsoleRoute, implementDownload } from '../console-endpoints.js'
import { mask } from '../mask.js'
import { scopesFor } from '../roles.js'
import { isSessionOpen } from '../store.js'
import { actorOf, consoleUserOf, limitSubject, loadUser, requestSubject, signedOutError } from '../user.js'
import {
  type Columns,
  deliveryColumns,
  entityColumns,
  eventColumns,
  paymentColumns,
  requestColumns,
  sessionColumns,
} from './columns.js'

const exportLimit: Limit = {
  kind: 'console_export',
  max: 200,
  window: DAY_MS,
  error: 'TOO_MANY_REQUESTS',
  sentence: 'You exported too many files. A console user can export at most 200 files per day.',
}

interface Page {
  readonly rows: readonly unknown[]
  /** The cursor of the next page; null on the last page. */
  readonly next: string | null
}

/** Reads a page of a list as the user, masked. Throws the list's own error. */
async function readPage({ deps, options, user }: ConsoleRequest, path: string, query: URLSearchParams): Promise<Page> {
  const response = await options.api(
    new Request(`${deps.apiOrigin}${path}?${query}`, { headers: { 'service-version': NEWEST_VERSION } }),
    {
      user: requestSubject(user),
      from: consoleUserOf(user.session),
      actor: actorOf(user.session),
      team: user.team,
      scopes: scopesFor(user.permissions, `GET ${path}`),
      isPart: true,
    },
  )
  const body = await response.json()
  if (!response.ok) {
    const { sub_type, message } = (body as { error: { sub_type: ServiceError['subType']; message: string } }).error
    throw new ServiceError(sub_type, message)
  }
  const { data } =
    // mutant: export-masks-rows (argument 1)
    mask(body) as { data: unknown[] }
  return { rows: data, next: response.headers.get('pagination-page-cursor-next') }
}

/** Throws UNAUTHORIZED once the session has ended, and FORBIDDEN once the user may no longer export lists. */
async function checkUser({ options, user: { session } }: ConsoleRequest): Promise<void> {
  const { deps } = options
  // mutant: export-ends-with-session (false)
  if (!(await isSessionOpen(deps.store.reader, session, deps.clock()))) throw signedOutError()
  const { permissions } = await loadUser(options, session)
  // mutant: export-needs-permission (false)
  if (!permissions.has('reports'))
    throw new ServiceError(
      'FORBIDDEN',
      'Your role does not allow you to export lists. Ask an admin for the finance role.',
    )
}

interface CsvFile<Row> {
  readonly name: string
  /** The list's path in the API. */
  readonly list: string
  readonly columns: Columns<Row>
  /** The fields that the columns need in full. */
  readonly expand: readonly string[]
}

/** Yields a list's rows as CSV, one page at a time. */
async function* rowsAsCsv<Row>(
  request: ConsoleRequest,
  { name, list, columns, expand }: CsvFile<Row>,
): AsyncGenerator<string> {
  const { deps, user } = request
  const query = new URLSearchParams(request.query)
  const omitted = omittedParameters.find(name => query.has(name))
  if (omitted)
    throw new ServiceError('INVALID_SEARCH_PARAMETERS', `${omitted} is not supported: the file contains every row.`)
  query.set('page_limit', '100')
  for (const field of expand) query.append('expand[]', field)
  const cells = Object.values(columns)
  await checkUser(request)
  await rejectIfLimitReached(reading(deps, user.team), exportLimit, limitSubject(user))
  let page = await readPage(request, list, query)
  await transact(deps, user.team, async scope => {
    await countAction(scope, exportLimit, limitSubject(user))
    // mutant: export-is-audited (remove)
    await audit(scope, actorOf(user.session), 'list.export', name)
  })
  yield csvLine(Object.keys(columns))
  for (;;) {
    yield page.rows.map(row => csvLine(cells.map(cell => cell(row as Row)))).join('')
    if (page.next === null) return
    query.set('page_cursor', page.next)
    await checkUser(request)
    page = await readPage(request, list, query)
  }
}

const exportRoute = <Row>(
  endpoint: Endpoint,
  name: string,
  columns: Columns<Row>,
  expand: readonly string[] = [],
): ConsoleRoute =>
  implementDownload(endpoint, `${name}.csv`, request =>
    rowsAsCsv(request, { name, list: endpoint.path.replace(/\/csv$/, ''), columns, expand }),
  )

export const exportRoutes: ConsoleRoute[] = [
  exportRoute(declared.exportPayments, 'payments', paymentColumns, ['destination']),
  exportRoute(declared.exportSessions, 'sessions', sessionColumns),
  exportRoute(declared.exportEntities, 'people', entityColumns),
  exportRoute(declared.exportDeliveries, 'deliveries', deliveryColumns),
  exportRoute(declared.exportEvents, 'events', eventColumns),
  exportRoute(declared.exportRequests, 'requests', requestColumns),
]
