import { type ResourceErrorCode, resourceErrors, ServiceError } from '@causeway/contract/errors'
import { paymentStatuses } from '@causeway/contract/resources/payment'
import { sql } from 'kysely'
import { z } from 'zod'
import { faultModes, faultTargets, setFault } from '../faults/store.js'
import { parse } from '../http/body.js'
import { one, type Route } from '../http/route.js'
import { needsError } from '../payments/payment.js'
import { type PaymentRow, showPayment } from '../payments/show.js'
import { lockPayment, movePayment } from '../payments/store.js'
import { showTime } from '../show.js'
import { moveClock } from '../teams/store.js'
import { readDuration } from './duration.js'

const DAY = 86_400_000
/** How long a request that moves the clock waits for what became due, in ms. */
const PATIENCE = 10_000

const fault = z.object({ target: z.enum(faultTargets), mode: z.enum(faultModes), for: z.unknown() })
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
  const arrived = amount - (fee === null ? 0 : (JSON.parse(fee) as { amount: number }).amount)
  const part = told ?? Math.floor(arrived / 2)
  if (part < 1 || part >= arrived)
    throw new ServiceError('INVALID_REQUEST', `amount must be less than the ${arrived} cents that arrived.`)
  return part
}

export const simulateRoutes: Route[] = [
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
  {
    method: 'POST',
    path: '/simulate/clock',
    sandbox: true,
    async handle(ctx) {
      const delta = readDuration(ctx.body()['advance'], 'advance', 'P3D', 400 * DAY)
      if (delta === 0) throw new ServiceError('INVALID_REQUEST', 'advance must be longer than nothing.')
      const offset = await moveClock(ctx.db, ctx.team.id, delta)
      await ctx.db
        .updateTable('jobs')
        .set({ run_at: sql<number>`run_at - ${delta}` })
        .where('team_id', '=', ctx.team.id)
        .where('state', '=', 'ready')
        .where('clocked', '=', 1)
        .execute()
      ctx.after(async () => {
        ctx.deps.access.forget(ctx.team.id)
        await ctx.deps.jobs.drain(ctx.team.id, PATIENCE)
      })
      return one({ now: showTime(ctx.deps.clock() + offset), ahead_seconds: offset / 1_000 })
    },
  },
  {
    method: 'POST',
    path: '/simulate/faults',
    sandbox: true,
    async handle(ctx) {
      const { target, mode, for: duration } = parse(fault, ctx.body())
      const until = ctx.deps.clock() + readDuration(duration, 'for', 'PT30S', DAY)
      await setFault(ctx, target, mode, until)
      return one({ target, mode, until: showTime(until) })
    },
  },
]
