import type { PaymentStatus } from '@causeway/contract/resources/payment'
import type { JobHandler } from '../jobs/jobs.js'
import { railPayment } from './handover.js'
import { isMoving } from './payment.js'
import { findPayment, lockPayment, walkPayment } from './store.js'

/** Looks once where the rail says that a payment is now, because something says that it moved. */
export const lookAtPayment: JobHandler = {
  async run(scope, payload) {
    const row = await findPayment(scope, payload['payment'] ?? '')
    if (!row || !isMoving(row.status as PaymentStatus)) return async () => undefined
    const { status, next_at: _, ...said } = await scope.deps.ports.rail.status(await railPayment(scope, row))
    return async saving => {
      const now = await lockPayment(saving, row.id)
      if (now) await walkPayment(saving, now, status, said)
      return undefined
    }
  },
}
