import { ServiceError } from '@causeway/contract/errors'
import { emit } from '../../notify/emit.js'
import { findAccount } from '../../people/holders/store.js'
import { findAnyRecord } from '../../people/records/store.js'
import type { Scope } from '../../platform/scope.js'
import { addPostings, ledgerPayment } from '../ledger/store.js'
import { newPayment } from '../payments/create.js'
import { legStatuses } from '../payments/payment.js'
import { rejectWhileStopped } from '../payments/payment-hold.js'
import { type PaymentRow, showPayment } from '../payments/show.js'

const INBOUND_PRODUCT = 'payment_instrument.inbound_achwire_payment'

/**
 * Creates a payment for money that arrives from an external account through a payment instrument. The payment has no
 * source and starts immediately. Errors: NOT_FOUND; INVALID_REQUEST if the instrument is of the wrong type;
 * INVALID_STATUS if it is not open.
 */
export async function receivePayment(
  scope: Scope,
  instrument: string,
  input: { amount: number; description: string },
): Promise<PaymentRow> {
  const record = await findAnyRecord(scope, instrument)
  if (!record?.product.startsWith('payment_instrument.')) throw new ServiceError('NOT_FOUND')
  if (record.product !== INBOUND_PRODUCT)
    throw new ServiceError('INVALID_REQUEST', 'The instrument must be of type inbound_achwire_payment.')
  const account = await findAccount(scope, record.holder_id)
  if (record.status !== 'completed' || account?.status !== 'active')
    throw new ServiceError(
      'INVALID_STATUS',
      'This instrument no longer accepts payments. Its status must be completed, and its account must be active.',
    )
  rejectWhileStopped(scope)
  const row: PaymentRow = {
    ...newPayment(scope, { ...input, source: null, destination: account }),
    status: 'processing',
    ...legStatuses('processing', null),
    payment_instrument: record.id,
  }
  await scope.db.insertInto('payments').values(row).execute()
  await addPostings(scope, row.id, null, ledgerPayment(row, null))
  await emit(scope, 'payment.create', showPayment(row, { one: true }))
  await scope.deps.jobs.enqueue(scope, {
    kind: 'payment.follow',
    payload: { payment: row.id },
    unique: `payment.follow ${row.id}`,
  })
  return row
}
