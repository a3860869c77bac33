import { entityProducts } from '@causeway/contract/products/of-entities'
import { lockRows } from '../../platform/db/row-locks.js'
import type { Scope } from '../../platform/scope.js'
import { updateAccount } from '../accounts/change.js'
import { updateEntityLater } from '../entities/store.js'
import type { AccountRow } from '../holders/account.js'
import { type AgreedProducts, agreedJson, agreedProducts, unionOf } from '../holders/consent-rules.js'
import type { EntityRow } from '../holders/entity.js'

const names: string[] = entityProducts.map(({ name }) => name)
const connecting: ReadonlySet<string> = new Set(['connect', 'manual_connect'])

const write = (products: AgreedProducts): string | null => products && agreedJson.write(products)

/**
 * Limits the customer's access to a person to the products of a session that finds accounts, or adds the products to the
 * limit. The caller has locked the entity.
 *
 * A person whom the customer connected through the API, or is connecting when the limit starts, is not limited. Otherwise,
 * products that the customer has already received through the API stay available.
 * @param latest the ids of the person's latest records by product, if the transaction has read them
 */
export async function limitAccess(
  scope: Scope,
  entity: EntityRow,
  asks: AgreedProducts,
  latest?: Readonly<Record<string, string>>,
): Promise<EntityRow> {
  if (entity.agreed !== null) return widenAccess(scope, entity, asks, latest)
  if (asks === null) return entity
  const hasRecords = latest === undefined || names.some(name => name in latest)
  const received = hasRecords ? await receivedProducts(scope, entity.id) : []
  // mutant: api-connect-is-not-limited (false)
  if (received.some(name => connecting.has(name))) return entity
  return (await updateEntityLater(scope, entity, { agreed: write(unionOf(asks, received)) }, latest)).row
}

/** Adds products to the limit of a person and of their accounts. Does nothing if access is not limited. */
export async function widenAccess(
  scope: Scope,
  entity: EntityRow,
  asks: AgreedProducts,
  latest?: Readonly<Record<string, string>>,
): Promise<EntityRow> {
  const before = agreedProducts(entity)
  const after = unionOf(before, asks)
  if (before === null || after?.length === before.length) return entity
  const query = scope.db
    .selectFrom('accounts')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('holder_id', '=', entity.id)
    .where('agreed', 'is not', null)
    .orderBy('id')
  for (const account of await lockRows(scope.db, query).execute()) await widenAccount(scope, account, asks)
  return (await updateEntityLater(scope, entity, { agreed: write(after) }, latest)).row
}

/** Adds products to the limit of an account. The caller has locked the account. */
export async function widenAccount(scope: Scope, account: AccountRow, asks: AgreedProducts): Promise<void> {
  const before = agreedProducts(account)
  const after = unionOf(before, asks)
  if (before !== null && after?.length !== before.length) await updateAccount(scope, account, { agreed: write(after) })
}

/** Returns the products of a person's records that have data, and of searches for accounts that are running. */
async function receivedProducts({ db, team }: Scope, entity: string): Promise<string[]> {
  const rows = await db
    .selectFrom('records')
    .select('product')
    .distinct()
    .where('team_id', '=', team.id)
    .where('holder_id', '=', entity)
    .where('product', 'in', names)
    .where(is =>
      is.or([
        is('data', 'is not', null),
        // mutant: running-api-connect-is-not-limited (remove)
        is.and([is('product', 'in', [...connecting]), is('status', 'in', ['pending', 'in_progress'])]),
      ]),
    )
    .execute()
  return rows.map(({ product }) => product)
}
