import { ServiceError } from '@causeway/contract/errors'
import type { Ctx, Scope } from '../../platform/scope.js'
import { updateAccount } from '../accounts/change.js'
import { findAccount, lockAccount } from '../accounts/store.js'
import { findEntity, lockEntity, updateEntity } from '../entities/store.js'
import type { AccountRow } from './account.js'
import type { EntityRow } from './entity.js'
import type { Holder, Preferences, Product } from './product.js'
import { kindOf } from './product-rules.js'

/** The base path of each kind of holder, with the parameter for its id. */
export const bases = { entity: '/entities/:ent_id', account: '/accounts/:acc_id' } as const

/** Reads the request's Prefer header. */
export const readPreferences = (ctx: Ctx): Preferences => ({
  async: /\brespond-async\b/.test(ctx.header('prefer') ?? ''),
})

/** Finds one of the team's entities. Throws NOT_FOUND if the entity does not exist or belongs to another team. */
export async function findEntityOrThrow(scope: Scope, id: string | undefined): Promise<EntityRow> {
  const row = await findEntity(scope, id ?? '')
  if (!row) throw new ServiceError('NOT_FOUND')
  return row
}

/** Finds one of the team's accounts. Throws NOT_FOUND if the account does not exist or belongs to another team. */
export async function findAccountOrThrow(scope: Scope, id: string | undefined): Promise<AccountRow> {
  const row = await findAccount(scope, id ?? '')
  if (!row) throw new ServiceError('NOT_FOUND')
  return row
}

/** Finds an entity as {@link findEntityOrThrow} does, and locks it until the transaction ends. */
export async function lockEntityOrThrow(scope: Scope, id: string): Promise<EntityRow> {
  const row = await lockEntity(scope, id)
  if (!row) throw new ServiceError('NOT_FOUND')
  return row
}

/** Finds an account as {@link findAccountOrThrow} does, and locks it until the transaction ends. */
export async function lockAccountOrThrow(scope: Scope, id: string): Promise<AccountRow> {
  const row = await lockAccount(scope, id)
  if (!row) throw new ServiceError('NOT_FOUND')
  return row
}

/** Finds a holder of either kind by its id. */
export function findHolder(scope: Scope, id: string): Promise<Holder | undefined> {
  return kindOf(id) === 'entity' ? findEntity(scope, id) : findAccount(scope, id)
}

/** Path parameters for both kinds of holder. A path contains only one of them. */
interface Params {
  readonly ent_id: string
  readonly acc_id: string
}

/** Finds the holder named in a path. Throws NOT_FOUND if the holder does not exist or belongs to another team. */
export const findHolderOfPath = (scope: Scope, kind: Product['holder'], params: Params): Promise<Holder> =>
  kind === 'entity' ? findEntityOrThrow(scope, params.ent_id) : findAccountOrThrow(scope, params.acc_id)

/** Finds a holder as {@link findHolderOfPath} does, and locks it until the transaction ends. */
export const lockHolderOfPath = (scope: Scope, kind: Product['holder'], params: Params): Promise<Holder> =>
  kind === 'entity' ? lockEntityOrThrow(scope, params.ent_id) : lockAccountOrThrow(scope, params.acc_id)

/** Changes a holder's row and emits its event. */
export async function updateHolder(scope: Scope, before: Holder, change: { subscribed: string }): Promise<void> {
  if (kindOf(before.id) === 'entity') await updateEntity(scope, before as EntityRow, change)
  else await updateAccount(scope, before as AccountRow, change)
}
