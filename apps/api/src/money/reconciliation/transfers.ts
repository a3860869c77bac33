/** Finds the resources of transfers at a provider, and remembers their lines. */
import type { PaymentStatus } from '@causeway/contract/resources/payment'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/types.js'
import { feeOf } from '../payments/show.js'
import type { ExpectedTransfer, LinkedTransfer } from './compare.js'

/** The number of ids in one query, and of lines in one step. */
export const BATCH_SIZE = 500

/** The provider whose objects are read, and the team that they belong to. */
export interface TransferScope {
  team: string
  provider: string
}

/** Finds payments and reversals by id. At most {@link BATCH_SIZE} ids. */
export async function findResources(
  db: Db,
  team: string,
  ids: readonly string[],
): Promise<Map<string, ExpectedTransfer>> {
  const resources = new Map<string, ExpectedTransfer>()
  if (ids.length === 0) return resources
  const payments = await db
    .selectFrom('payments')
    .select(['id', 'amount', 'fee', 'status', 'simulated'])
    .where('team_id', '=', team)
    .where('id', 'in', ids)
    .execute()
  for (const { id, amount, fee, status, simulated } of payments)
    resources.set(id, {
      ...{ kind: 'payment', id, amount: amount - feeOf({ fee }), status: status as PaymentStatus },
      isSimulated: simulated === 1,
    })
  const reversals = await db
    .selectFrom('reversals')
    .select(['id', 'amount', 'status'])
    .where('team_id', '=', team)
    .where('id', 'in', ids)
    .execute()
  for (const { id, amount, status } of reversals)
    resources.set(id, { kind: 'reversal', id, amount, status, isSimulated: false })
  return resources
}

/**
 * Finds the resources of transfers, by the provider's ids. Transfers of the same resource share the lines that were
 * seen, so that a payment that left by two transfers is noticed.
 */
export async function findTransfers(
  db: Db,
  { team, provider }: TransferScope,
  externalIds: readonly string[],
): Promise<Map<string, LinkedTransfer>> {
  const transfers = new Map<string, LinkedTransfer>()
  if (externalIds.length === 0) return transfers
  const objects = await db
    .selectFrom('provider_objects')
    .select(['external_id', 'kind', 'resource_id'])
    .where('team_id', '=', team)
    .where('provider', '=', provider)
    .where('external_id', 'in', externalIds)
    .execute()
  const ids = [...new Set(objects.map(({ resource_id }) => resource_id))]
  const resources = await findResources(db, team, ids)
  const seen = await findSeenLines(db, { team, provider }, ids)
  for (const { external_id, kind, resource_id } of objects) {
    const resource = resources.get(resource_id) ?? null
    const isMoney = kind === 'payment' || kind === 'reversal'
    if (resource || !isMoney) transfers.set(external_id, { resource, seen: seen.get(resource_id)! })
  }
  return transfers
}

/** Finds the lines that were seen of resources. */
export async function findSeenLines(db: Db, { team, provider }: TransferScope, ids: readonly string[]) {
  const seen = new Map(ids.map(id => [id, { line_id: null, return_line_id: null } as LinkedTransfer['seen']]))
  if (ids.length === 0) return seen
  const rows = await db
    .selectFrom('provider_objects')
    .select(['provider', 'resource_id', 'line_id', 'return_line_id', 'created_at'])
    .where('team_id', '=', team)
    .where('resource_id', 'in', ids)
    .execute()
  // Not part of the query, which would then read all objects of the provider.
  const own = rows.filter(row => row.provider === provider).sort((one, other) => one.created_at - other.created_at)
  for (const { resource_id, line_id, return_line_id } of own) {
    const lines = seen.get(resource_id)!
    lines.line_id ??= line_id
    lines.return_line_id ??= return_line_id
  }
  return seen
}

/** A line to remember on the transfer that caused it. */
export interface SeenLine {
  transfer: string
  column: 'line_id' | 'return_line_id'
  line: string
}

/**
 * Remembers lines, unless the transfer already has one. Passes the lines as an object, because PostgreSQL's `json_each`
 * does not accept a list.
 */
export async function rememberLines(db: Db, { team, provider }: TransferScope, lines: readonly SeenLine[]) {
  for (const column of ['line_id', 'return_line_id'] as const) {
    const byTransfer = new Map(lines.filter(each => each.column === column).map(each => [each.transfer, each.line]))
    if (byTransfer.size === 0) continue
    const pairs = JSON.stringify({ ...[...byTransfer] })
    await db
      .updateTable('provider_objects')
      .from(sql<{ value: unknown }>`json_each(${pairs})`.as('pair'))
      .set({ [column]: sql<string>`pair.value ->> 1` })
      .where('team_id', '=', team)
      .where('provider', '=', provider)
      .where('external_id', 'in', [...byTransfer.keys()])
      .where(column, 'is', null)
      .where(sql<boolean>`pair.value ->> 0 = provider_objects.external_id`)
      .execute()
  }
}
