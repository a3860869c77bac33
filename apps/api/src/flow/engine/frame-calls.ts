import { ServiceError } from '@causeway/contract/errors'
import { type FlowEvent, type SessionView, type Step, type StepError, steps } from '@causeway/contract/session'
import { z } from 'zod'
import { createQueue } from '../../platform/http/limits/queue.js'
import { parse } from '../../platform/http/request/body.js'
import { batchWrites, type Deps, reading, transact, withoutSlot } from '../../platform/scope.js'
import { listEvents, recordShown } from '../session/events.js'
import { type Facts, position, type StepPosition } from '../session/facts.js'
import { loadSession } from '../session/load-session.js'
import { beginChange, type LockedSession, writeLockedSession } from '../session/locked-session.js'
import { readProgress, type SessionRow } from '../session/session.js'
import { findSessionRows, lockSession } from '../session/store.js'
import { type Call, type Confirmation, noErrors } from '../steps/call.js'
import { extendIdleLimit, type Visitor, writeIdleLimit } from '../tokens/bearer.js'
import { advance, awaitAction } from './advance.js'
import { type CheckEffects, finishStep } from './check-answer.js'
import { confirmAllocations } from './finish.js'
import { nextPosition } from './next-position.js'
import { registry } from './registry.js'
import { takeStep } from './take-step.js'
import { transitionTo } from './transitions.js'
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
export function viewSession(
  deps: Deps,
  visitor: Visitor,
  events: readonly FlowEvent[] | null = [],
): Promise<SessionView> {
  return queued(deps, visitor.session, async () => {
    await writeIdleLimit(deps, visitor)
    return advanceAndShow(deps, visitor, { events })
  })
}

/** The step that a call submitted input for, and the errors in that input. */
interface SubmittedInput {
  step: Step
  errors: StepError[]
}

interface ViewInput {
  /** This call's input, if any. */
  submitted?: SubmittedInput
  /** The session's current data, if known. */
  facts?: Facts
  /** This call's events so far; null to show all events since the token was redeemed. */
  events: readonly FlowEvent[] | null
}

async function advanceAndShow(
  deps: Deps,
  visitor: Visitor,
  { submitted, facts: current, events: earlierEvents }: ViewInput,
): Promise<SessionView> {
  const { team, token } = visitor
  const advanced = await advance(deps, team, visitor, current)
  const { at } = advanced
  const shownEvents =
    advanced.facts.progress.shown === at.step ? [] : await recordShownStep(deps, visitor, advanced.facts, at)
  const scope = reading(deps, team)
  const events = earlierEvents
    ? [...earlierEvents, ...advanced.events, ...shownEvents]
    : await listEvents(scope, token.handle)
  const { facts } = advanced
  const typed = submitted?.errors ?? []
  const errors = typed.length > 0 ? typed : (registry[at.step].notice?.(facts, submitted?.step === at.step) ?? [])
  return showView(scope, facts, at, { errors, events, expiresAt: visitor.expiresAt, token })
}

/**
 * Records, in the detailed event stream, that another step was shown. Keeps the revision, because the person sees no
 * change.
 */
function recordShownStep(deps: Deps, visitor: Visitor, facts: Facts, at: StepPosition): Promise<FlowEvent[]> {
  return transact(deps, visitor.team, async tx => {
    const recordShownIn = async (row: SessionRow): Promise<FlowEvent[] | undefined> => {
      const move = transitionTo(readProgress(row), at, row)
      if (move.events.length === 0) return []
      const recorded = await recordShown(tx, { ...facts, session: row }, visitor.token.handle, move)
      return recorded?.told
    }
    // If another process has changed the progress, the row is reread under its lock.
    return (
      (await recordShownIn(facts.session)) ?? (await recordShownIn((await lockSession(tx, visitor.session))!)) ?? []
    )
  })
}

const body = z.object({ revision: z.int(), input: z.record(z.string(), z.unknown()) })

/** Accepts a step's input once. Throws StaleError for a repeated or outdated input. */
export async function submitStep(
  deps: Deps,
  visitor: Visitor,
  name: string,
  requestBody: unknown,
  address: string | undefined,
): Promise<SessionView> {
  const step = steps.find(known => known === name)
  if (!step) throw new ServiceError('NOT_FOUND')
  const { revision, input } = parse(body, requestBody)
  const { session, token, bearer } = visitor
  const { handle } = token
  return queued(deps, session, async () => {
    const callEvents: FlowEvent[] = []
    const committed = await transact(deps, visitor.team, outer =>
      batchWrites(outer, async tx => {
        const rows = await findSessionRows(tx, session, bearer, registry[step].changesPerson ? 'person' : 'session')
        if (rows?.session.revision !== revision) throw new StaleError()
        const facts = await loadSession(tx, rows.session, bearer, rows, registry[step].rests)
        const at = position(facts)
        if (!('step' in at) || at.step !== step) throw new StaleError()
        await extendIdleLimit(tx.db, visitor)
        const held = beginChange(tx, rows.session)
        const { progress } = held.row
        const call: Call = { scope: tx, session, handle, bearer, facts, address, held, events: callEvents }
        const result = await takeStep(call, step, input)
        const outcome = 'confirmed' in result ? await confirmHeld(held, facts, result) : result
        if (!Array.isArray(outcome)) {
          const recorded = await writeLockedSession(held, handle)
          const after = { ...facts, session: held.row, progress: readProgress(held.row) }
          return { call, rest: outcome, after, isKept: held.row.progress !== progress, recorded }
        }
        const after = await nextPosition(held, facts, bearer)
        const recorded = await writeLockedSession(held, handle)
        return { facts: after.facts, errors: outcome, recorded, next: call.next }
      }),
    ).catch(async error => {
      await writeIdleLimit(deps, visitor)
      throw error
    })
    visitor.idle = null
    callEvents.push(...committed.recorded)
    if (committed.rest === undefined && committed.next !== undefined)
      return advanceAndShow(deps, { ...visitor, session: committed.next }, { events: callEvents })
    if (committed.rest === undefined)
      return advanceAndShow(deps, visitor, {
        submitted: { step, errors: committed.errors },
        facts: committed.facts,
        events: callEvents,
      })
    const { call, after } = committed
    Object.assign(call, { scope: reading(deps, visitor.team), held: null, facts: after })
    const { rest } = committed
    const effects: CheckEffects = { done: null, facts: null }
    // The rest of a step waits for external services.
    const errors = await withoutSlot(deps, () => finishStep(call, rest, effects)).catch(async error => {
      if (error instanceof ServiceError && !committed.isKept) await restoreRevision(deps, visitor, revision)
      throw error
    })
    const settled = effects.done && (await awaitAction(call.scope, effects.done))
    if (settled) callEvents.push(...settled.events)
    const currentFacts = settled ? settled.facts : effects.facts
    return advanceAndShow(deps, visitor, {
      submitted: { step, errors },
      events: callEvents,
      ...(currentFacts && { facts: currentFacts }),
    })
  })
}

/** Stores confirmed allocations in the call's transaction. */
async function confirmHeld(held: LockedSession, facts: Facts, { confirmed }: Confirmation): Promise<StepError[]> {
  const { row, events } = await confirmAllocations(held.tx, held.row, facts, confirmed)
  held.row = held.stored = row
  held.events.push(...events)
  return noErrors
}

/** Restores the revision after a call that failed without changing anything, so that the page's view stays current. */
async function restoreRevision(
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
