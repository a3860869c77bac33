import { type ResourceErrorCode, resourceErrors, ServiceError } from '@causeway/contract/errors'
import { paymentStatuses } from '@causeway/contract/resources/payment'
import { sql } from 'kysely'
import { z } from 'zod'
import { faultModes, faultTargets, setFault } from '../faults/store.js'
import { parse } from '../http/body.js'
import { one, type Route } from '../http/route.js'
import { needsError } from '../payments/payment.js'
import { showPayment } from '../payments/show.js'
import { lockPayment, movePayment } from '../payments/store.js'
import { showTime } from '../show.js'
import { moveClock } from '../teams/store.js'
import { readDuration } from './duration.js'

const DAY = 86_400_000
/** How long a request that moves the clock waits for what became due, in ms. */
const PATIENCE = 10_000

const fault = z.object({ target: z.enum(faultTargets), mode: z.enum(faultModes), for: z.unknown() })
const move = z.object({ status: z.enum(paymentStatuses), error_code: z.union([z.number(), z.string()]).nullish() })

/** A code that a payment can be given by hand: any payment's but the system's own 10004. */
function readCode(value: number | string | null | undefined): ResourceErrorCode | null {
  if (value === undefined || value === null) return null
  const known = Object.keys(resourceErrors).filter(code => /^100\d\d$/.test(code) && code !== '10004')
  if (!known.includes(String(value)))
    throw new ServiceError('INVALID_REQUEST', `error_code must be one of: ${known.join(', ')}.`)
  return Number(value) as ResourceErrorCode
}

export const simulateRoutes: Route[] = [
  {
    method: 'POST',
    path: '/simulate/payments/:pmt_id',
    sandbox: true,
    async handle(ctx) {
      const row = await lockPayment(ctx, ctx.params['pmt_id'] ?? '')
      if (!row) throw new ServiceError('NOT_FOUND')
      const { status, error_code } = parse(move, ctx.body())
      const code = readCode(error_code)
      if (needsError(status) && code === null && row.error === null)
        throw new ServiceError('INVALID_REQUEST', `error_code is required for the status ${status}.`)
      if (status === 'cashed' && row.destination_payment_method !== 'paper')
        throw new ServiceError('INVALID_STATUS', 'Only a payment by paper check can be cashed.')
      const moved = await movePayment(ctx, row, status, { code: needsError(status) ? code : null })
      if (!moved) throw new ServiceError('INVALID_STATUS', `A payment cannot become ${status} after ${row.status}.`)
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
      await ctx.db
        .updateTable('lanes')
        .set({ paused_until: sql<number>`paused_until - ${delta}` })
        .where('team_id', '=', ctx.team.id)
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
