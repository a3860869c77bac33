import { ServiceError } from '@causeway/contract/errors'
import { MAX_AMOUNT, MIN_AMOUNT } from '@causeway/contract/money'
import { z } from 'zod'
import { parse } from '../http/body.js'
import { readMetadata } from '../http/metadata.js'
import type { PaymentRow } from './show.js'

const DESCRIPTION_MAX = 10

const shape = z.object({
  source: z.string(),
  destination: z.string(),
  fee: z
    .object({ type: z.enum(['total', 'markup']), amount: z.int().min(0) })
    .nullish()
    .transform(fee => fee ?? null),
  reversal_account: z
    .string()
    .nullish()
    .transform(id => id ?? null),
  dry_run: z.boolean().default(false),
})

export type PaymentInput = z.infer<typeof shape> & { amount: number; description: string; metadata: string | null }

/** What a bank prints beside a payment. */
export const isDescription = (value: unknown): value is string =>
  typeof value === 'string' && [...value].length <= DESCRIPTION_MAX && !/\p{Cc}/u.test(value)

/** Reads the body of a new payment. Throws what is wrong with it, cheapest first. Source: contract, validation order. */
export function readPayment(body: Record<string, unknown>): PaymentInput {
  for (const field of ['amount', 'description'])
    if (body[field] === undefined) throw new ServiceError('INVALID_REQUEST', `${field} is required.`)
  const input = parse(shape, body)
  const { amount, description } = body
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount)) throw new ServiceError('INVALID_AMOUNT_TYPE')
  if (amount < MIN_AMOUNT || amount > MAX_AMOUNT) throw new ServiceError('INVALID_AMOUNT')
  if (!isDescription(description)) throw new ServiceError('INVALID_ACH_DESCRIPTION')
  if (input.fee && input.fee.amount > amount)
    throw new ServiceError('INVALID_REQUEST', 'fee.amount must be at most the amount.')
  const metadata = readMetadata(body, 'MAX_PAYMENT_METADATA_SIZE_EXCEEDED')
  if (input.source === input.destination) throw new ServiceError('INVALID_TRANSFER')
  return { ...input, amount, description, metadata }
}

/** Whether a body asks for a payment that was made, as far as is known of it: its metadata may have been erased since. */
export function asksFor(row: PaymentRow, body: () => Record<string, unknown>): boolean {
  try {
    const { dry_run, fee, metadata, ...asked } = readPayment(body())
    const same = Object.entries(asked).every(([name, value]) => row[name as keyof typeof asked] === value)
    const keeps = row.fee === (fee && JSON.stringify(fee))
    return same && keeps && !dry_run && (row.metadata === null || row.metadata === metadata)
  } catch (error) {
    if (error instanceof ServiceError) return false
    throw error
  }
}
