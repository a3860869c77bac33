import type { endpoints } from '@causeway/contract/endpoints/payments'
import { ServiceError } from '@causeway/contract/errors'
import type { z } from 'zod'
import { readJson, writeJson } from '../../platform/db/json.js'
import { metadataText } from '../../platform/http/endpoint/metadata.js'
import { canonicalJson } from '../../platform/http/request/canonical-json.js'
import type { PaymentRow } from './show.js'

export type PaymentInput = z.output<typeof endpoints.createPayment.body>

/** The payment columns that are set from the request. */
export const columnsOf = ({ dry_run: _, fee = null, reversal_account = null, metadata, ...input }: PaymentInput) => ({
  fee,
  reversal_account,
  metadata: metadataText(metadata),
  ...input,
})

/**
 * True if a request matches the existing payment. Ignores metadata if the payment has none, because its metadata may
 * have been erased.
 */
export function matchesPayment(row: PaymentRow, read: () => { body: PaymentInput }): boolean {
  try {
    const { body } = read()
    const { fee, metadata: _, ...columns } = columnsOf(body)
    const isSame = Object.entries(columns).every(([name, value]) => row[name as keyof typeof columns] === value)
    const isSameFee = row.fee === (fee && writeJson(fee))
    return (
      // mutant: late-retry-same-payment (= true)
      isSame &&
      isSameFee &&
      !body.dry_run &&
      (row.metadata === null ||
        canonicalJson(readJson('payments.metadata', row.metadata)) === canonicalJson(body.metadata ?? null))
    )
  } catch (error) {
    if (error instanceof ServiceError) return false
    throw error
  }
}
