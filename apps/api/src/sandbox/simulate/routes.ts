import { millisecondsOf, simulations } from '@causeway/contract/endpoints/simulate'
import { sql } from 'kysely'
import { implement } from '../../platform/http/endpoint/implement.js'
import { one, type Route } from '../../platform/http/endpoint/route.js'
import { showTime } from '../../platform/show.js'
import { advanceTeamClock } from '../../team/teams/store.js'
import { activeFaults, setFault } from '../faults/store.js'
import { people } from '../tables/people.js'

/** Splits a scenario into a title and a hint. Pure. */
function titled(scenario: string): { title: string; hint: string | null } {
  const [, title = scenario, hint = ''] = /^(.+?)[.:](?: (.*)|$)/.exec(scenario) ?? []
  return { title, hint: (hint && hint.charAt(0).toUpperCase() + hint.slice(1)) || null }
}

/** The maximum time, in ms, that a request to advance the clock waits for due jobs. */
const JOBS_TIMEOUT_MS = 10_000

export const simulateRoutes: Route[] = [
  implement(simulations.simulateClock, {
    async handle(ctx, { body }) {
      const delta = millisecondsOf(body.advance)
      // Acquires locks in the same order as the delivery code: the lane, the team, the job.
      await ctx.db
        .updateTable('lanes')
        .set({ paused_until: sql<number>`paused_until - ${delta}` })
        .where('team_id', '=', ctx.team.id)
        .execute()
      const offset = await advanceTeamClock(ctx.db, ctx.team.id, delta)
      await ctx.db
        .updateTable('jobs')
        .set({ run_at: sql<number>`run_at - ${delta}` })
        .where('team_id', '=', ctx.team.id)
        .where('state', '=', 'ready')
        .where('clocked', '=', 1)
        .execute()
      ctx.after(async () => {
        ctx.deps.access.forget(ctx.team.id)
        await ctx.deps.jobs.drain(ctx.team.id, JOBS_TIMEOUT_MS)
      })
      return one({ now: showTime(ctx.deps.clock() + offset), ahead_seconds: offset / 1_000 })
    },
  }),
  implement(simulations.retrieveSimulatedClock, {
    handle: async ({ deps, team }) =>
      one({ now: showTime(deps.clock() + team.clockOffset), ahead_seconds: team.clockOffset / 1_000 }),
  }),
  implement(simulations.simulateFault, {
    async handle(ctx, { body: { target, mode, for: duration } }) {
      const until = ctx.deps.clock() + millisecondsOf(duration)
      await setFault(ctx, target, mode, until)
      return one({ target, mode, until: showTime(until) })
    },
  }),
  implement(simulations.listSimulatedFaults, {
    async handle(ctx) {
      const rows = await activeFaults(ctx, ctx.deps.clock())
      return { shape: 'list', body: rows.map(({ target, mode, until }) => ({ target, mode, until: showTime(until) })) }
    },
  }),
  implement(simulations.listSimulatedPeople, {
    handle: async () => ({
      shape: 'list',
      body: people.map(({ phone, scenario, debts }) => ({
        phone,
        last4: phone.slice(-4),
        ...titled(scenario),
        accounts: debts.length,
      })),
    }),
  }),
]
