import { ServiceError } from '@causeway/contract/errors'
import { type FlowEvent, type SessionView, type Step, type StepError, steps } from '@causeway/contract/session'
import { z } from 'zod'
import { parse } from '../../platform/http/body.js'
import { createQueue } from '../../platform/http/queue.js'
import { type Deps, reading, together, transact, withoutSlot } from '../../platform/scope.js'
import { eventsOf, recordShown } from '../session/events.js'
import { type Facts, position, type StepPosition } from '../session/facts.js'
import { gather } from '../session/load-session.js'
import { type Held, hold, writeHeld } from '../session/locked-session.js'
import { readProgress, type SessionRow } from '../session/session.js'
import { findStanding, lockSession } from '../session/store.js'
import { type Call, type Confirmation, fine } from '../steps/call.js'
import { keepAwake, stayAwake, type Visitor } from '../tokens/bearer.js'
import { advance, settleDone } from './advance.js'
import { type Followed, finishStep } from './check-answer.js'
import { confirm } from './finish.js'
import { positionHeld } from './next-position.js'
import { registry } from './registry.js'
import { takeStep } from './take-step.js'
import { moves } from './transitions.js'
import { showView } from './view.js'

/** Thrown if a page submitted a step from a view that is no longer current. */
export class StaleError extends Error {
  override readonly name = 'StaleError'
}

/** The maximum time that a call waits for the session's earlier calls. */
const QUEUE_TIMEOUT_MS = 15_000

const queue = createQueue(
  QUEUE_TIMEOUT_MS,
  () => new ServiceError('SERVICE_UNAVAILABLE', 'The previous step is still in progress. Retry in a moment.'),
)

/** Runs each session's calls one at a time. Calls can queue up while an institution delays an earlier one. */
const queued = <T>(deps: Deps, session: string, work: () => Promise<T>): Promise<T> =>
  queue(session, work, wait => withoutSlot(deps, wait))

/**
 * Runs the service's own actions, and returns the resulting session with this call's events.
 * @param news this call's events so far; null to show all events since the token was redeemed, because the page has
 * received none of them yet
 */
export function look(deps: Deps, visitor: Visitor, news: readonly FlowEvent[] | null = []): Promise<SessionView> {
  return queued(deps, visitor.session, async () => {
    await keepAwake(deps, visitor)
    return show(deps, visitor, { news })
  })
}

/** The step that a call submitted input for, and the errors in that input. */
interface Input {
  step: Step
  errors: StepError[]
}

interface Showing {
  /** This call's input, if any. */
  taken?: Input
  /** The session's current data, if known. */
  known?: Facts
  /** This call's events so far; null to show all events since the token was redeemed. */
  news: readonly FlowEvent[] | null
}

async function show(deps: Deps, visitor: Visitor, { taken, known, news }: Showing): Promise<SessionView> {
  const { team, token } = visitor
  const ended = await advance(deps, team, visitor, known)
  const { at } = ended
  const noted = ended.facts.progress.shown === at.step ? [] : await noteStep(deps, visitor, ended.facts, at)
  const scope = reading(deps, team)
  const events = news ? [...news, ...ended.news, ...noted] : await eventsOf(scope, token.handle)
  const { facts } = ended
  const typed = taken?.errors ?? []
  const errors = typed.length > 0 ? typed : (registry[at.step].notice?.(facts, taken?.step === at.step) ?? [])
  return showView(scope, facts, at, { errors, events, expiresAt: visitor.expiresAt, token })
}

/**
 * Records, in the detailed event stream, that another step was shown. Keeps the revision, because the person sees no
 * change.
 */
function noteStep(deps: Deps, visitor: Visitor, facts: Facts, at: StepPosition): Promise<FlowEvent[]> {
  return transact(deps, visitor.team, async tx => {
    const note = async (row: SessionRow): Promise<FlowEvent[] | undefined> => {
      const move = moves(readProgress(row), at, row)
      if (move.events.length === 0) return []
      const noted = await recordShown(tx, { ...facts, session: row }, visitor.token.handle, move)
      return noted?.told
    }
    // If another process has changed the progress, the row is reread under its lock.
    return (await note(facts.session)) ?? (await note((await lockSession(tx, visitor.session))!)) ?? []
  })
}

const body = z.object({ revision: z.int(), input: z.record(z.string(), z.unknown()) })

/** Accepts a step's input once. Throws StaleError for a repeated or outdated input. */
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
  const { session, token, bearer } = visitor
  const { handle } = token
  return queued(deps, session, async () => {
    const news: FlowEvent[] = []
    const checked = await transact(deps, visitor.team, outer =>
      together(outer, async tx => {
        const standing = await findStanding(tx, session, bearer, registry[step].changesPerson ? 'person' : 'session')
        if (standing?.session.revision !== revision) throw new StaleError()
        const facts = await gather(tx, standing.session, bearer, standing, registry[step].rests)
        const at = position(facts)
        if (!('step' in at) || at.step !== step) throw new StaleError()
        await stayAwake(tx.db, visitor)
        const held = hold(tx, standing.session)
        const { progress } = held.row
        const call: Call = { scope: tx, session, handle, bearer, facts, address, held, news }
        const result = await takeStep(call, step, input)
        const taken = 'confirmed' in result ? await confirmHeld(held, facts, result) : result
        if (!Array.isArray(taken)) {
          const told = await writeHeld(held, handle)
          const after = { ...facts, session: held.row, progress: readProgress(held.row) }
          return { call, rest: taken, after, isKept: held.row.progress !== progress, told }
        }
        const after = await positionHeld(held, facts, bearer)
        return { facts: after.facts, errors: taken, told: await writeHeld(held, handle) }
      }),
    ).catch(async error => {
      await keepAwake(deps, visitor)
      throw error
    })
    visitor.idle = null
    news.push(...checked.told)
    if (checked.rest === undefined)
      return show(deps, visitor, { taken: { step, errors: checked.errors }, known: checked.facts, news })
    const { call, after } = checked
    Object.assign(call, { scope: reading(deps, visitor.team), held: null, facts: after })
    const { rest } = checked
    const followed: Followed = { done: null, facts: null }
    // The rest of a step waits for external services.
    const errors = await withoutSlot(deps, () => finishStep(call, rest, followed)).catch(async error => {
      if (error instanceof ServiceError && !checked.isKept) await giveBack(deps, visitor, revision)
      throw error
    })
    const settled = followed.done && (await settleDone(call.scope, followed.done))
    if (settled) news.push(...settled.events)
    const known = settled ? settled.facts : followed.facts
    return show(deps, visitor, { taken: { step, errors }, news, ...(known && { known }) })
  })
}

/** Stores confirmed allocations in the call's transaction. */
async function confirmHeld(held: Held, facts: Facts, { confirmed }: Confirmation): Promise<StepError[]> {
  const { row, events } = await confirm(held.tx, held.row, facts, confirmed)
  held.row = held.stored = row
  held.events.push(...events)
  return fine
}

/** Restores the revision after a call that failed without changing anything, so that the page's view stays current. */
async function giveBack(
  deps: Deps,
  { team, session }: Pick<Visitor, 'team' | 'session'>,
  revision: number,
): Promise<void> {
  await deps.store.write(tx =>
    tx
      .updateTable('sessions')
      .set({ revision })
      .where('team_id', '=', team.id)
      .where('id', '=', session)
      .where('revision', '=', revision + 1)
      .execute(),
  )
}
