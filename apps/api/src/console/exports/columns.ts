/** The columns of each CSV file, by their titles. Cells are read from the masked bodies of the list. Pure. */
import type { entity } from '@causeway/contract/products/entity'
import type { event } from '@causeway/contract/resources/event'
import type { opalSession } from '@causeway/contract/resources/opal'
import type { payment } from '@causeway/contract/resources/payment'
import type { request } from '@causeway/contract/resources/request'
import type { delivery } from '@causeway/contract/resources/webhook'
import type { z } from 'zod'
import type { Cell } from '../../platform/csv.js'

/** The columns of a file: each title with the cell of a row. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>

/** What a row says about its person or company. */
export interface Owned {
  readonly entityName: string | null
}

/** Formats an amount in dollars, with two decimals. Spreadsheets read it as a number. */
const dollars = (cents: number | undefined): Cell => (cents === undefined ? null : (cents / 100).toFixed(2))
const sum = (amounts: readonly number[]): number => amounts.reduce((all, each) => all + each, 0)
/** Lists ids in one cell. */
const listed = (ids: readonly string[]): Cell => ids.join(' ')

type Account = z.infer<typeof payment>['destination']
const idOf = (account: Account): Cell => (typeof account === 'object' ? (account?.id ?? null) : account)
/** Returns an expanded account, or null if only its id is known. */
const expanded = (account: Account) => (typeof account === 'object' ? account : null)

/** Returns the id of the person whose debt a payment pays. */
export const payeeOf = ({ destination }: Pick<z.infer<typeof payment>, 'destination'>): string | null =>
  expanded(destination)?.holder_id ?? null

type Names = Pick<z.infer<typeof entity>, 'individual' | 'corporation'>
/** Returns the name of a person or a company, or null. */
export const nameOf = ({ individual, corporation }: Names): string | null =>
  corporation?.name ?? ([individual?.first_name, individual?.last_name].filter(Boolean).join(' ') || null)

export const paymentColumns: Columns<z.infer<typeof payment> & Owned> = {
  id: row => row.id,
  status: row => row.status,
  amount_usd: row => dollars(row.amount),
  type: row => row.type,
  description: row => row.description,
  entity_id: payeeOf,
  entity_name: row => row.entityName,
  source: row => idOf(row.source),
  destination: row => idOf(row.destination),
  destination_name: row => expanded(row.destination)?.liability?.name ?? null,
  destination_mask: row => expanded(row.destination)?.liability?.mask ?? null,
  source_status: row => row.source_status,
  source_settlement_date: row => row.source_settlement_date,
  source_trace_id: row => row.source_trace_id,
  destination_status: row => row.destination_status,
  destination_settlement_date: row => row.destination_settlement_date,
  destination_trace_id: row => row.destination_trace_id,
  estimated_completion_date: row => row.estimated_completion_date,
  reversal_id: row => row.reversal_id,
  error: row => row.error?.sub_type ?? null,
  created_at: row => row.created_at,
  updated_at: row => row.updated_at,
}

export const sessionColumns: Columns<z.infer<typeof opalSession> & Owned> = {
  id: row => row.id,
  mode: row => row.mode,
  entity_id: row => row.entity_id,
  entity_name: row => row.entityName,
  step: row => row.step,
  is_completed: row => String(row.bt?.completed ?? row.completed_at !== undefined),
  loan_amount_usd: row => dollars(row.bt?.loan_amount),
  allocated_usd: row => dollars(row.bt ? sum(Object.values(row.bt.allocations)) : undefined),
  payout_status: row => row.bt?.payout_status ?? null,
  released_at: row => row.bt?.released_at ?? null,
  unpaid_accounts: row => listed(row.bt?.unpaid ?? []),
  created_at: row => row.created_at,
  updated_at: row => row.updated_at,
}

export const entityColumns: Columns<z.infer<typeof entity>> = {
  id: row => row.id,
  type: row => row.type,
  status: row => row.status,
  first_name: row => row.individual?.first_name ?? null,
  last_name: row => row.individual?.last_name ?? null,
  corporation_name: row => row.corporation?.name ?? null,
  phone_verified: row => String(row.verification?.phone.verified ?? false),
  identity_verified: row => String(row.verification?.identity.verified ?? false),
  error: row => row.error?.sub_type ?? null,
  created_at: row => row.created_at,
  updated_at: row => row.updated_at,
}

export const deliveryColumns: Columns<z.infer<typeof delivery>> = {
  id: row => row.id,
  status: row => row.status,
  type: row => row.type,
  webhook_id: row => row.webhook_id,
  event_id: row => row.event_id,
  resource_id: row => row.resource_id,
  attempts: row => row.attempts,
  response_status: row => row.response_status,
  failure: row => row.failure,
  attempted_at: row => row.attempted_at,
  next_attempt_at: row => row.next_attempt_at,
  finished_at: row => row.finished_at,
  created_at: row => row.created_at,
}

export const eventColumns: Columns<z.infer<typeof event>> = {
  id: row => row.id,
  type: row => row.type,
  resource_id: row => row.resource_id,
  changed_fields: row => listed(row.diff.before === null ? [] : Object.keys(row.diff.after ?? {})),
  related_ids: row => listed(row.related_ids),
  created_at: row => row.created_at,
}

export const requestColumns: Columns<z.infer<typeof request>> = {
  id: row => row.id,
  method: row => row.method,
  route: row => row.route,
  status: row => row.status,
  error: row => row.sub_type,
  duration_ms: row => row.ms,
  actor: row => row.actor,
  source: row => row.source,
  version: row => row.version,
  idempotency: row => row.idempotency,
  resource_ids: row => listed(row.resource_ids),
  created_at: row => row.created_at,
}
