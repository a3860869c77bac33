import { type ErrorSubType, ServiceError } from '@causeway/contract/errors'
import { type Change, emitAll } from '../../notify/events/store.js'
import { idOf } from '../../platform/crypto/random.js'
import type { Scope } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import type { Body, Holder } from './product.js'
import { kindOf, offersOf, type SomeOffer } from './rules.js'
import { pointers } from './store.js'

/** The newest record of a product, and the newest that was completed. */
export interface Requests {
  latest: string | null
  successful: string | null
}

/** A product of a holder has no row: its id follows from both. */
const productId = (holder: Holder, offer: SomeOffer): string => idOf('product', holder.id, offer.name)

/** Why a product cannot be used, in the words of product objects. */
function statusError({ because, says }: { because: ErrorSubType; says?: string }): unknown {
  return new ServiceError(
    because === 'ENTITY_VERIFICATION_MISSING'
      ? 'ENTITY_IDENTITY_VERIFICATION_MISSING'
      : because === 'INVALID_ENTITY_TYPE'
        ? 'PRODUCT_UNAVAILABLE'
        : because,
    says,
  ).body()
}

/** A product of a holder as its GET shows it. */
export function showProduct(scope: Scope, offer: SomeOffer, holder: Holder, requests: Requests): Body {
  const answer = offer.availability(scope.team, holder as never)
  return {
    id: productId(holder, offer),
    name: offer.name,
    status: answer.status,
    status_error: answer.status === 'available' ? null : statusError(answer),
    latest_request_id: requests.latest,
    latest_successful_request_id: requests.successful,
    is_subscribable: offer.subscriptions.length > 0,
    created_at: showTime(holder.created_at),
    updated_at: showTime(holder.updated_at),
  }
}

/** What was last asked of each product of a holder, by product. @param latest ids of its latest records by product */
export async function requestsOf(
  scope: Scope,
  holder: string,
  latest?: Record<string, string>,
): Promise<(product: string) => Requests> {
  const newest = latest ?? (await pointers(scope, [holder])).get(holder) ?? {}
  const successful = await scope.db
    .selectFrom('records')
    .select(['product', query => query.fn.max<string>('id').as('id')])
    .where('holder_id', '=', holder)
    .where('status', '=', 'completed')
    .groupBy('product')
    .execute()
  return product => ({
    latest: newest[product] ?? null,
    successful: successful.find(row => row.product === product)?.id ?? null,
  })
}

/** Tells of products that a change of their holder opened or closed; of a new holder's, those that it can come to have. */
export async function tellProducts(scope: Scope, before: Holder | null, after: Holder): Promise<void> {
  await emitAll(scope, await productChanges(scope, before, after))
}

/** The same, for the caller to tell. @param latest ids of the holder's latest records by product */
export async function productChanges(
  scope: Scope,
  before: Holder | null,
  after: Holder,
  latest?: Record<string, string>,
): Promise<Change[]> {
  const kind = kindOf(after.id)
  const none = { latest: null, successful: null }
  const told = (offer: SomeOffer, holder: Holder, requests: Requests): Body => ({
    ...showProduct(scope, offer, holder, requests),
    [`${kind}_id`]: holder.id,
  })
  const offers = offersOf(scope.deps.offers, kind)
  if (before === null)
    return offers
      .filter(offer => offer.availability(scope.team, after as never).status !== 'unavailable')
      .map(offer => ({ type: 'product.create', after: told(offer, after, none), before: null }))
  const answer = (offer: SomeOffer, holder: Holder) => JSON.stringify(offer.availability(scope.team, holder as never))
  const changed = offers.filter(offer => answer(offer, before) !== answer(offer, after))
  if (changed.length === 0) return []
  const requests = await requestsOf(scope, after.id, latest)
  return changed.map(offer => ({
    type: 'product.update',
    after: told(offer, after, requests(offer.name)),
    before: told(offer, before, requests(offer.name)),
  }))
}
