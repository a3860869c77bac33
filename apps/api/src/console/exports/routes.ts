/**
 * Downloads of lists as CSV files. The rows come from the API's own lists, one page at a time, so a file has the same
 * filters, rows and masks as the list, and needs no more memory for a million rows than for a hundred.
 */
import type { Endpoint } from '@causeway/contract/declaration/endpoint'
import { consoleExports as declared, omittedParameters } from '@causeway/contract/endpoints/console-exports'
import { ServiceError } from '@causeway/contract/errors'
import type { entity } from '@causeway/contract/products/entity'
import { NEWEST_VERSION } from '@causeway/contract/versions'
import type { z } from 'zod'
import { type ConsoleRequest, type ConsoleRoute, implementDownload } from '../console-endpoints.js'
import { mask } from '../mask.js'
import { scopesFor } from '../roles.js'
import { actorOf, consoleUserOf, requestSubject, type User } from '../user.js'
import {
  type Columns,
  deliveryColumns,
  entityColumns,
  eventColumns,
  nameOf,
  type Owned,
  payeeOf,
  paymentColumns,
  requestColumns,
  sessionColumns,
} from './columns.js'
import { type Page, pagesAsCsv } from './pages-as-csv.js'

/** The number of rows of a page of a list: the maximum, also of ids by which people are found. */
const PAGE_LIMIT = '100'

/** Reads a page of a list as the user, masked. Throws the list's own error. */
async function readPage<Row>(
  { deps, options, user }: ConsoleRequest,
  path: string,
  query: URLSearchParams,
): Promise<Page<Row>> {
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
    mask(body) as { data: Row[] }
  return { rows: data, next: response.headers.get('pagination-page-cursor-next') }
}

/** Adds the names of people and companies to rows, as the user sees them. Reads all of them at once. */
async function withNames<Row>(
  request: ConsoleRequest,
  rows: readonly Row[],
  entityOf: (row: Row) => string | null,
): Promise<(Row & Owned)[]> {
  const ids = new Set(rows.map(entityOf).filter(id => id !== null))
  const query = new URLSearchParams([['page_limit', PAGE_LIMIT], ...[...ids].map(id => ['id', id] as [string, string])])
  const entities = ids.size > 0 ? (await readPage<z.infer<typeof entity>>(request, '/entities', query)).rows : []
  const names = new Map(entities.map(each => [each.id, nameOf(each)]))
  return rows.map(row => ({ ...row, entityName: names.get(entityOf(row) ?? '') ?? null }))
}

/** Throws FORBIDDEN unless the user may export lists. */
function requireReports({ permissions }: Pick<User, 'permissions'>): void {
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
  /** Returns the id of the person or company whose name the columns show. */
  readonly entityOf?: ((row: Row) => string | null) | undefined
}

/** Yields a list's rows as CSV, one page at a time. */
async function* rowsAsCsv<Row>(
  request: ConsoleRequest,
  { name, list, columns, expand, entityOf }: CsvFile<Row>,
): AsyncGenerator<string> {
  const query = new URLSearchParams(request.query)
  const omitted = omittedParameters.find(name => query.has(name))
  if (omitted)
    throw new ServiceError('INVALID_SEARCH_PARAMETERS', `${omitted} is not supported: the file contains every row.`)
  query.set('page_limit', PAGE_LIMIT)
  for (const field of expand) query.append('expand[]', field)
  yield* pagesAsCsv<Row>(request, name, columns, async cursor => {
    if (cursor !== null) query.set('page_cursor', cursor)
    const page = await readPage<Row>(request, list, query)
    return entityOf ? { ...page, rows: await withNames(request, page.rows, entityOf) } : page
  })
}

const exportRoute = <Row>(
  endpoint: Endpoint,
  name: string,
  columns: Columns<Row>,
  { expand = [], entityOf }: Partial<Pick<CsvFile<Row>, 'expand' | 'entityOf'>> = {},
): ConsoleRoute =>
  implementDownload(endpoint, `${name}.csv`, requireReports, request =>
    rowsAsCsv(request, { name, list: endpoint.path.replace(/\/csv$/, ''), columns, expand, entityOf }),
  )

export const exportRoutes: ConsoleRoute[] = [
  exportRoute(declared.exportPayments, 'payments', paymentColumns, {
    expand: ['destination'],
    entityOf: payeeOf,
  }),
  exportRoute(declared.exportSessions, 'sessions', sessionColumns, { entityOf: row => row.entity_id }),
  exportRoute(declared.exportEntities, 'people', entityColumns),
  exportRoute(declared.exportDeliveries, 'deliveries', deliveryColumns),
  exportRoute(declared.exportEvents, 'events', eventColumns),
  exportRoute(declared.exportRequests, 'requests', requestColumns),
]
