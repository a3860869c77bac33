import { ServiceError } from '@causeway/contract/errors'
import { z } from 'zod'
import { createId } from '../crypto/random.js'
import { emit } from '../events/store.js'
import { parse } from '../http/body.js'
import { one, type Route } from '../http/route.js'
import { brandData, cardBrand } from '../products/card-brand.js'
import { insertRecord, settleRecord, showRecord } from '../products/store.js'
import type { Ctx } from '../scope.js'
import { showTime } from '../show.js'
import { activeSubscriptions, updateSubscription } from '../subscriptions/store.js'
import type { SubscriptionRow } from '../subscriptions/subscription.js'
import type { AccountRow } from './account.js'
import { lockAccount } from './store.js'
import { addTransaction, showTransaction } from './transactions.js'

/** The account that a path names and its subscription, which what is simulated comes through. */
async function watched(ctx: Ctx, name: string): Promise<{ account: AccountRow; subscription: SubscriptionRow }> {
  const account = await lockAccount(ctx, ctx.params['acc_id'] ?? '')
  if (!account) throw new ServiceError('NOT_FOUND')
  const subscription = (await activeSubscriptions(ctx, account.id)).find(row => row.name === name)
  if (!subscription) throw new ServiceError('SIMULATION_RESTRICTED_MISSING_SUBSCRIPTION')
  return { account, subscription }
}

const purchase = z.object({
  amount: z.int().min(1).max(100_000_000).default(2_499),
  type: z.enum(['purchase']).default('purchase'),
  merchant_name: z.string().min(1).max(100).nullish(),
})

/** What the sandbox can be made to do to an account. */
export const accountSimulations: Route[] = [
  {
    method: 'POST',
    path: '/simulate/accounts/:acc_id/transactions',
    sandbox: true,
    async handle(ctx) {
      const { account, subscription } = await watched(ctx, 'transaction')
      const { amount, merchant_name } = parse(purchase, ctx.body())
      const bought = {
        descriptor: (merchant_name ?? 'Corner Bottle Shop').toUpperCase(),
        merchant: merchant_name ? { name: merchant_name, logo: null } : null,
        merchant_category_code: '5182',
        amount,
        currency_code: 'USD',
        transacted_at: showTime(ctx.now),
        posted_at: showTime(ctx.now),
        voided_at: null,
      }
      const row = (await addTransaction(ctx, account.id, bought, subscription.id))!
      await updateSubscription(ctx, subscription, { latest_request_id: row.id })
      return one(showTransaction(row))
    },
  },
  {
    method: 'POST',
    path: '/simulate/accounts/:acc_id/card_brands',
    sandbox: true,
    async handle(ctx) {
      const { account, subscription } = await watched(ctx, 'card_brand')
      const known = ctx.deps.ports.network.cardProducts().flatMap(product => product.brands.map(brand => brand.id))
      const { brand_id } = parse(z.object({ brand_id: z.enum(known).optional() }), ctx.body())
      const record = await insertRecord(ctx, {
        id: createId('card_brand', ctx.now),
        holder_id: account.id,
        product: cardBrand.name,
        status: cardBrand.first,
        subscription: subscription.id,
      })
      await emit(ctx, 'card_brand.create', showRecord(ctx, cardBrand, record, account))
      const data = brandData(ctx, [brand_id ?? known[0]!])
      const filled = await settleRecord(ctx, cardBrand, account, record, { status: 'completed', data })
      await updateSubscription(ctx, subscription, { latest_request_id: record.id })
      return one(showRecord(ctx, cardBrand, filled!, account))
    },
  },
]
