import { ServiceError } from '@causeway/contract/errors'
import type { Ctx, Scope } from '../../platform/scope.js'
import type { AccountRow } from '../accounts/account.js'
import { updateAccount } from '../accounts/change.js'
import { findAccount, lockAccount } from '../accounts/store.js'
import type { EntityRow } from '../entities/entity.js'
import { findEntity, lockEntity, updateEntity } from '../entities/store.js'
import type { Holder, Manner, Product } from './product.js'
import { kindOf } from './rules.js'

/** The place of a kind of holder in a path, and the name of its id. */
export const bases = { entity: '/entities/:ent_id', account: '/accounts/:acc_id' } as const

/** The parameters of a request for a product. */
export const mannerOf = (ctx: Ctx): Manner => ({
  async: /\brespond-async\b/.test(ctx.header('prefer') ?? ''),
})

/** The team's entity of that id. Throws NOT_FOUND, for another team's too. */
export async function entityById(scope: Scope, id: string | undefined): Promise<EntityRow> {
  const row = await findEntity(scope, id ?? '')
  if (!row) throw new ServiceError('NOT_FOUND')
  return row
}

/** The team's account of that id. Throws NOT_FOUND, for another team's too. */
export async function accountById(scope: Scope, id: string | undefined): Promise<AccountRow> {
  const row = await findAccount(scope, id ?? '')
  if (!row) throw new ServiceError('NOT_FOUND')
  return row
}

/** The team's entity of that id, held until the transaction ends. Throws NOT_FOUND, for another team's too. */
export async function lockEntityById(scope: Scope, id: string): Promise<EntityRow> {
  const row = await lockEntity(scope, id)
  if (!row) throw new ServiceError('NOT_FOUND')
  return row
}

/** The team's account of that id, held until the transaction ends. Throws NOT_FOUND, for another team's too. */
export async function lockAccountById(scope: Scope, id: string): Promise<AccountRow> {
  const row = await lockAccount(scope, id)
  if (!row) throw new ServiceError('NOT_FOUND')
  return row
}

/** The holder of that id, of either kind. */
export function holderOf(scope: Scope, id: string): Promise<Holder | undefined> {
  return kindOf(id) === 'entity' ? findEntity(scope, id) : findAccount(scope, id)
}

/** The parameters of the paths of both kinds: a path has the one of its own. */
interface Params {
  readonly ent_id: string
  readonly acc_id: string
}

/** The holder that a path names. Throws NOT_FOUND, for another team's too. */
export const holderOfPath = (scope: Scope, kind: Product['holder'], params: Params): Promise<Holder> =>
  kind === 'entity' ? entityById(scope, params.ent_id) : accountById(scope, params.acc_id)

/** The same, held until the transaction ends. */
export const lockHolderOfPath = (scope: Scope, kind: Product['holder'], params: Params): Promise<Holder> =>
  kind === 'entity' ? lockEntityById(scope, params.ent_id) : lockAccountById(scope, params.acc_id)

/** Changes a holder's row and tells of it. */
export async function saveHolder(scope: Scope, before: Holder, change: { subscribed: string }): Promise<void> {
  if (kindOf(before.id) === 'entity') await updateEntity(scope, before as EntityRow, change)
  else await updateAccount(scope, before as AccountRow, change)
}
