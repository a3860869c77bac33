import type { CardDetails } from '@causeway/connector/ports/account-data'
import { createId } from '../../platform/crypto/random.js'
import type { Scope } from '../../platform/scope.js'
import { sealer } from '../../platform/scope.js'
import type { AccountRow } from '../holders/account.js'
import { sealAccountDetails } from '../holders/account-details.js'
import { sharedAccounts } from '../holders/store.js'

/** Selects the accounts with these ids that belong to a holder, except those that are awaiting consent. */
export const selectAccounts = ({ db, team }: Scope, holder: string, ids: readonly string[]) =>
  sharedAccounts(db, team.id).where('accounts.holder_id', '=', holder).where('accounts.id', 'in', ids)

/** Selects all of an entity's liabilities to show to the person, including those awaiting consent. */
export const selectLiabilities = ({ db, team }: Scope, holder: string) =>
  db
    .selectFrom('accounts')
    .selectAll('accounts')
    .where('accounts.team_id', '=', team.id)
    .where('accounts.holder_id', '=', holder)
    .where('accounts.type', '=', 'liability')

export type NewAccount = Partial<AccountRow> & Pick<AccountRow, 'holder_id' | 'type'>

/**
 * Stores a new account. `number` and `card` are passed in plain text and stored sealed.
 * @returns undefined if the holder already has that debt
 */
export async function insertAccount(
  scope: Scope,
  input: NewAccount,
  number: string | null,
  card: CardDetails | null = null,
): Promise<AccountRow | undefined> {
  const id = createId('account', scope.now)
  const row: AccountRow = {
    id,
    team_id: scope.team.id,
    status: 'active',
    ach_type: null,
    routing: null,
    number_hash: null,
    mch_id: null,
    mask: null,
    ownership: null,
    fingerprint: null,
    liability_type: null,
    sub_type: null,
    name: null,
    reference: null,
    payable: 'no',
    supports: '[]',
    verified_at: null,
    proven: '[]',
    subscribed: '[]',
    awaits_consent: null,
    hidden_at: null,
    shared_at: null,
    agreed: null,
    withdrawn_at: null,
    error: null,
    metadata: null,
    created_at: scope.now,
    updated_at: scope.now,
    ...input,
    details: card && sealAccountDetails(scope, id, { card, address: null }),
    number:
      number === null
        ? null
        : /* mutant: account-numbers-are-sealed (argument 2) */ sealer(scope).seal({ id, field: 'number' }, number),
  }
  return scope.db
    .insertInto('accounts')
    .values(row)
    .onConflict(conflict =>
      conflict.columns(['team_id', 'holder_id', 'reference']).where('reference', 'is not', null).doNothing(),
    )
    .returningAll()
    .executeTakeFirst()
}

/** Returns the ids of a holder's accounts, keyed by the network's reference for each account. */
export async function idsByReference(scope: Scope, holder: string): Promise<Map<string, string>> {
  const rows = await scope.db
    .selectFrom('accounts')
    .select(['id', 'reference'])
    .where('team_id', '=', scope.team.id)
    .where('holder_id', '=', holder)
    .where('reference', 'is not', null)
    .execute()
  return new Map(rows.map(row => [row.reference!, row.id]))
}
