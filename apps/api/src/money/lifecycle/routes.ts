import { endpoints, reversals } from '@causeway/contract/endpoints/payments'
import { ServiceError } from '@causeway/contract/errors'
import { auditConsole } from '../../platform/audit/store.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { one, type Route } from '../../platform/http/endpoint/route.js'
import { orNotFound } from '../../platform/rows.js'
import { showPayment } from '../payments/show.js'
import { findPayment, lockPayment } from '../payments/store.js'
import { showReversal } from '../reversals/show.js'
import { findReversal } from '../reversals/store.js'
import { deleteCancelJob, isCancelRequested, requestCancel } from './cancel.js'
import { transitionPayment } from './transition.js'

/** The endpoints that move a payment to another status. */
export const lifecycleRoutes: Route[] = [
  implement(endpoints.cancelPayment, {
    async prepare(ctx, { params }) {
      const row = orNotFound(await findPayment(ctx, params.pmt_id))
      if (row.status !== 'pending') throw new ServiceError('INVALID_STATUS', 'Only a pending payment can be canceled.')
      await requestCancel(ctx, row)
    },
    async handle(ctx, { params }) {
      const before = orNotFound(await lockPayment(ctx, params.pmt_id))
      // The submission job may have canceled the payment first. In that case, the record of this request's cancellation
      // still exists.
      const isCanceled = before.status === 'canceled' && (await isCancelRequested(ctx, before.id))
      const row = isCanceled ? before : await transitionPayment(ctx, before, 'canceled')
      if (!row) throw new ServiceError('INVALID_STATUS', 'Only a pending payment can be canceled.')
      await deleteCancelJob(ctx, row.id)
      await auditConsole(ctx, 'payment.cancel', row.id)
      return one(showPayment(row, { one: false }))
    },
  }),
  implement(reversals.updateReversal, {
    async handle(ctx, { params, body: { description } }) {
      const row = orNotFound(await lockPayment(ctx, params.pmt_id))
      const reversal = orNotFound(await findReversal(ctx, params.rvs_id, row.id))
      if (reversal.status !== 'pending_approval') throw new ServiceError('INVALID_REVERSAL_STATUS')
      const reason = ctx.deps.capabilities.missing('payment', 'reversal')
      if (reason !== null) throw new ServiceError('INVALID_REQUEST', reason)
      const details = description === undefined ? {} : { description }
      if (!(await transitionPayment(ctx, row, 'reversal_processing', details)))
        throw new ServiceError('INVALID_REVERSAL_STATUS')
      await auditConsole(ctx, 'reversal.approve', reversal.id)
      return one(showReversal((await findReversal(ctx, reversal.id))!))
    },
  }),
]
