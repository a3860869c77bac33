import { recordOperatorAction } from '../../platform/audit/store.js'
import { createId } from '../../platform/crypto/random.js'
import type { Vault } from '../../platform/crypto/vault.js'
import { jsonColumn } from '../../platform/db/json-column.js'
import { lockRows } from '../../platform/db/row-locks.js'
import type { Tables } from '../../platform/db/tables.js'
import type { Db, Store } from '../../platform/db/types.js'
import type { PayeeDetails, PayeeInput } from './payee.js'

type PayeeRow = Tables['payees']
const detailsJson = jsonColumn<PayeeDetails>('payees.details')
const placeOf = (id: string) => ({ id, field: 'payees' })
const sealerOf = (vault: Vault, wrapped: string) => vault.sealer('payees', wrapped)

export const openDetails = (vault: Vault, row: Pick<PayeeRow, 'id' | 'data_key' | 'details'>): PayeeDetails =>
  detailsJson.read(sealerOf(vault, row.data_key).open(placeOf(row.id), row.details))

/** An active payee, as payments use it. */
export interface ActivePayee {
  details: PayeeDetails
  max_amount: number | null
}

/** Returns the active payees of these merchants, by merchant. */
export async function findActivePayees(
  { store, vault }: { store: Store; vault: Vault },
  merchants: readonly string[],
): Promise<ReadonlyMap<string, ActivePayee>> {
  if (merchants.length === 0) return new Map()
  const rows = await store.reader
    .selectFrom('payees')
    .select(['id', 'mch_id', 'data_key', 'details', 'max_amount'])
    .where('mch_id', 'in', merchants)
    .where('status', '=', 'active')
    .execute()
  return new Map(
    rows.map(row => [row.mch_id, { details: openDetails(vault, row), max_amount: row.max_amount }] as const),
  )
}

/** Selects proposed and active payees, by merchant. */
export const selectPayees = (db: Db) =>
  db
    .selectFrom('payees')
    .selectAll()
    .where('status', 'in', ['proposed', 'active'])
    .orderBy('mch_id')
    .orderBy('id')
    .execute()

/** Adds proposals. Each waits for a second person. @returns the ids, in the order of the input */
export async function proposePayees(
  { store, vault }: { store: Store; vault: Vault },
  inputs: readonly PayeeInput[],
  by: string,
  now: number,
): Promise<string[]> {
  const rows = inputs.map(({ mch_id, details, max_amount, note }): PayeeRow => {
    const id = createId('payee', now)
    const data_key = vault.createTeamKey('payees')
    const sealed = sealerOf(vault, data_key).seal(placeOf(id), detailsJson.write(details))
    const { route } = details
    const decision = { decided_by: null, decided_at: null }
    return {
      ...{ id, mch_id, status: 'proposed', route, data_key, details: sealed, max_amount, note },
      ...{ proposed_by: by, proposed_at: now, ...decision },
    }
  })
  await store.write(async tx => {
    for (const row of rows) {
      await tx.insertInto('payees').values(row).execute()
      await recordOperatorAction(tx, now, 'payee.propose', null, row.id, null, { actor: by })
    }
  })
  return rows.map(({ id }) => id)
}

/** Ends a proposal or an active payee. @returns the row, or undefined if it has another status */
async function decide(
  tx: Db,
  id: string,
  from: PayeeRow['status'],
  to: PayeeRow['status'],
  by: string,
  now: number,
): Promise<PayeeRow | undefined> {
  return tx
    .updateTable('payees')
    .set({ status: to, decided_by: by, decided_at: now })
    .where('id', '=', id)
    .where('status', '=', from)
    .returningAll()
    .executeTakeFirst()
}

export type Confirmation =
  | { status: 'confirmed'; row: PayeeRow }
  | { status: 'same_person' | 'not_proposed'; row?: undefined }

/**
 * Makes a proposal the merchant's payee, in place of the earlier one. The person who proposed it can't confirm it.
 * @param by a person's name. Spelling and spaces do not make another person of it
 */
export const confirmPayee = (store: Store, id: string, by: string, now: number): Promise<Confirmation> =>
  store.write(async tx => {
    const rows = await lockPayees(tx, id)
    const proposal = rows.find(row => row.id === id && row.status === 'proposed')
    if (!proposal) return { status: 'not_proposed' }
    // mutant: payee-needs-a-second-person (false)
    if (foldPerson(proposal.proposed_by) === foldPerson(by)) return { status: 'same_person' }
    const active = rows.find(({ status }) => status === 'active')
    if (active) await decide(tx, active.id, 'active', 'replaced', by, now)
    const row = await decide(tx, id, 'proposed', 'active', by, now)
    if (!row) return { status: 'not_proposed' }
    await recordOperatorAction(tx, now, 'payee.confirm', null, id, null, { actor: by })
    return { status: 'confirmed', row }
  })

/** Locks the proposals and the active payee of a payee's merchant, so that two confirmations follow each other. */
async function lockPayees(tx: Db, id: string): Promise<PayeeRow[]> {
  const payee = await tx.selectFrom('payees').select('mch_id').where('id', '=', id).executeTakeFirst()
  if (!payee) return []
  const query = tx
    .selectFrom('payees')
    .selectAll()
    .where('mch_id', '=', payee.mch_id)
    .where('status', 'in', ['proposed', 'active'])
    .orderBy('id')
  return lockRows(tx, query).execute()
}

const foldPerson = (name: string): string => name.normalize('NFKC').toLowerCase().replace(/\s+/gu, '')

/** Rejects a proposal, or removes an active payee, which needs no second person. @returns the row, if there was one */
export const endPayee = (store: Store, id: string, by: string, now: number): Promise<PayeeRow | undefined> =>
  store.write(async tx => {
    const row =
      (await decide(tx, id, 'proposed', 'rejected', by, now)) ?? (await decide(tx, id, 'active', 'removed', by, now))
    if (row)
      await recordOperatorAction(tx, now, row.status === 'removed' ? 'payee.remove' : 'payee.reject', null, id, null, {
        actor: by,
      })
    return row
  })
