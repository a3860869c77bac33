import { simulations } from '@causeway/contract/endpoints/simulate'
import { ServiceError } from '@causeway/contract/errors'
import { emit } from '../../notify/emit.js'
import type { AccountRow } from '../../people/holders/account.js'
import { lockAccount } from '../../people/holders/store.js'
import { brandData, cardBrand } from '../../people/products/card-brand/product.js'
import { addTransaction, showTransaction } from '../../people/products/transaction/store.js'
import { showRecord } from '../../people/records/show-record.js'
import { fillRecord, insertRecord } from '../../people/records/store.js'
import { activeSubscriptions, updateSubscription } from '../../people/subscriptions/store.js'
import type { SubscriptionRow } from '../../people/subscriptions/subscription.js'
import { createId } from '../../platform/crypto/random.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { one, type Route } from '../../platform/http/endpoint/route.js'
import { orNotFound } from '../../platform/rows.js'
import type { Ctx } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'

/** Returns an account and the subscription that receives its simulated events. */
async function requireSubscription(
  ctx: Ctx,
  id: string,
  name: string,
): Promise<{ account: AccountRow; subscription: SubscriptionRow }> {
  const account = orNotFound(await lockAccount(ctx, id))
  const subscription = (await activeSubscriptions(ctx, account.id)).find(row => row.name === name)
  if (!subscription) {
    const message = `The account has no active subscription to ${name}. Enroll it with POST /accounts/${account.id}/subscriptions first.`
    throw new ServiceError('SIMULATION_RESTRICTED_MISSING_SUBSCRIPTION', message)
  }
  return { account, subscription }
}

/** Account events that the sandbox can simulate. */
export const accountSimulations: Route[] = [
  implement(simulations.simulateTransaction, {
    async handle(ctx, { params, body: { amount = 2_499, merchant_name } }) {
      const { account, subscription } = await requireSubscription(ctx, params.acc_id, 'transaction')
      const purchase = {
        descriptor: (merchant_name ?? 'Corner Bottle Shop').toUpperCase(),
        merchant: merchant_name ? { name: merchant_name, logo: null } : null,
        merchant_category_code: '5182',
        amount,
        currency_code: 'USD',
        transacted_at: showTime(ctx.now),
        posted_at: showTime(ctx.now),
        voided_at: null,
      }
      const row = (await addTransaction(ctx, account.id, purchase, subscription.id))!
      await updateSubscription(ctx, subscription, { latest_request_id: row.id })
      return one(showTransaction(row))
    },
  }),
  implement(simulations.simulateCardBrand, {
    async handle(ctx, { params, body: { brand_id } }) {
      const { account, subscription } = await requireSubscription(ctx, params.acc_id, 'card_brand')
      const brandIds = ctx.deps.ports.network.cardProducts().flatMap(product => product.brands.map(brand => brand.id))
      if (brand_id !== undefined && !brandIds.includes(brand_id))
        throw new ServiceError('INVALID_REQUEST', `brand_id must be one of: ${brandIds.join(', ')}.`)
      const record = await insertRecord(ctx, {
        id: createId('card_brand', ctx.now),
        holder_id: account.id,
        product: cardBrand.name,
        status: cardBrand.initialStatus,
        subscription: subscription.id,
      })
      await emit(ctx, 'card_brand.create', showRecord(ctx, cardBrand, record, account))
      const data = brandData(ctx, [brand_id ?? brandIds[0]!])
      const filled = await fillRecord(ctx, cardBrand, account, record, { status: 'completed', data })
      await updateSubscription(ctx, subscription, { latest_request_id: record.id })
      return one(showRecord(ctx, cardBrand, filled!, account))
    },
  }),
]
