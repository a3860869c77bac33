import { ServiceError } from '@causeway/contract/errors'
import { type FlowEvent, type SessionView, type Step, type StepError, steps } from '@causeway/contract/session'
import { z } from 'zod'
import { parse } from '../../platform/http/body.js'
import { createQueue } from '../../platform/http/queue.js'
import { type Deps, reading, transact } from '../../platform/scope.js'
import { registry } from '../steps/registry.js'
import { takeStep } from '../steps/take-step.js'
import { advance } from './advance.js'
import { eventsOf, record } from './events.js'
import { type Facts, position } from './facts.js'
import { gather } from './gather.js'
import { hold, positionHeld, writeHeld } from './held.js'
import { readProgress, type SessionRow } from './session.js'
import { lockSession } from './store.js'
import { moves } from './transitions.js'
import { showView } from './view.js'
import { keepAwake, stayAwake, type Visitor } from './visitor.js'

/** A step was sent from a view that is no longer the current one. */
export class StaleError extends Error {
  override readonly name = 'StaleError'
}

/** Calls of one session follow one another; an institution may keep one of them busy for a while. */
const queued = createQueue(
  15_000,
  () => new ServiceError('SERVICE_UNAVAILABLE', 'The last step is still being worked on. Try again in a moment.'),
)

/**
 * The session as it stands, after the service did what it can do by itself; with what happened meanwhile.
 * @param news what happened by this call before; null: show all that happened since the token was used, because the page
 * was told of nothing yet
 */
export function look(deps: Deps, visitor: Visitor, news: readonly FlowEvent[] | null = []): Promise<SessionView> {
  return queued(visitor.session, async waited => {
    await keepAwake(deps, visitor)
    if (waited) visitor.found = undefined
    return show(deps, visitor, { news })
  })
}

/** A call's effect before the session is shown: its step, and the errors of its input. */
interface Taken {
  step: Step
  errors: StepError[]
}

interface Showing {
  /** What the call did before. */
  taken?: Taken
  /** The facts as they are now, where they are known. */
  known?: Facts
  /** What happened by the call before; null: show all that happened since the token was used. */
  news: readonly FlowEvent[] | null
}

async function show(deps: Deps, visitor: Visitor, { taken, known, news }: Showing): Promise<SessionView> {
  const { team, token } = visitor
  const ended = await advance(deps, team, visitor, known)
  const { at } = ended
  const noted = ended.facts.progress.shown === at.step ? [] : await noteStep(deps, visitor, ended.facts, at.step)
  const scope = reading(deps, team)
  const events = news ? [...news, ...ended.news, ...noted] : await eventsOf(scope, token.handle)
  const { facts } = ended
  const typed = taken?.errors ?? []
  const errors = typed.length > 0 ? typed : (registry[at.step].notice?.(facts, taken?.step === at.step) ?? [])
  return showView(scope, facts, at, { errors, events, expiresAt: visitor.expiresAt, token })
}

/** Tells the detailed stream that another step is shown. The revision stays: nothing that the person sees changed. */
function noteStep(deps: Deps, visitor: Visitor, { session }: Facts, step: Step): Promise<FlowEvent[]> {
  return transact(deps, visitor.team, async tx => {
    const note = async (row: SessionRow): Promise<FlowEvent[] | null> => {
      const progress = readProgress(row)
      const news = moves(progress.shown, step, row.entity_id)
      if (news.length === 0) return []
      const noted = await tx.db
        .updateTable('sessions')
        .set({ progress: JSON.stringify({ ...progress, shown: step }) })
        .where('id', '=', row.id)
        .where('progress', '=', row.progress)
        .returning('id')
        .executeTakeFirst()
      return noted ? record(tx, row, visitor.token.handle, news) : null
    }
    // Where another process changed the progress meanwhile, the row is read again under its lock.
    return (await note(session)) ?? (await note((await lockSession(tx, visitor.session))!)) ?? []
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
  const { session, token, bearer } = visitor
  const { handle } = token
  return queued(session, async () => {
    visitor.found = undefined
    const news: FlowEvent[] = []
    const checked = await transact(deps, visitor.team, async tx => {
      const row = await lockSession(tx, session)
      if (row?.revision !== revision) throw new StaleError()
      const facts = await gather(tx, row, bearer)
      const at = position(facts)
      if (!('step' in at) || at.step !== step) throw new StaleError()
      await stayAwake(tx.db, visitor)
      const held = hold(tx, row)
      if (!isLocal(step, input)) {
        await writeHeld(held, handle)
        return { facts, errors: null, told: [] }
      }
      const call = { scope: tx, session, handle, bearer, facts, address, held, news, moves }
      const errors = await takeStep(call, step, input)
      const after = await positionHeld(held, facts, bearer, moves)
      return { facts: after.facts, errors, told: await writeHeld(held, handle) }
    }).catch(async error => {
      await keepAwake(deps, visitor)
      throw error
    })
    visitor.idle = null
    news.push(...checked.told)
    const { facts } = checked
    if (checked.errors !== null)
      return show(deps, visitor, { taken: { step, errors: checked.errors }, known: facts, news })
    const scope = reading(deps, visitor.team)
    const call = { scope, session, handle, bearer, facts, address, held: null, news, moves }
    const errors = await takeStep(call, step, input).catch(async error => {
      if (error instanceof ServiceError) await giveBack(deps, session, revision)
      throw error
    })
    return show(deps, visitor, { taken: { step, errors }, news })
  })
}

/** True where the input calls no external service, so that it is taken in the transaction that checks it. */
const isLocal = (step: Step, { action }: Record<string, unknown>) =>
  registry[step].local || action === 'back' || action === 'not_me'

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
