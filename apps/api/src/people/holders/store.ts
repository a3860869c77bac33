import { compiled } from '../../platform/db/compiled-query.js'
import { lockRows } from '../../platform/db/row-locks.js'
import type { Db } from '../../platform/db/store.js'
import { findRow, lockRow, orNotFound } from '../../platform/rows.js'
import type { Scope } from '../../platform/scope.js'
import { type AccountRow, isShared, type PayingAccount, payingColumns } from './account.js'
import type { EntityRow } from './entity.js'
import type { Holder, Product } from './product.js'
import { kindOf } from './product-rules.js'

export const findEntity = (scope: Scope, id: string): Promise<EntityRow | undefined> => findRow(scope, 'entities', id)

/** Finds an entity and locks it until the transaction ends. */
export const lockEntity = (scope: Scope, id: string): Promise<EntityRow | undefined> => lockRow(scope, 'entities', id)

/** Matches the accounts that a team can see. The API treats all others as nonexistent. */
const sharedBy = (db: Db, team: string) =>
  db
    .selectFrom('accounts')
    .where('accounts.team_id', '=', team)
    // mutant: no-products-before-consent (remove)
    .where('awaits_consent', 'is', null)
export const sharedAccounts = (db: Db, team: string) => sharedBy(db, team).selectAll('accounts')
const selectAccount = compiled((db, { team, id }: { team: string; id: string }) =>
  sharedAccounts(db, team).where('accounts.id', '=', id),
)
const selectAccounts = compiled((db, { team, ids }: { team: string; ids: readonly string[] }) =>
  sharedAccounts(db, team).where('accounts.id', 'in', ids),
)
const selectPayingAccounts = compiled((db, { team, ids }: { team: string; ids: readonly string[] }) =>
  sharedBy(db, team).select(payingColumns).where('accounts.id', 'in', ids),
)

export async function findAccount(scope: Scope, id: string): Promise<AccountRow | undefined> {
  return selectAccount.first(scope.db, { team: scope.team.id, id })
}

/** Finds an account and locks it until the transaction ends. */
export async function lockAccount(scope: Scope, id: string): Promise<AccountRow | undefined> {
  return lockRows(scope.db, sharedAccounts(scope.db, scope.team.id).where('accounts.id', '=', id)).executeTakeFirst()
}

/** Finds one of the team's accounts, even if it is awaiting consent. Does not find a hidden account. */
export async function findAccountOrPending(scope: Scope, id: string): Promise<AccountRow | undefined> {
  const row = await findRow(scope, 'accounts', id)
  return row?.hidden_at === null ? row : undefined
}

/** Finds an account of any kind for the person or for a job, and locks it until the transaction ends. */
export const lockAnyAccount = (scope: Scope, id: string): Promise<AccountRow | undefined> =>
  lockRow(scope, 'accounts', id)

/** Finds the team's accounts with these ids, in no particular order. */
export async function findAccounts(scope: Scope, ids: readonly string[]): Promise<AccountRow[]> {
  if (ids.length === 0) return []
  return selectAccounts.all(scope.db, { team: scope.team.id, ids })
}

/** Finds accounts as {@link findAccounts} does, with only the columns that payments read. */
export async function findPayingAccounts(scope: Scope, ids: readonly string[]): Promise<PayingAccount[]> {
  if (ids.length === 0) return []
  return selectPayingAccounts.all(scope.db, { team: scope.team.id, ids })
}

/** The base path of each kind of holder, with the parameter for its id. */
export const bases = { entity: '/entities/:ent_id', account: '/accounts/:acc_id' } as const

/** Finds a holder of either kind for a job, even if it is an account that the team can't see. */
export function findHolder(scope: Scope, id: string): Promise<Holder | undefined> {
  return kindOf(id) === 'entity' ? findEntity(scope, id) : findRow(scope, 'accounts', id)
}

/** Finds a holder as {@link findHolder} does, and locks it until the transaction ends. */
export const lockHolder = (scope: Scope, id: string): Promise<Holder | undefined> =>
  kindOf(id) === 'entity' ? lockEntity(scope, id) : lockAnyAccount(scope, id)

/** Returns true if the team can see a holder. Pure. */
export const isVisible = (holder: Holder): boolean => !('awaits_consent' in holder) || isShared(holder)

/** Path parameters for both kinds of holder. A path contains only one of them. */
interface Params {
  readonly ent_id: string
  readonly acc_id: string
}

/** Finds the holder named in a path. Throws NOT_FOUND if the holder does not exist or belongs to another team. */
export async function findHolderOfPath(scope: Scope, kind: Product['holder'], params: Params): Promise<Holder> {
  return orNotFound(await (kind === 'entity' ? findEntity(scope, params.ent_id) : findAccount(scope, params.acc_id)))
}

/** Finds a holder as {@link findHolderOfPath} does, and locks it until the transaction ends. */
export async function lockHolderOfPath(scope: Scope, kind: Product['holder'], params: Params): Promise<Holder> {
  return orNotFound(await (kind === 'entity' ? lockEntity(scope, params.ent_id) : lockAccount(scope, params.acc_id)))
}
