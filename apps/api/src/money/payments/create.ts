import { type ErrorSubType, ServiceError } from '@causeway/contract/errors'
import { emit } from '../../notify/emit.js'
import type { PayingAccount } from '../../people/holders/account.js'
import { balanceData } from '../../people/products/balance/product.js'
import { createId } from '../../platform/crypto/random.js'
import { compiled } from '../../platform/db/compiled-query.js'
import { writeJson } from '../../platform/db/json.js'
import { lockRows } from '../../platform/db/row-locks.js'
import type { Scope } from '../../platform/scope.js'
import { loadTreeCeilings, type TreeCeiling } from '../../team/teams/grants.js'
import type { PaymentAccount } from './accounts.js'
import { settlementDates } from './payment-hold.js'
import { type PaymentRow, showPayment } from './show.js'

export { checkDestination, checkRail, checkSource } from './accounts.js'

export interface NewPayment<Destination = PaymentAccount> {
  /** The amount, in cents. */
  amount: number
  /** Null if the money comes from an external account. */
  source: PayingAccount | null
  destination: Destination
  description: string
  /** The balance transfer session that the payment belongs to. A session pays each account only once. */
  session_id?: string
  metadata?: PaymentRow['metadata']
  idempotency_key?: string | null
  fee?: { type: 'total' | 'markup'; amount: number } | null
  reversal_account?: string | null
  /** The result from {@link checkRail}. */
  rejection?: ErrorSubType | null
  /** The result from {@link monthlyCeilings}. */
  ceilings: readonly TreeCeiling[]
}

/** Returns the monthly limits on payments that the team shares with the other teams in its tree. */
export const monthlyCeilings = ({ db, team, deps }: Scope): Promise<TreeCeiling[]> =>
  loadTreeCeilings(db, deps.environment, team.path, 'payments_per_month')

const insertPayment = compiled((db, row: PaymentRow) => db.insertInto('payments').values(row))

/**
 * Creates a payment inside the caller's transaction: the row, its event, and the job that submits it. Throws an error
 * if the rail rejected the payment or if the payment would exceed a limit.
 */
export async function createPayment(scope: Scope, input: NewPayment): Promise<PaymentRow> {
  const row = await draftPayment(scope, input)
  await insertPayment.later(scope.db, row)
  await emit(scope, 'payment.create', showPayment(row, { one: true }))
  await scope.deps.jobs.enqueue(scope, { kind: 'payment.submit', payload: { payment: row.id } })
  return row
}

/** Returns the payment that would be created, without saving it. Throws the same errors as createPayment. */
export async function draftPayment(scope: Scope, input: NewPayment): Promise<PaymentRow> {
  rejectZeroBalance(input.destination)
  // The rail's limit is not the team's.
  if (input.rejection === 'MAX_AMOUNT_EXCEEDED')
    throw new ServiceError(
      input.rejection,
      'The amount exceeds the limit of the source or the destination for a single payment.',
    )
  if (input.rejection) throw new ServiceError(input.rejection)
  await rejectOverLimit(scope, input)
  return newPayment(scope, input)
}

/** Returns the row for a new payment. */
export function newPayment(scope: Scope, input: Omit<NewPayment<PayingAccount>, 'refusal' | 'ceilings'>): PaymentRow {
  const dates = settlementDates(scope.now)
  return {
    id: createId('payment', scope.now),
    team_id: scope.team.id,
    source: input.source?.id ?? null,
    destination: input.destination.id,
    source_holder_id: input.source?.holder_id ?? null,
    destination_holder_id: input.destination.holder_id,
    amount: input.amount,
    description: input.description,
    status: 'pending',
    fund_status: 'pending',
    estimated_completion_date: dates.estimated_completion_date,
    source_trace_id: null,
    source_settlement_date: dates.source_settlement_date,
    source_status: 'pending',
    destination_trace_id: null,
    destination_settlement_date: dates.destination_settlement_date,
    destination_status: 'pending',
    destination_payment_method: 'electronic',
    destination_posted_date: null,
    reversal_id: null,
    reversal_account: input.reversal_account ?? null,
    fee: input.fee ? writeJson(input.fee) : null,
    type: 'standard',
    error: null,
    idempotency_key: input.idempotency_key ?? null,
    session_id: input.session_id ?? null,
    metadata: input.metadata ?? null,
    payment_instrument: null,
    simulated: 0,
    failed_at: null,
    returned_as: null,
    provider: scope.deps.railProvider,
    created_at: scope.now,
    updated_at: scope.now,
  }
}

/** Throws if the destination's latest known balance is zero. */
function rejectZeroBalance({ type, balance }: PaymentAccount): void {
  const latest = balance === null ? null : balanceData.read(balance)
  if (type === 'liability' && latest?.amount === 0) throw new ServiceError('INVALID_DESTINATION_BALANCE')
}

/** Checks the team's own limits and the monthly limits that it shares with the other teams in its tree. */
async function rejectOverLimit(scope: Scope, { amount, ceilings }: NewPayment): Promise<void> {
  const { payment_amount_max, payments_per_month } = scope.team.settings.limits
  if (payment_amount_max !== null && amount > payment_amount_max) throw new ServiceError('MAX_AMOUNT_EXCEEDED')
  for (const { path, limit } of ceilings) await rejectOverMonthlyLimit(scope, path, limit, 'tree')
  if (payments_per_month !== null) await rejectOverMonthlyLimit(scope, scope.team.path, payments_per_month, 'team')
}

/**
 * Throws MAX_REQUEST_LIMIT if a team, or a team together with all teams below it, has reached its monthly limit on the
 * number of payments. Locks the team's row before reading the counters, so that two concurrent payments can't both be
 * the last one allowed.
 */
async function rejectOverMonthlyLimit(
  { db, now }: Scope,
  path: readonly string[],
  limit: number,
  of: 'team' | 'tree',
): Promise<void> {
  await lockRows(db, db.selectFrom('teams').select('id').where('id', '=', path.at(-1)!)).execute()
  const subject = path.join('/')
  const { used } = await db
    .selectFrom('counters')
    .select(query => query.fn.sum<number | null>('used').as('used'))
    .where('kind', '=', `payments ${new Date(now).toISOString().slice(0, 7)}`)
    .where('subject', '>', `${subject}/`)
    // In the team's own subjects, a digit follows the slash, and digits sort before ':'. In the subjects of the teams
    // below this team, a letter follows the slash.
    .where('subject', '<', of === 'team' ? `${subject}/:` : `${subject}0`)
    .executeTakeFirstOrThrow()
  if ((used ?? 0) >= limit) throw new ServiceError('MAX_REQUEST_LIMIT')
}
