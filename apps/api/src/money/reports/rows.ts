import type { Prefix } from '@causeway/contract/ids'
import { pullDate } from '../../platform/calendar/calendar.js'
import { lowestId } from '../../platform/crypto/random.js'
import { type Cell, csvLine } from '../../platform/csv.js'
import { readJson } from '../../platform/db/json.js'
import type { Tables } from '../../platform/db/tables.js'
import type { Scope } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import { type RowSource, reportRules } from './report.js'
import type { ReportRow } from './store.js'

type Payment = Tables['payments']
type Reversal = Tables['reversals']
type Entity = Pick<Tables['entities'], 'id' | 'type' | 'status' | 'created_at' | 'updated_at'>

/** The maximum number of rows held in memory. */
const PAGE_SIZE = 500
/** Ledger accounts for money that is not in any of the team's accounts. */
const INTERNAL_ACCOUNTS = ['clearing', 'transit', 'fees', 'receivable', 'outside']

/** Returns the page of rows that follows an id, oldest first. */
type NextPage<Row> = (scope: Scope, report: ReportRow, after: string) => Promise<Row[]>
type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>

/** The range of ids created in the report's period, for one kind of resource. */
const idRange = (kind: Prefix, { from_time, to_time }: ReportRow) =>
  [lowestId(kind, from_time), lowestId(kind, to_time)] as const

const errorCode = ({ error }: Pick<Tables['payments'], 'error'>) => readJson('payments.error', error)?.code ?? null
const createdAt = (row: { created_at: number }) => showTime(row.created_at)
const updatedAt = (row: { updated_at: number }) => showTime(row.updated_at)

const paymentColumns: Columns<Payment> = {
  id: row => row.id,
  type: row => row.type,
  source: row => row.source,
  destination: row => row.destination,
  amount: row => row.amount,
  description: row => row.description,
  status: row => row.status,
  source_status: row => row.source_status,
  source_trace_id: row => row.source_trace_id,
  source_settlement_date: row => row.source_settlement_date,
  destination_status: row => row.destination_status,
  destination_trace_id: row => row.destination_trace_id,
  destination_settlement_date: row => row.destination_settlement_date,
  destination_payment_method: row => row.destination_payment_method,
  destination_posted_date: row => row.destination_posted_date,
  estimated_completion_date: row => row.estimated_completion_date,
  reversal_id: row => row.reversal_id,
  error_code: errorCode,
  created_at: createdAt,
  updated_at: updatedAt,
}

const pullColumns: Columns<Payment> = {
  payment_id: row => row.id,
  source: row => row.source,
  amount: row => row.amount,
  description: row => row.description,
  pull_date: row => row.source_settlement_date,
  status: row => row.status,
  trace_id: row => row.source_trace_id,
  created_at: createdAt,
}

const reversalColumns: Columns<Reversal> = {
  id: row => row.id,
  pmt_id: row => row.payment_id,
  target_account: row => row.target_account,
  direction: row => row.direction,
  amount: row => row.amount,
  description: row => row.description,
  status: row => row.status,
  trace_id: row => row.trace_id,
  error_code: errorCode,
  created_at: createdAt,
  updated_at: updatedAt,
}

const entityColumns: Columns<Entity> = {
  id: row => row.id,
  type: row => row.type,
  status: row => row.status,
  created_at: createdAt,
  updated_at: updatedAt,
}

const paymentsAfter = ({ db, team }: Scope, after: string) =>
  db
    .selectFrom('payments')
    .selectAll()
    .where('team_id', '=', team.id)
    .where('id', '>', after)
    .orderBy('id')
    .limit(PAGE_SIZE)

/** Selects the payments created in the period. An id contains the creation time. */
const createdPayments = (scope: Scope, report: ReportRow, after: string) => {
  const [first, end] = idRange('payment', report)
  return paymentsAfter(scope, after).where('id', '>=', first).where('id', '<', end)
}

/** Selects the payments pulled on the period's date. A held payment is pulled later than its creation date suggests. */
const pulledPayments = (scope: Scope, report: ReportRow, after: string) =>
  paymentsAfter(scope, after)
    .where('source_settlement_date', '=', pullDate(report.to_time - 1))
    .where('id', '<', lowestId('payment', report.from_time === report.to_time ? 0 : report.to_time))
    .where('source', 'is not', null)
    .where('status', '<>', 'canceled')

/** Selects the payments that changed in the period. Uses events, because a row records only its last change. */
const updatedPayments = (scope: Scope, report: ReportRow, after: string) => {
  const [first, end] = idRange('event', report)
  return paymentsAfter(scope, after).where('id', 'in', query =>
    query
      .selectFrom('events')
      .select('resource_id')
      .where('team_id', '=', scope.team.id)
      .where('type', '=', 'payment.update')
      .where('id', '>=', first)
      .where('id', '<', end),
  )
}

/** Returns a generator that yields the header, and then one string per page of rows. */
function csvPages<Row extends { id: string }>(columns: Columns<Row>, next: NextPage<Row>) {
  const cells = Object.values(columns)
  return async function* (scope: Scope, report: ReportRow): AsyncGenerator<string> {
    yield csvLine(Object.keys(columns))
    for (let after = ''; ; ) {
      const rows = await next(scope, report, after)
      if (rows.length > 0) yield rows.map(row => csvLine(cells.map(cell => cell(row)))).join('')
      if (rows.length < PAGE_SIZE) return
      after = rows.at(-1)!.id
    }
  }
}

/** Yields the balance of each of the team's ledger accounts at the end of the period. */
async function* balances({ db, team }: Scope, report: ReportRow): AsyncGenerator<string> {
  const rows = await db
    .selectFrom('ledger')
    .select(query => ['account', query.fn.sum<number>('amount').as('balance')])
    .where('team_id', '=', team.id)
    .where('created_at', '<', report.to_time)
    .where('account', 'in', INTERNAL_ACCOUNTS)
    .groupBy('account')
    .execute()
  const balanceByAccount = new Map(rows.map(({ account, balance }) => [account, Number(balance)]))
  yield csvLine(['book', 'balance', 'as_of'])
  for (const book of INTERNAL_ACCOUNTS) yield csvLine([book, balanceByAccount.get(book) ?? 0, showTime(report.to_time)])
}

const rowSources: Readonly<Record<RowSource, (scope: Scope, report: ReportRow) => AsyncGenerator<string>>> = {
  created: csvPages(paymentColumns, (scope, report, after) => createdPayments(scope, report, after).execute()),
  updated: csvPages(paymentColumns, (scope, report, after) => updatedPayments(scope, report, after).execute()),
  failed: csvPages(paymentColumns, (scope, report, after) =>
    paymentsAfter(scope, after)
      .where('failed_at', '>=', report.from_time)
      .where('failed_at', '<', report.to_time)
      .execute(),
  ),
  waiting: csvPages(pullColumns, (scope, report, after) =>
    createdPayments(scope, report, after).where('source', 'is not', null).where('status', '=', 'pending').execute(),
  ),
  pulled: csvPages(pullColumns, (scope, report, after) => pulledPayments(scope, report, after).execute()),
  reversals: csvPages(reversalColumns, ({ db, team }, report, after) => {
    const [first, end] = idRange('reversal', report)
    return db
      .selectFrom('reversals')
      .selectAll()
      .where('team_id', '=', team.id)
      .where('id', '>', after)
      .where('id', '>=', first)
      .where('id', '<', end)
      .orderBy('id')
      .limit(PAGE_SIZE)
      .execute()
  }),
  entities: csvPages(entityColumns, ({ db, team }, report, after) => {
    const [first, end] = idRange('entity', report)
    return db
      .selectFrom('entities')
      .select(['id', 'type', 'status', 'created_at', 'updated_at'])
      .where('team_id', '=', team.id)
      .where('id', '>', after)
      .where('id', '>=', first)
      .where('id', '<', end)
      .orderBy('id')
      .limit(PAGE_SIZE)
      .execute()
  }),
  balances,
}

/** Returns a report as CSV, in parts of at most {@link PAGE_SIZE} rows, with the current state of each row. */
export const reportText = (scope: Scope, report: ReportRow): AsyncGenerator<string> =>
  rowSources[reportRules[report.type][0]](scope, report)
