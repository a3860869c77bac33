import { simulations } from '@causeway/contract/endpoints/simulate'
import { type ResourceErrorCode, ServiceError } from '@causeway/contract/errors'
import { isPartialAmount } from '@causeway/contract/money'
import { receivePayment } from '../../money/lifecycle/inbound.js'
import { transitionPayment } from '../../money/lifecycle/transition.js'
import { needsError } from '../../money/payments/payment.js'
import { feeOf, type PaymentRow, showPayment } from '../../money/payments/show.js'
import { lockPayment } from '../../money/payments/store.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { one, type Route } from '../../platform/http/endpoint/route.js'
import { orNotFound } from '../../platform/rows.js'

/**
 * Reads the amount of a partial return, in cents. Defaults to half of the amount that arrived. Throws INVALID_REQUEST
 * unless the return is less than the amount that arrived.
 */
function readPart({ amount, fee }: PaymentRow, told: number | undefined): number {
  const arrived = amount - feeOf({ fee })
  const part = told ?? Math.floor(arrived / 2)
  if (!isPartialAmount(part, arrived))
    throw new ServiceError('INVALID_REQUEST', `amount must be less than the ${arrived} cents that arrived.`)
  return part
}

/** Payment events that the sandbox can simulate. */
export const simulatePaymentRoutes: Route[] = [
  ...[simulations.simulateInboundPayment, simulations.simulateInboundPaymentSingular].map(endpoint =>
    implement(endpoint, {
      async handle(ctx, { params, body }) {
        return one(
          showPayment(
            await receivePayment(ctx, params.id, { amount: body.amount, description: body.description ?? 'Inbound' }),
            { one: false },
          ),
        )
      },
    }),
  ),
  implement(simulations.simulatePayment, {
    async handle(ctx, { params, body: { status, error_code, amount } }) {
      const row = orNotFound(await lockPayment(ctx, params.pmt_id))
      const code = error_code == null ? null : (Number(error_code) as ResourceErrorCode)
      if (needsError(status) && code === null && row.error === null)
        throw new ServiceError('INVALID_REQUEST', `error_code is required if the status is ${status}.`)
      const returned = status === 'partial_reversal_processing' ? readPart(row, amount) : null
      const details = { code: needsError(status) ? code : null, returned, simulated: true } as const
      const moved = await transitionPayment(ctx, row, status, details)
      if (!moved) throw new ServiceError('INVALID_STATUS', `A payment that is ${row.status} cannot become ${status}.`)
      return one(showPayment(moved, { one: false }))
    },
  }),
]
