import { type ResourceErrorCode, resourceErrors, ServiceError } from '@causeway/contract/errors'
import { paymentStatuses } from '@causeway/contract/resources/payment'
import { z } from 'zod'
import { parse } from '../http/body.js'
import { one, type Route } from '../http/route.js'
import { readInbound, receivePayment } from '../payments/inbound.js'
import { isPart, needsError } from '../payments/payment.js'
import { keptOf, type PaymentRow, showPayment } from '../payments/show.js'
import { lockPayment, movePayment } from '../payments/store.js'
import { behaves } from '../versions/chain.js'

const move = z.object({
  status: z.enum(paymentStatuses),
  error_code: z.union([z.number(), z.string()]).nullish(),
  amount: z.int().min(1).optional(),
})

/** A code that a payment can be given by hand: any payment's but the system's own 10004. */
function readCode(value: number | string | null | undefined): ResourceErrorCode | null {
  if (value === undefined || value === null) return null
  const known = Object.keys(resourceErrors).filter(code => /^100\d\d$/.test(code) && code !== '10004')
  if (!known.includes(String(value)))
    throw new ServiceError('INVALID_REQUEST', `error_code must be one of: ${known.join(', ')}.`)
  return Number(value) as ResourceErrorCode
}

/** How much of what arrived comes back, in cents: less than all of it, half unless told. */
function readPart({ amount, fee }: PaymentRow, told: number | undefined): number {
  const arrived = amount - keptOf({ fee })
  const part = told ?? Math.floor(arrived / 2)
  if (!isPart(part, arrived))
    throw new ServiceError('INVALID_REQUEST', `amount must be less than the ${arrived} cents that arrived.`)
  return part
}

/** Money comes in through an instrument. Manuals name the path in the singular too. */
const inbound = (path: string): Route => ({
  method: 'POST',
  path,
  sandbox: true,
  async handle(ctx) {
    if (behaves(ctx.version, 'one_instrument')) throw new ServiceError('NOT_FOUND')
    const row = await receivePayment(ctx, ctx.params['id'] ?? '', readInbound(ctx.body()))
    return one(showPayment(row, { one: false }))
  },
})

/** What the sandbox can be made to do to a payment. */
export const simulatePaymentRoutes: Route[] = [
  inbound('/simulate/payments/payment_instruments/:id'),
  inbound('/simulate/payments/payment_instrument/:id'),
  {
    method: 'POST',
    path: '/simulate/payments/:pmt_id',
    sandbox: true,
    async handle(ctx) {
      const row = await lockPayment(ctx, ctx.params['pmt_id'] ?? '')
      if (!row) throw new ServiceError('NOT_FOUND')
      const { status, error_code, amount } = parse(move, ctx.body())
      const code = readCode(error_code)
      if (needsError(status) && code === null && row.error === null)
        throw new ServiceError('INVALID_REQUEST', `error_code is required for the status ${status}.`)
      const returned = status === 'partial_reversal_processing' ? readPart(row, amount) : null
      const details = { code: needsError(status) ? code : null, returned, simulated: true } as const
      const moved = await movePayment(ctx, row, status, details)
      if (!moved)
        throw new ServiceError('INVALID_STATUS', `The payment cannot become ${status} now: it is ${row.status}.`)
      return one(showPayment(moved, { one: false }))
    },
  },
]
