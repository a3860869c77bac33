import { ServiceError } from '@causeway/contract/errors'
import { sql } from 'kysely'
import { z } from 'zod'
import { faultModes, faultTargets, setFault } from '../faults/store.js'
import { parse } from '../http/body.js'
import { one, type Route } from '../http/route.js'
import { showTime } from '../show.js'
import { moveClock } from '../teams/store.js'
import { readDuration } from './duration.js'

const DAY = 86_400_000
/** How long a request that moves the clock waits for what became due, in ms. */
const PATIENCE = 10_000

const fault = z.object({ target: z.enum(faultTargets), mode: z.enum(faultModes), for: z.unknown() })

export const simulateRoutes: Route[] = [
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
