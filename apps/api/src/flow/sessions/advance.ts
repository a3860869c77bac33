import type { FlowEvent } from '@causeway/contract/session'
import { callAbout, OutsideError } from '../../network/ports.js'
import { attemptsLeft } from '../../people/entities/attempts.js'
import { keepMatch } from '../../people/entities/match.js'
import { beginSession, openQuestions } from '../../people/entities/sessions.js'
import { readDetails } from '../../people/entities/show.js'
import { connect } from '../../people/products/connect/product.js'
import { createRecord } from '../../people/products/store.js'
import { update } from '../../people/products/update/product.js'
import { type Deps, reading, type Scope, together, transact } from '../../platform/scope.js'
import type { Team } from '../../platform/team.js'
import { type Facts, type Position, position } from './facts.js'
import { finish } from './finish.js'
import { gather } from './gather.js'
import { positionHeld, writeHeld } from './locked-session.js'
import { goodConnect } from './repeat-session.js'
import { readProgress } from './session.js'
import { findStanding, type Standing, saveProgress } from './store.js'
import { moves } from './transitions.js'
import type { Visitor } from './visitor.js'

/**
 * Runs the service's own actions until the person has to act. Each action is stored when it completes, so a crash loses
 * nothing.
 * @param known the current facts, if known. Each action rereads the facts it depends on under its lock
 * @returns the facts with the resulting position, and the events of the actions
 */
export async function advance(
  deps: Deps,
  team: Team,
  { session: id, token: { handle }, bearer }: Pick<Visitor, 'session' | 'token' | 'bearer'>,
  known?: Facts,
): Promise<{ facts: Facts; at: Exclude<Position, { auto: string }>; news: FlowEvent[] }> {
  const news: FlowEvent[] = []
  let next = known
  for (let turn = 0; turn < 12; turn++) {
    const scope = reading(deps, team)
    const facts = next ?? (await look(scope, id, bearer))
    const at = position(facts)
    if ('step' in at) return { facts, at, news }
    next = undefined
    try {
      const given = { facts, handle, bearer }
      const action = at.auto === 'match' ? await match(scope, given) : actions[at.auto]
      const done = await transact(deps, team, outer =>
        together(outer, async tx => {
          const standing = await findStanding(tx, id, bearer, 'person')
          return standing ? action(tx, standing, given) : nothing
        }),
      )
      news.push(...done.events)
      next = await settleDone(scope, done)
    } catch (error) {
      if (!(error instanceof OutsideError)) throw error
      await transact(deps, team, tx => saveProgress(tx, id, () => ({ unavailable: true })))
    }
  }
  throw new Error('A session did not reach a stable step.')
}

async function look(scope: Scope, id: string, bearer: string): Promise<Facts> {
  const standing = (await findStanding(scope, id, bearer))!
  return gather(scope, standing.session, bearer, standing)
}

type Auto = Extract<Position, { auto: string }>['auto']

interface Given {
  /** The facts that led to the action. The action rereads, under its lock, the facts that it depends on. */
  facts: Facts
  handle: string
  bearer: string
}

/** The result of an action within its transaction. */
export interface Done {
  /** The facts after the action; null if other changes may have affected them. */
  facts: Facts | null
  events: FlowEvent[]
  /** A job that the caller waits for after the commit. */
  job: string | null
}

const nothing: Done = { facts: null, events: [], job: null }

/** An action, run in a transaction that has locked the person and the session. */
type Action = (tx: Scope, standing: Standing, given: Given) => Promise<Done>

/** The maximum time to wait for questions, in ms. */
const PATIENCE = 8_000

/**
 * Waits for the job that an action enqueued.
 * @returns the facts, if still known
 */
export async function settleDone({ deps, team }: Scope, { facts, job }: Done): Promise<Facts | undefined> {
  if (job === null) return facts ?? undefined
  await deps.jobs.settle(team.id, job, PATIENCE)
  return undefined
}

/**
 * Runs the action that follows from the facts in the same transaction, which has locked the person and the session.
 * Does nothing if the next step requires the person or an external service.
 */
export const proceed: Action = async (tx, standing, given) => {
  const at = position(given.facts)
  return 'step' in at || at.auto === 'match' ? nothing : actions[at.auto](tx, standing, given)
}

async function match(scope: Scope, { facts }: Given): Promise<Action> {
  const { entity } = facts
  const found = await scope.deps.ports.identity.match({
    ...callAbout(scope, entity.id),
    details: readDetails(scope, entity),
  })
  return async (tx, standing, given) => {
    const { session: before, entity: row } = standing
    // If the details were replaced in the meantime, the match runs again.
    if (row.details !== entity.details) return nothing
    const matched = row.matched === 0 ? await keepMatch(tx, row, found) : undefined
    const session = await saveProgress(tx, before, () => ({ missing: found.matched ? [] : found.missing }))
    if (!matched || !session || before.progress !== facts.session.progress) return nothing
    const attempts = await attemptsLeft(tx, matched)
    const next = { ...facts, session, progress: readProgress(session), entity: matched, attempts }
    return proceed(tx, { ...standing, session, entity: matched }, { ...given, facts: next })
  }
}

const actions: Record<Exclude<Auto, 'match'>, Action> = {
  async finish(tx, standing, { handle, bearer }) {
    // Rereads the accounts, which may have changed during an external call.
    const facts = await gather(tx, standing.session, bearer, standing, 'accounts')
    const at = position(facts)
    return 'auto' in at && at.auto === 'finish' ? finish(tx, standing, facts, handle, moves) : nothing
  },

  async questions(tx, { session, entity }, { facts }) {
    if (entity.identity_verified_at !== null || session.progress !== facts.session.progress) return nothing
    // All of a person's tokens show the same questions and share one attempt limit.
    const open = await openQuestions(tx, entity.id)
    const begun = open
      ? { row: open, job: null }
      : await beginSession(tx, entity, 'identity', 'kba', {}, { inFrame: true })
    await saveProgress(tx, session, () => ({ identity_session: begun.row.id }))
    return { ...nothing, job: begun.job }
  },

  async connect(tx, { session, entity }, { facts, handle, bearer }) {
    if (session.connect_id !== null || session.progress !== facts.session.progress) return nothing
    const known = await goodConnect(tx, session)
    const record = known ?? (await createRecord(tx, connect, entity, { products: [] })).row
    if (entity.element_connect_at === null)
      await tx.db
        .updateTable('entities')
        .set({ element_connect_at: tx.now })
        .where('team_id', '=', tx.team.id)
        .where('id', '=', entity.id)
        .execute()
    const row = { ...session, connect_id: record.id, revision: session.revision + 1, updated_at: tx.now }
    // The accounts of an earlier search have not been read yet.
    const held = { tx, row, stored: session, events: [], isStale: known !== undefined }
    const after = await positionHeld(held, { ...facts, session: row, connect: record }, bearer, moves)
    return { facts: after.facts, events: await writeHeld(held, handle), job: null }
  },

  async refresh(tx, standing) {
    // Reads the facts under the lock, so that two pages opened by the same person make only one request.
    const { stale } = await gather(tx, standing.session, undefined, standing)
    for (const row of stale) await createRecord(tx, update, row, { source: 'direct' })
    return nothing
  },
}
