import { type ErrorSubType, ServiceError } from '@causeway/contract/errors'
import { sql } from 'kysely'
import { emitAll, type ResourceChange } from '../../notify/emit.js'
import { deriveId } from '../../platform/crypto/random.js'
import type { Scope } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import { isAgreed } from '../holders/consent-rules.js'
import type { Body, Holder, SomeOffer } from '../holders/product.js'
import { kindOf, offersOf, productAvailability } from '../holders/product-rules.js'
import { findLatestIds } from './store.js'

/** The ids of a product's latest record and of its latest completed record. */
export interface RecordIds {
  latest: string | null
  successful: string | null
}

const noRecords: RecordIds = { latest: null, successful: null }

/** Derives a product's id from its holder and name, because a product has no row. */
const productId = (holder: Holder, offer: SomeOffer): string => deriveId('product', holder.id, offer.name)

/** Returns the reason that a product can't be used, in the format of product objects. */
function statusError({ subType, message }: { subType: ErrorSubType; message?: string }): unknown {
  return new ServiceError(
    subType === 'ENTITY_VERIFICATION_MISSING'
      ? 'ENTITY_IDENTITY_VERIFICATION_MISSING'
      : subType === 'INVALID_ENTITY_TYPE'
        ? 'PRODUCT_UNAVAILABLE'
        : subType,
    message,
  ).body()
}

/** Returns one of a holder's products in its GET format. */
export function showProduct(scope: Scope, offer: SomeOffer, holder: Holder, requests: RecordIds): Body {
  const answer = productAvailability(scope, offer, holder)
  const { latest, successful } = isAgreed(holder, offer.name) ? requests : noRecords
  return {
    id: productId(holder, offer),
    name: offer.name,
    status: answer.status,
    status_error: answer.status === 'available' ? null : statusError(answer),
    latest_request_id: latest,
    latest_successful_request_id: successful,
    is_subscribable: offer.subscriptions.length > 0,
    created_at: showTime(holder.created_at),
    updated_at: showTime(holder.updated_at),
  }
}

/** Returns a function that looks up the ids of a holder's latest records by product. */
export const loadRecordIds = async (scope: Scope, holder: string): Promise<(product: string) => RecordIds> =>
  (await readRecordIds(scope, holder)).requests

/** In one query, reads the ids of a holder's latest records and of its latest completed records. */
async function readRecordIds(scope: Scope, holder: string) {
  const rows = await scope.db
    .selectFrom('latest')
    .select(['product', 'record_id as id', sql<number>`0`.as('completed')])
    .where('team_id', '=', scope.team.id)
    .where('holder_id', '=', holder)
    .unionAll(
      scope.db
        .selectFrom('records')
        .select(['product', query => query.fn.max<string>('id').as('id'), sql<number>`1`.as('completed')])
        .where('team_id', '=', scope.team.id)
        .where('holder_id', '=', holder)
        .where('status', '=', 'completed')
        .groupBy('product'),
    )
    .execute()
  const byProduct = (completed: number) =>
    Object.fromEntries(rows.filter(row => Number(row.completed) === completed).map(row => [row.product, row.id]))
  const latest = byProduct(0)
  const successful = byProduct(1)
  const requests = (product: string): RecordIds => ({
    latest: latest[product] ?? null,
    successful: successful[product] ?? null,
  })
  return { latest, requests }
}

/**
 * Emits an event for each product whose availability changed because its holder changed. For a new holder, emits an
 * event for each product that is not `unavailable`.
 */
export async function emitProductChanges(scope: Scope, before: Holder | null, after: Holder): Promise<void> {
  await emitAll(scope, await productChanges(scope, before, after))
}

const showProductEvent = (scope: Scope, offer: SomeOffer, holder: Holder, requests: RecordIds): Body => ({
  ...showProduct(scope, offer, holder, requests),
  [`${kindOf(holder.id)}_id`]: holder.id,
})

/** Returns the events that {@link emitProductChanges} emits. */
export async function productChanges(scope: Scope, before: Holder | null, after: Holder): Promise<ResourceChange[]> {
  if (before !== null) return (await holderChanges(scope, before, after)).products
  const none = { latest: null, successful: null }
  return offersOf(scope.deps.offers, kindOf(after.id))
    .filter(offer => productAvailability(scope, offer, after).status !== 'unavailable')
    .map(offer => ({ type: 'product.create', after: showProductEvent(scope, offer, after, none), before: null }))
}

/**
 * Returns the context of an event about a holder: the ids of the holder's latest records by product, and the events for
 * products whose availability changed. Runs at most one query.
 * @param loaded the ids, if the transaction has already read them
 */
export async function holderChanges(
  scope: Scope,
  before: Holder,
  after: Holder,
  loaded?: Readonly<Record<string, string>>,
): Promise<{ latest: Readonly<Record<string, string>>; products: ResourceChange[] }> {
  const answer = (offer: SomeOffer, holder: Holder) => JSON.stringify(productAvailability(scope, offer, holder))
  const changed = offersOf(scope.deps.offers, kindOf(after.id)).filter(
    offer => answer(offer, before) !== answer(offer, after),
  )
  if (changed.length === 0)
    return { latest: loaded ?? (await findLatestIds(scope, [after.id])).get(after.id) ?? {}, products: [] }
  const { latest, requests } = await readRecordIds(scope, after.id)
  const products = changed.map(
    (offer): ResourceChange => ({
      type: 'product.update',
      after: showProductEvent(scope, offer, after, requests(offer.name)),
      before: showProductEvent(scope, offer, before, requests(offer.name)),
    }),
  )
  return { latest, products }
}
