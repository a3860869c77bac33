import { ServiceError } from '@causeway/contract/errors'
import { type SessionView, type Step, type StepError, steps } from '@causeway/contract/session'
import { z } from 'zod'
import { sha256 } from '../../platform/crypto/vault.js'
import { parse } from '../../platform/http/body.js'
import { createQueue } from '../../platform/http/queue.js'
import { type Deps, reading, transact } from '../../platform/scope.js'
import type { Team } from '../../platform/team.js'
import { findTeam } from '../../team/teams/store.js'
import { registry } from '../steps/registry.js'
import { takeStep } from '../steps/take-step.js'
import { advance } from './advance.js'
import { eventsOf, record } from './events.js'
import { position } from './facts.js'
import { gather } from './gather.js'
import { IDLE } from './redeem.js'
import { readProgress } from './session.js'
import { comeBack, lockSession, type TokenRow } from './store.js'
import { moves } from './transitions.js'
import { showView } from './view.js'

/** A frame that showed its bearer. */
export interface Visitor {
  team: Team
  session: string
  token: TokenRow
  /** The hash of the bearer. */
  bearer: string
  expiresAt: number
}

/** A step was sent from a view that is no longer the current one. */
export class StaleError extends Error {
  override readonly name = 'StaleError'
}

/** Finds whose bearer it is, and keeps the session from going idle. Throws SESSION_EXPIRED. */
export async function visit(deps: Deps, authorization: string | undefined): Promise<Visitor> {
  const bearer = /^Bearer ([\w-]{20,100})$/.exec(authorization ?? '')?.[1]
  const hash = bearer && sha256(bearer)
  const row =
    hash && (await deps.store.reader.selectFrom('bearers').selectAll().where('hash', '=', hash).executeTakeFirst())
  const team = row && (await findTeam(deps.store.reader, row.team_id))
  if (!row || !team) throw new ServiceError('SESSION_EXPIRED')
  const now = deps.clock() + team.clockOffset
  const token = await deps.store.reader
    .selectFrom('tokens')
    .selectAll()
    .where('handle', '=', row.handle)
    .executeTakeFirstOrThrow()
  if (row.revoked_at !== null || token.revoked_at !== null || row.idle_until <= now || row.expires_at <= now)
    throw new ServiceError('SESSION_EXPIRED')
  const idle = now + IDLE
  if (idle - row.idle_until > 30_000)
    await deps.store.write(tx =>
      tx.updateTable('bearers').set({ idle_until: idle }).where('hash', '=', row.hash).execute(),
    )
  return { team, session: row.session_id, token, bearer: row.hash, expiresAt: Math.min(row.expires_at, idle) }
}

/** Calls of one session follow one another; an institution may keep one of them busy for a while. */
const queued = createQueue(
  15_000,
  () => new ServiceError('SERVICE_UNAVAILABLE', 'The last step is still being worked on. Try again in a moment.'),
)

/**
 * The session as it stands, after the service did what it can do by itself; with what happened meanwhile. `first`: with all
 * that happened since the token was used, because nobody was told of it yet.
 */
export function look(deps: Deps, visitor: Visitor, first = false): Promise<SessionView> {
  return queued(visitor.session, async () => show(deps, visitor, first ? '' : await newestEvent(deps, visitor.session)))
}

/** A call's effect before the session is shown: its step, and the errors of its input. */
interface Taken {
  step: Step
  errors: StepError[]
}

/** @param since the last event that the page was told of */
async function show(deps: Deps, visitor: Visitor, since: string, taken?: Taken): Promise<SessionView> {
  const { team, token } = visitor
  const { facts, at } = await advance(deps, team, visitor)
  if (facts.progress.shown !== at.step) await noteStep(deps, visitor, at.step)
  const scope = reading(deps, team)
  const events = await eventsOf(scope, token.handle, since)
  const typed = taken?.errors ?? []
  const errors = typed.length > 0 ? typed : (registry[at.step].notice?.(facts, taken?.step === at.step) ?? [])
  return showView(scope, facts, at, { errors, events, expiresAt: visitor.expiresAt, token })
}

async function newestEvent(deps: Deps, session: string): Promise<string> {
  const row = await deps.store.reader
    .selectFrom('session_events')
    .select('id')
    .where('session_id', '=', session)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? ''
}

/** Tells the detailed stream that another step is shown. The revision stays: nothing that the person sees changed. */
async function noteStep(deps: Deps, visitor: Visitor, step: Step): Promise<void> {
  await transact(deps, visitor.team, async tx => {
    const row = (await lockSession(tx, visitor.session))!
    const progress = readProgress(row)
    const news = moves(progress.shown, step, row.entity_id)
    if (news.length === 0) return
    await record(tx, row, visitor.token.handle, news)
    await tx.db
      .updateTable('sessions')
      .set({ progress: JSON.stringify({ ...progress, shown: step }) })
      .where('id', '=', row.id)
      .execute()
  })
}

const body = z.object({ revision: z.int(), input: z.record(z.string(), z.unknown()) })

/** Takes one input of a step, once: a repeated or overtaken one is a StaleError. */
export async function submit(
  deps: Deps,
  visitor: Visitor,
  name: string,
  given: unknown,
  address: string | undefined,
): Promise<SessionView> {
  const step = steps.find(known => known === name)
  if (!step) throw new ServiceError('NOT_FOUND')
  const { revision, input } = parse(body, given)
  return queued(visitor.session, async () => {
    const since = await newestEvent(deps, visitor.session)
    const facts = await transact(deps, visitor.team, async tx => {
      const row = await lockSession(tx, visitor.session)
      if (row?.revision !== revision) throw new StaleError()
      const found = await gather(tx, row, visitor.bearer)
      const at = position(found)
      if (!('step' in at) || at.step !== step) throw new StaleError()
      await tx.db
        .updateTable('sessions')
        .set({ revision: revision + 1 })
        .where('id', '=', row.id)
        .execute()
      await comeBack(tx, row)
      return found
    })
    const scope = reading(deps, visitor.team)
    const { session, token, bearer } = visitor
    const call = { scope, session, handle: token.handle, bearer, facts, address, moves }
    const errors = await takeStep(call, step, input).catch(async error => {
      if (error instanceof ServiceError) await giveBack(deps, visitor.session, revision)
      throw error
    })
    return show(deps, visitor, since, { step, errors })
  })
}

/** A call that was refused as a whole changed nothing, so the view that it came from is still the current one. */
async function giveBack(deps: Deps, session: string, revision: number): Promise<void> {
  await deps.store.write(tx =>
    tx
      .updateTable('sessions')
      .set({ revision })
      .where('id', '=', session)
      .where('revision', '=', revision + 1)
      .execute(),
  )
}
