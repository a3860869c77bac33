import type { FlowEvent } from '@causeway/contract/session'
import { OutsideError } from '../../network/ports.js'
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
import { positionHeld, writeHeld } from './held.js'
import { goodConnect } from './repeat-session.js'
import { findStanding, type Standing, saveProgress } from './store.js'
import { moves } from './transitions.js'
import type { Visitor } from './visitor.js'

/**
 * Does what the service can do by itself, until the person is needed. What it does is kept step by step, so a crash loses nothing.
 * @param known the facts as they are now, where they are known. Each action reads again under its lock what it rests on
 * @returns the facts with the position that they lead to, and the events of what it did
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
      next = (await actions[at.auto]({ scope, facts, handle, bearer, news })) ?? undefined
    } catch (error) {
      if (!(error instanceof OutsideError)) throw error
      await transact(deps, team, tx => saveProgress(tx, id, () => ({ unavailable: true })))
    }
  }
  throw new Error('A session did not come to rest.')
}

async function look(scope: Scope, id: string, bearer: string): Promise<Facts> {
  const standing = (await findStanding(scope, id, bearer))!
  return gather(scope, standing.session, bearer, standing)
}

type Auto = Extract<Position, { auto: string }>['auto']

interface Acting {
  scope: Scope
  facts: Facts
  handle: string
  bearer: string
  /** Takes the events of what the action did. */
  news: FlowEvent[]
}

/** Returns the facts as they are then, where nothing else can have changed them. */
type Action = (acting: Acting) => Promise<Facts | null | undefined>

/** Runs an action in a transaction that holds the person and the session. */
const act = <T>({ scope, facts }: Acting, work: (tx: Scope, standing: Standing) => Promise<T>): Promise<T | null> =>
  transact(scope.deps, scope.team, outer =>
    together(outer, async tx => {
      const standing = await findStanding(tx, facts.session.id, undefined, 'person')
      return standing ? work(tx, standing) : null
    }),
  )

const actions: Record<Auto, Action> = {
  async finish({ scope, facts, handle, news }) {
    const done = await finish(scope, facts, handle, moves)
    news.push(...done.told)
    return done.facts
  },

  async match(acting) {
    const { scope, facts } = acting
    const { entity } = facts
    const found = await scope.deps.ports.identity.match({
      request_id: entity.id,
      team_id: scope.team.id,
      now: scope.now,
      details: readDetails(scope, entity),
    })
    return act(acting, async (tx, { session, entity: row }) => {
      // Whose details were replaced meanwhile is asked again.
      if (row.details !== entity.details) return null
      if (row.matched === 0) await keepMatch(tx, row, found)
      await saveProgress(tx, session, () => ({ missing: found.matched ? [] : found.missing }))
      return null
    })
  },

  async questions(acting) {
    const { scope, facts } = acting
    const job = await act(acting, async (tx, { session: now, entity: row }) => {
      if (row.identity_verified_at !== null || now.progress !== facts.session.progress) return null
      // Of whoever comes with several tokens the questions are the same, and so are the tries.
      const open = await openQuestions(tx, row.id)
      const begun = open
        ? { row: open, job: null }
        : await beginSession(tx, row, 'identity', 'kba', {}, { inFrame: true })
      await saveProgress(tx, now, () => ({ identity_session: begun.row.id }))
      return begun.job
    })
    if (job) await scope.deps.jobs.settle(job, 8_000)
    return null
  },

  async connect(acting) {
    const { facts, handle, bearer, news } = acting
    const done = await act(acting, async (tx, { session, entity }) => {
      if (session.connect_id !== null || session.progress !== facts.session.progress) return null
      const known = await goodConnect(tx, session)
      const record = known ?? (await createRecord(tx, connect, entity, { products: [] })).row
      if (entity.element_connect_at === null)
        await tx.db.updateTable('entities').set({ element_connect_at: tx.now }).where('id', '=', entity.id).execute()
      const row = { ...session, connect_id: record.id, revision: session.revision + 1, updated_at: tx.now }
      // What an earlier search found is still to be read.
      const held = { tx, row, stored: session, events: [], isStale: known !== undefined }
      const after = await positionHeld(held, { ...facts, session: row, connect: record }, bearer, moves)
      return { facts: after.facts, told: await writeHeld(held, handle) }
    })
    news.push(...(done?.told ?? []))
    return done?.facts
  },

  async refresh(acting) {
    // Two pages of a person at once ask once.
    return act(acting, async (tx, standing) => {
      const { stale } = await gather(tx, standing.session, undefined, standing)
      for (const row of stale) await createRecord(tx, update, row, { source: 'direct' })
      return null
    })
  },
}
