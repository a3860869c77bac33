import { recordOperatorAction } from '../../platform/audit/store.js'
import { createId } from '../../platform/crypto/random.js'
import type { Vault } from '../../platform/crypto/vault.js'
import { jsonColumn } from '../../platform/db/json-column.js'
import { lockRows } from '../../platform/db/row-locks.js'
import type { Tables } from '../../platform/db/tables.js'
import type { Db, Store } from '../../platform/db/types.js'
import type { PayeeDetails, PayeeInput } from './payee.js'
import { foldPerson } from './person.js'

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

/**
 * Adds proposals in place of the merchants' earlier ones. Each waits for a second person.
 * @returns the ids, in the order of the input
 */
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
    // Imports lock merchants in the same order.
    for (const row of rows.toSorted((one, other) => (one.mch_id < other.mch_id ? -1 : 1))) {
      await replaceProposals(tx, await lockMerchant(tx, row.mch_id), row.id, by, now)
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
  | { status: 'same_person' | 'not_proposed' | 'replaced'; row?: undefined }

/**
 * Makes a proposal the merchant's payee, in place of the earlier one. The person who proposed it can't confirm it.
 * @param by a person's name. Spelling, spaces and the order of words do not make another person of it
 */
export const confirmPayee = (store: Store, id: string, by: string, now: number): Promise<Confirmation> =>
  store.write(async tx => {
    const payee = await tx.selectFrom('payees').select('mch_id').where('id', '=', id).executeTakeFirst()
    if (!payee) return { status: 'not_proposed' }
    const rows = await lockMerchant(tx, payee.mch_id)
    const proposals = rows.filter(({ status }) => status === 'proposed')
    const proposal = proposals.find(row => row.id === id)
    // Two imports at the same time can both have added a proposal. Only the later one counts.
    if (proposal && proposal !== proposals.at(-1)) return { status: 'replaced' }
    if (!proposal) return { status: (await isReplaced(tx, id)) ? 'replaced' : 'not_proposed' }
    // mutant: payee-needs-a-second-person (false)
    if (foldPerson(proposal.proposed_by) === foldPerson(by)) return { status: 'same_person' }
    await replaceProposals(tx, rows, id, by, now)
    const active = rows.find(({ status }) => status === 'active')
    if (active) await decide(tx, active.id, 'active', 'replaced', by, now)
    const row = await decide(tx, id, 'proposed', 'active', by, now)
    if (!row) return { status: 'not_proposed' }
    await recordOperatorAction(tx, now, 'payee.confirm', null, id, null, { actor: by })
    return { status: 'confirmed', row }
  })

/** Ends a merchant's proposals in favor of another one. */
async function replaceProposals(tx: Db, rows: PayeeRow[], latest: string, by: string, now: number): Promise<void> {
  // mutant: payee-one-proposal (false)
  for (const { id, status } of rows)
    if (status === 'proposed' && id !== latest) {
      await decide(tx, id, 'proposed', 'replaced', by, now)
      await recordOperatorAction(tx, now, 'payee.replace', null, id, null, { actor: by })
    }
}

/** Locks a merchant's proposals and active payee, so that two changes follow each other. */
const lockMerchant = (tx: Db, merchant: string): Promise<PayeeRow[]> =>
  lockRows(
    tx,
    tx
      .selectFrom('payees')
      .selectAll()
      .where('mch_id', '=', merchant)
      .where('status', 'in', ['proposed', 'active'])
      .orderBy('id'),
  ).execute()

const isReplaced = async (tx: Db, id: string): Promise<boolean> =>
  (await tx
    .selectFrom('payees')
    .select('id')
    .where('id', '=', id)
    .where('status', '=', 'replaced')
    .executeTakeFirst()) !== undefined

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
