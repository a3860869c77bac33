import type { JobHandler } from '../jobs/jobs.js'
import { holderOf } from '../products/holders.js'
import type { Product } from '../products/product.js'
import { enrollable, kindOf } from '../products/rules.js'
import { createRecord } from '../products/store.js'
import type { Scope } from '../scope.js'
import { findSubscription, updateSubscription } from './store.js'
import { enrolmentOf } from './subscription.js'

async function load(scope: Scope, id: string) {
  const row = await findSubscription(scope, id)
  if (row?.status !== 'active') return undefined
  const holder = await holderOf(scope, row.holder_id)
  const enrolment = enrolmentOf(scope.deps.offers, kindOf(row.holder_id), row.name)
  return holder && enrolment && { row, holder, ...enrolment }
}

/** Looks whether there is something new for a subscription, and makes the record of it. */
export const runSubscription: JobHandler = {
  async run(scope, payload) {
    const id = payload['subscription'] ?? ''
    const found = await load(scope, id)
    if (!found) return async () => undefined
    const usable = (at: Scope, { offer, wanted, holder }: typeof found) =>
      enrollable(offer, wanted as never, at.team, holder).status === 'available'
    const news = usable(scope, found) && ((await found.wanted.news?.(scope, found.holder)) ?? true)
    return async saving => {
      const now = await load(saving, id)
      const { next, news: looks } = found.wanted
      if (!now || !next) return undefined
      let change = {}
      if (news && usable(saving, now)) {
        const request = now.wanted.request?.(now.row.payload === null ? null : JSON.parse(now.row.payload)) ?? {}
        const made = await createRecord(saving, now.offer as unknown as Product, now.holder, request, {
          subscription: id,
        })
        change = { latest_request_id: made.row.id }
      }
      // What comes for each month comes for each month that has passed; what looks for news looks once.
      const again = next(looks ? saving.now : (now.row.next_at ?? saving.now))
      if (Object.keys(change).length > 0) await updateSubscription(saving, now.row, { ...change, next_at: again })
      else await saving.db.updateTable('subscriptions').set({ next_at: again }).where('id', '=', id).execute()
      return { again }
    }
  },
}
