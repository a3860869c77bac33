import { reversals } from '@causeway/contract/endpoints/payments'
import { implement } from '../../platform/http/endpoint/implement.js'
import { one, type Route } from '../../platform/http/endpoint/route.js'
import { orNotFound } from '../../platform/rows.js'
import { findPayment } from '../payments/store.js'
import { showReversal } from './show.js'
import { findReversal, reversalsOfPayment } from './store.js'

export const reversalRoutes: Route[] = [
  implement(reversals.listReversals, {
    async handle(ctx, { params }) {
      const { id } = orNotFound(await findPayment(ctx, params.pmt_id))
      return { shape: 'list', body: (await reversalsOfPayment(ctx, id)).map(showReversal) }
    },
  }),
  implement(reversals.retrieveReversal, {
    async handle(ctx, { params }) {
      const { id } = orNotFound(await findPayment(ctx, params.pmt_id))
      return one(showReversal(orNotFound(await findReversal(ctx, params.rvs_id, id))))
    },
  }),
]
