import { setImmediate as turn } from 'node:timers/promises'
import type { funnelStats } from '@causeway/contract/resources/stats'
import { type Mode, type Step, steps } from '@causeway/contract/session'
import { DAY_MS } from '@causeway/contract/time'
import type { z } from 'zod'
import { lowestId } from '../../platform/crypto/random.js'
import type { Ctx } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import { shownStep } from '../session/store.js'
import { readShownStep, showProgress } from './show-progress.js'

type FunnelStats = z.infer<typeof funnelStats>

/** The maximum number of sessions that are counted. */
const MAX_SESSIONS = 5_000
/** The number of sessions that each step query covers, and the maximum number of steps that the query reads. */
const BATCH_SIZE = 100
const MAX_BATCH_STEPS = BATCH_SIZE * 100
/** The maximum number of blocked sessions whose reasons are read. */
const MAX_BLOCKED_SESSIONS = 20

/** A session and the steps shown in it, in order. */
export interface SessionSteps {
  completed: boolean
  steps: { step: Step; at: number }[]
}

function median(times: number[]): number | null {
  const sorted = times.toSorted((one, other) => one - other)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null
}

/** Counts sessions by step. Pure. */
export function funnelOf(walks: readonly SessionSteps[]): Omit<FunnelStats['data'][number], 'reasons'>[] {
  return steps.flatMap(step => {
    const times: number[] = []
    let entered = 0
    let left = 0
    for (const walk of walks) {
      const first = walk.steps.findIndex(each => each.step === step)
      const found = walk.steps[first]
      if (!found) continue
      entered += 1
      if (!walk.completed && walk.steps.at(-1)!.step === step) left += 1
      const next = walk.steps.slice(first).find(each => each.step !== step)
      if (next) times.push(next.at - found.at)
    }
    return entered === 0 ? [] : [{ step, entered, completed: entered - left, left, median_ms: median(times) }]
  })
}

/** Reads the steps shown in each session. */
async function stepsOf({ db, team }: Ctx, ids: readonly string[]): Promise<Map<string, SessionSteps['steps']>> {
  const stepsBySession = new Map<string, SessionSteps['steps']>()
  for (let from = 0; from < ids.length; from += BATCH_SIZE) {
    const rows = await db
      .selectFrom('session_events')
      .select(['session_id', 'type', 'data', 'created_at'])
      .where('team_id', '=', team.id)
      .where('session_id', 'in', ids.slice(from, from + BATCH_SIZE))
      .where('type', 'like', '%.step.started')
      .orderBy('session_id')
      .orderBy('id')
      .limit(MAX_BATCH_STEPS)
      .execute()
    for (const row of rows) {
      const step = readShownStep(row)
      if (!step) continue
      const walk = stepsBySession.get(row.session_id) ?? []
      walk.push({ step, at: row.created_at })
      stepsBySession.set(row.session_id, walk)
    }
    await turn()
  }
  return stepsBySession
}

/** Counts the reasons for the latest blocked sessions, most frequent first. */
async function reasonsOf(ctx: Ctx, ids: readonly string[]) {
  const rows = await ctx.db
    .selectFrom('sessions')
    .selectAll()
    .where('team_id', '=', ctx.team.id)
    .where('id', 'in', ids.concat(''))
    .execute()
  const counts = new Map<string, number>()
  for (const row of rows) {
    const { last_code } = await showProgress(ctx, row)
    if (last_code !== null) counts.set(last_code, (counts.get(last_code) ?? 0) + 1)
  }
  return [...counts].sort(([, one], [, other]) => other - one).map(([code, count]) => ({ code, count }))
}

/**
 * Counts sessions by step, for the given days.
 * @param mode null for all modes
 */
export async function countSteps(ctx: Ctx, days: readonly number[], mode: Mode | null): Promise<FunnelStats> {
  const sessions = await ctx.db
    .selectFrom('sessions')
    .select(['id', 'completed_at', 'updated_at', shownStep(ctx.deps.store.engine).as('shown')])
    .where('team_id', '=', ctx.team.id)
    .where('id', '>=', lowestId('opal_session', days[0]!))
    .where('id', '<', lowestId('opal_session', days.at(-1)! + DAY_MS))
    .$if(mode !== null, query => query.where('mode', '=', mode!))
    .orderBy('id', 'desc')
    .limit(MAX_SESSIONS)
    .execute()
  const sessionSteps = await stepsOf(
    ctx,
    sessions.map(row => row.id),
  )
  const walks = sessions.map((row): SessionSteps & { id: string } => {
    const steps = sessionSteps.get(row.id) ?? []
    // A few steps, such as the last one, record no event.
    if (row.shown !== null && row.shown !== steps.at(-1)?.step)
      steps.push({ step: row.shown, at: row.completed_at ?? row.updated_at })
    return { id: row.id, completed: row.completed_at !== null, steps }
  })
  const blocked = walks.filter(({ completed, steps }) => !completed && steps.at(-1)?.step === 'blocked')
  const reasons = await reasonsOf(
    ctx,
    blocked.slice(0, MAX_BLOCKED_SESSIONS).map(row => row.id),
  )
  return {
    data: funnelOf(walks).map(each => ({ ...each, reasons: each.step === 'blocked' ? reasons : [] })),
    sessions: sessions.length,
    as_of: showTime(ctx.now),
  }
}
