import type { FlowEvent } from '@causeway/contract/session'
import { OutsideError } from '../../network/ports.js'
import { keepMatch } from '../../people/entities/match.js'
import { beginSession, openQuestions } from '../../people/entities/sessions.js'
import { readDetails } from '../../people/entities/show.js'
import { lockEntity } from '../../people/entities/store.js'
import { connect } from '../../people/products/connect/product.js'
import { createRecord } from '../../people/products/store.js'
import { update } from '../../people/products/update/product.js'
import { type Deps, reading, type Scope, transact } from '../../platform/scope.js'
import type { Team } from '../../platform/team.js'
import { type Facts, type Position, position } from './facts.js'
import { finish } from './finish.js'
import { gather } from './gather.js'
import { goodConnect } from './repeat-session.js'
import { findSession, lockSession, saveProgress } from './store.js'
import { moves } from './transitions.js'
import type { Visitor } from './visitor.js'

/**
 * Does what the service can do by itself, until the person is needed. What it does is kept step by step, so a crash loses nothing.
 * @param known the facts as they are now, where they are known. Each action reads again under its lock what it rests on
 * @returns also the events of what it did
 */
export async function advance(
  deps: Deps,
  team: Team,
  { session: id, token: { handle }, bearer, found }: Pick<Visitor, 'session' | 'token' | 'bearer' | 'found'>,
  known?: Facts,
): Promise<{ facts: Facts; at: Exclude<Position, { auto: string }>; news: FlowEvent[] }> {
  const news: FlowEvent[] = []
  for (let turn = 0; turn < 12; turn++) {
    const scope = reading(deps, team)
    const session = async () => (turn === 0 && found) || (await findSession(scope, id))!
    const facts = (turn === 0 && known) || (await gather(scope, await session(), bearer))
    const at = position(facts)
    if ('step' in at) return { facts, at, news }
    try {
      await actions[at.auto](scope, team, facts, handle, news)
    } catch (error) {
      if (!(error instanceof OutsideError)) throw error
      await transact(deps, team, tx => saveProgress(tx, id, () => ({ unavailable: true })))
    }
  }
  throw new Error('A session did not come to rest.')
}

type Auto = Extract<Position, { auto: string }>['auto']

/** @param news takes the events of what it did */
type Action = (scope: Scope, team: Team, facts: Facts, handle: string, news: FlowEvent[]) => Promise<void>

const actions: Record<Auto, Action> = {
  async finish(scope, _team, facts, handle, news) {
    news.push(...(await finish(scope, facts, handle, moves)))
  },

  async match(scope, team, { entity, session }) {
    const found = await scope.deps.ports.identity.match({
      request_id: entity.id,
      team_id: team.id,
      now: scope.now,
      details: readDetails(scope, entity),
    })
    await transact(scope.deps, team, async tx => {
      const row = await lockEntity(tx, entity.id)
      // Whose details were replaced meanwhile is asked again.
      if (row?.details !== entity.details) return
      if (row.matched === 0) await keepMatch(tx, row, found)
      await saveProgress(tx, session.id, () => ({ missing: found.matched ? [] : found.missing }))
    })
  },

  async questions(scope, team, { entity, session }) {
    const job = await transact(scope.deps, team, async tx => {
      const row = await lockEntity(tx, entity.id)
      const now = await lockSession(tx, session.id)
      if (!row || !now || row.identity_verified_at !== null || now.progress !== session.progress) return null
      // Of whoever comes with several tokens the questions are the same, and so are the tries.
      const open = await openQuestions(tx, row.id)
      const begun = open ? { row: open, job: null } : await beginSession(tx, row, 'identity', 'kba', {}, true)
      await saveProgress(tx, now, () => ({ identity_session: begun.row.id }))
      return begun.job
    })
    if (job) await scope.deps.jobs.settle(job, 8_000)
  },

  async connect(scope, team, { entity, session }) {
    await transact(scope.deps, team, async tx => {
      const row = await lockEntity(tx, entity.id)
      const locked = await lockSession(tx, session.id)
      if (!row || !locked || locked.connect_id !== null) return
      const known = await goodConnect(tx, locked)
      const record = known ?? (await createRecord(tx, connect, row, { products: [] })).row
      if (row.element_connect_at === null)
        await tx.db.updateTable('entities').set({ element_connect_at: tx.now }).where('id', '=', row.id).execute()
      await saveProgress(tx, locked, () => ({}), { connect_id: record.id })
    })
  },

  async refresh(scope, team, { entity, session }) {
    await transact(scope.deps, team, async tx => {
      // Two pages of a person at once ask once.
      await lockEntity(tx, entity.id)
      const now = await lockSession(tx, session.id)
      if (!now) return
      for (const row of (await gather(tx, now)).stale) await createRecord(tx, update, row, { source: 'direct' })
    })
  },
}
