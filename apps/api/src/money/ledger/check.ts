import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { OutsideError } from '@causeway/connector/ports/outside-error'
import type { PaymentStatus } from '@causeway/contract/resources/payment'
import { DAY_MS, HOUR_MS } from '@causeway/contract/time'
import { UnconfiguredProviderError } from '../../network/ports.js'
import { lowestId } from '../../platform/crypto/random.js'
import { writeJson } from '../../platform/db/json.js'
import { type Deps, reading, type Scope, type Team } from '../../platform/scope.js'
import { isTracked, pathBetween, RETURN_DAYS } from '../payments/payment.js'
import { loadRailPayment, railOf } from '../payments/rail-request.js'
import type { PaymentRow } from '../payments/show.js'
import { findPayment } from '../payments/store.js'
import { findFaults } from './ledger.js'
import { ledgerPayment } from './store.js'

/** A contradiction between records. Contains only ids and amounts. */
interface LedgerFault {
  team_id: string
  payment_id: string
  what: string
}

export interface LedgerReport {
  ok: boolean
  /**
   * The number of payments checked. The next two fields count the payments that the rail was queried about, and the
   * payments whose query received no response.
   */
  payments: number
  asked: number
  unanswered: number
  /** The names of providers that are not configured, although payments of theirs can still change. */
  unconfigured: string[]
  /** At most 100 faults. */
  faults: LedgerFault[]
  faulty: number
  /**
   * Payments for which the payer will be debited again although the destination keeps the money, with their total amount.
   */
  receivable: { payments: number; cents: number }
}

const BATCH_SIZE = 50
/** The maximum time, in ms, that the check occupies the event loop before it yields. */
const SLICE_MS = 5
/**
 * When a check runs in a process that serves requests, it sleeps for this multiple of its busy time, so that requests
 * are barely slower.
 */
const SLEEP_PER_BUSY_TIME = 9
const MAX_REPORTED_FAULTS = 100
/**
 * After this many consecutive calls without a response, a rail is considered unavailable, and the check stops
 * querying it.
 */
const MAX_UNANSWERED_IN_ROW = 3
/** The number of failed attempts (about an hour's worth) after which a job counts as a fault. */
const MAX_JOB_FAILURES = 12
/**
 * The age after which a payment no longer moves: the 60 days in which it can be returned, plus 30 days for the return
 * itself.
 */
const MAX_TRACKED_AGE_MS = (RETURN_DAYS + 30) * DAY_MS

interface LedgerRow {
  payment: PaymentRow
  reversal: Parameters<typeof ledgerPayment>[1]
  posted: Map<string, number>
}

/** Reads a team's payments and their postings in one statement, so that no payment moves between two reads. */
async function readPayments(deps: Deps, team: string, after: string): Promise<LedgerRow[]> {
  const rows = await deps.store.behind(db =>
    db
      .selectFrom(from =>
        from
          .selectFrom('payments')
          .selectAll()
          .where('team_id', '=', team)
          .where('id', '>', after)
          .orderBy('id')
          .limit(BATCH_SIZE)
          .as('payments'),
      )
      .leftJoin('ledger', on =>
        on.onRef('ledger.team_id', '=', 'payments.team_id').onRef('ledger.payment_id', '=', 'payments.id'),
      )
      .leftJoin('reversals', on =>
        on.onRef('reversals.team_id', '=', 'payments.team_id').onRef('reversals.id', '=', 'payments.reversal_id'),
      )
      .selectAll('payments')
      .select(['ledger.account as posted_account', 'ledger.amount as posted_amount'])
      .select(['reversals.direction', 'reversals.target_account', 'reversals.amount as reversed_amount'])
      .select('reversals.status as reversal_status')
      .orderBy('payments.id')
      .execute(),
  )
  const rowsByPayment = new Map<string, LedgerRow>()
  for (const row of rows) {
    const { posted_account, posted_amount, direction, target_account, reversed_amount, reversal_status, ...payment } =
      row
    const reversal =
      direction === null
        ? null
        : { direction, target_account, amount: Number(reversed_amount), status: reversal_status! }
    const entry = rowsByPayment.get(payment.id) ?? { payment, reversal, posted: new Map<string, number>() }
    if (posted_account !== null)
      entry.posted.set(posted_account, (entry.posted.get(posted_account) ?? 0) + Number(posted_amount))
    rowsByPayment.set(payment.id, entry)
  }
  return [...rowsByPayment.values()]
}

/**
 * Returns true if the rail can report on a payment. Returns false if the payment was moved manually, is on hold, or is
 * final.
 */
function isKnownToRail(scope: Scope, row: PaymentRow): boolean {
  if (!isTracked(row.status as PaymentStatus) || row.simulated === 1 || row.fund_status === 'hold') return false
  return row.created_at >= scope.now - MAX_TRACKED_AGE_MS
}

/**
 * Returns the contradiction between the rail and the payment, or null if they agree. The payment's status must lie
 * between the status that the rail reported an hour ago and the status that it reports now.
 */
async function compareWithRail(scope: Scope, row: PaymentRow): Promise<string | null> {
  const { deps } = scope
  const call = await loadRailPayment(scope, row)
  const at = async (now: number) => (await deps.ports.rail.status({ ...call, now })).status
  const earlier = await at(Math.max(row.created_at, scope.now - HOUR_MS))
  const current = await at(scope.now)
  const status = row.status as PaymentStatus
  if (pathBetween(earlier, status) === null)
    return (await isBeingUpdated(scope, row))
      ? null
      : `the payment is ${status}, and the rail has reported ${earlier} for an hour`
  return pathBetween(status, current) === null ? `the payment is ${status}, and the rail reports ${current}` : null
}

/**
 * Checks the payment's current state again, because the payment or its team's clock may have moved since the payment
 * was read.
 */
async function recheckPayment(deps: Deps, { id, team_id }: PaymentRow): Promise<string | null> {
  const team = await deps.teamOf(team_id)
  const scope = team && reading(deps, team)
  const row = scope && (await findPayment(scope, id))
  return row && isKnownToRail(scope, row) ? compareWithRail(scope, row) : null
}

/**
 * Returns true if a job is about to move a payment, or has moved it since the payment was read. A job that is delayed
 * or waits to be retried is not a fault, unless it has failed for a long time.
 */
async function isBeingUpdated({ deps, team, db }: Scope, row: PaymentRow): Promise<boolean> {
  const job = await db
    .selectFrom('jobs')
    .select('id')
    .where('team_id', '=', team.id)
    .where('state', '=', 'ready')
    .where('lane', 'is', null)
    .where(at =>
      at.or([
        at('run_at', '<=', deps.clock()),
        at.and([at('attempts', '>=', 1), at('failures', '<=', MAX_JOB_FAILURES)]),
      ]),
    )
    .where('kind', 'in', ['payment.submit', 'payment.follow'])
    .where('payload', '=', writeJson({ payment: row.id }))
    .executeTakeFirst()
  if (job) return true
  const current = await db
    .selectFrom('payments')
    .select('status')
    .where('team_id', '=', team.id)
    .where('id', '=', row.id)
    .executeTakeFirst()
  return current?.status !== row.status
}

/**
 * Finds a team's postings whose payment does not exist. `next` is the start of the next batch, or undefined after the
 * last batch.
 */
async function findOrphanPostings(
  deps: Deps,
  team: string,
  after: string,
): Promise<{ faults: LedgerFault[]; next?: string }> {
  const rows = await deps.store.behind(db =>
    db
      .selectFrom(from =>
        from
          .selectFrom('ledger')
          .select(['team_id', 'payment_id'])
          .distinct()
          .where('team_id', '=', team)
          .where('payment_id', '>', after)
          .orderBy('payment_id')
          .limit(BATCH_SIZE)
          .as('ledger'),
      )
      .leftJoin('payments', on =>
        on.onRef('payments.team_id', '=', 'ledger.team_id').onRef('payments.id', '=', 'ledger.payment_id'),
      )
      .select(['ledger.team_id', 'ledger.payment_id', 'payments.id'])
      .orderBy('ledger.payment_id')
      .execute(),
  )
  const faults = rows
    .filter(row => row.id === null)
    .map(({ team_id, payment_id }) => ({ team_id, payment_id, what: 'postings of a payment that does not exist' }))
  return rows.length < BATCH_SIZE ? { faults } : { faults, next: rows.at(-1)!.payment_id }
}

/**
 * Yields to the event loop after each time slice. Time that the loop spends waiting, for example for the rail, does not
 * count.
 * @param rest how long to sleep, as a multiple of the loop's busy time
 */
function createPacer(rest: number): () => Promise<void> {
  const busy = () => performance.eventLoopUtilization().active
  let since = busy()
  return async () => {
    const busyMs = busy() - since
    if (busyMs < SLICE_MS) return
    await (rest === 0 ? yieldToEventLoop() : new Promise(resolve => setTimeout(resolve, busyMs * rest)))
    since = busy()
  }
}

/** Lists all teams. A check of all payments also covers team ids that appear only in payments or postings. */
async function teamsToCheck({ store: { reader } }: Deps, trackedOnly: boolean): Promise<string[]> {
  const rows = await reader.selectFrom('teams').select('id').execute()
  const teamIds = new Set(rows.map(row => row.id))
  for (const table of trackedOnly ? [] : (['payments', 'ledger'] as const))
    for (let after = ''; ; ) {
      // Uses one index lookup per team, however many rows the team has.
      const next = await reader
        .selectFrom(table)
        .select('team_id')
        .where('team_id', '>', after)
        .orderBy('team_id')
        .limit(1)
        .executeTakeFirst()
      if (!next) break
      after = next.team_id
      teamIds.add(after)
    }
  return [...teamIds].sort()
}

/**
 * Checks that each payment's postings sum to zero, that they match its status and its reversal, and that the rail
 * agrees. Read-only.
 * @param trackedOnly checks only payments that can still move
 * @param whileServing true if this process also serves requests
 * @param isStopped once this returns true, the check ends and returns its results so far
 */
export async function checkLedger(
  deps: Deps,
  {
    trackedOnly = false,
    whileServing = false,
    isStopped,
  }: { trackedOnly?: boolean; whileServing?: boolean; isStopped?: () => boolean } = {},
): Promise<LedgerReport> {
  const report: LedgerReport = {
    ok: true,
    payments: 0,
    asked: 0,
    unanswered: 0,
    unconfigured: [],
    faults: [],
    faulty: 0,
    receivable: { payments: 0, cents: 0 },
  }
  const addFault = (fault: LedgerFault) => {
    report.ok = false
    report.faulty++
    if (report.faults.length < MAX_REPORTED_FAULTS) report.faults.push(fault)
  }
  const pace = createPacer(whileServing ? SLEEP_PER_BUSY_TIME : 0)
  const unansweredInRow = new Map<string | null, number>()
  /** Queries a payment's rail about it, unless the rail is considered unavailable. */
  async function checkAgainstRail(scope: Scope, payment: PaymentRow): Promise<void> {
    const rail = railOf(scope, payment)
    const failures = unansweredInRow.get(rail) ?? 0
    if (failures >= MAX_UNANSWERED_IN_ROW) return void report.unanswered++
    try {
      const contradiction = (await compareWithRail(scope, payment)) && (await recheckPayment(deps, payment))
      unansweredInRow.set(rail, 0)
      report.asked++
      if (contradiction) addFault({ team_id: payment.team_id, payment_id: payment.id, what: contradiction })
    } catch (error) {
      if (!(error instanceof OutsideError)) throw error
      unansweredInRow.set(rail, failures + 1)
      report.unanswered++
      if (error instanceof UnconfiguredProviderError && !report.unconfigured.includes(error.provider))
        report.unconfigured.push(error.provider)
    }
  }

  for (const team_id of await teamsToCheck(deps, trackedOnly)) {
    for (let after: string | undefined = trackedOnly ? undefined : ''; after !== undefined; ) {
      if (isStopped?.()) return report
      const batch = await findOrphanPostings(deps, team_id, after)
      for (const fault of batch.faults) addFault(fault)
      after = batch.next
      await pace()
    }
    if (isStopped?.()) return report
    await pace()
    let team: Team | undefined
    for (let after = trackedOnly ? lowestId('payment', deps.clock() - MAX_TRACKED_AGE_MS) : ''; ; ) {
      const rows = await readPayments(deps, team_id, after)
      if (rows.length > 0) team ??= await deps.teamOf(team_id)
      if (rows.length > 0 && !team)
        addFault({ team_id, payment_id: rows[0]!.payment.id, what: 'payments of a team that does not exist' })
      for (const { payment, reversal, posted } of rows) {
        if (isStopped?.()) return report
        report.payments++
        await pace()
        const owed = -(posted.get('receivable') ?? 0)
        if (owed > 0) {
          report.receivable.payments++
          report.receivable.cents += owed
        }
        for (const what of findFaults(ledgerPayment(payment, reversal), posted))
          addFault({ team_id, payment_id: payment.id, what })
        const scope = team && reading(deps, team)
        if (scope && isKnownToRail(scope, payment)) await checkAgainstRail(scope, payment)
      }
      if (rows.length < BATCH_SIZE) break
      after = rows.at(-1)!.payment.id
    }
  }
  return report
}
