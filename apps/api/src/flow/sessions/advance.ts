import { OutsideError } from '../../network/ports.js'
import { keepMatch } from '../../people/entities/match.js'
import { beginSession, openQuestions } from '../../people/entities/sessions.js'
import { readDetails } from '../../people/entities/show.js'
import { lockEntity } from '../../people/entities/store.js'
import { connect } from '../../people/products/connect.js'
import { createRecord } from '../../people/products/store.js'
import { update } from '../../people/products/update.js'
import { type Deps, reading, type Scope, transact } from '../../platform/scope.js'
import type { Team } from '../../platform/team.js'
import type { Visitor } from './calls.js'
import { type Facts, type Position, position } from './facts.js'
import { finish } from './finish.js'
import { gather } from './gather.js'
import { goodConnect } from './repeat-session.js'
import { findSession, lockSession, saveProgress } from './store.js'
import { moves } from './transitions.js'

/** Does what the service can do by itself, until the person is needed. What it does is kept step by step, so a crash loses nothing. */
export async function advance(
  deps: Deps,
  team: Team,
  { session: id, token: { handle }, bearer }: Pick<Visitor, 'session' | 'token' | 'bearer'>,
): Promise<{ facts: Facts; at: Exclude<Position, { auto: string }> }> {
  for (let turn = 0; turn < 12; turn++) {
    const scope = reading(deps, team)
    const facts = await gather(scope, (await findSession(scope, id))!, bearer)
    const at = position(facts)
    if ('step' in at) return { facts, at }
    try {
      await actions[at.auto](scope, team, facts, handle)
    } catch (error) {
      if (!(error instanceof OutsideError)) throw error
      await transact(deps, team, tx => saveProgress(tx, id, () => ({ unavailable: true })))
    }
  }
  throw new Error('A session did not come to rest.')
}

type Auto = Extract<Position, { auto: string }>['auto']

const actions: Record<Auto, (scope: Scope, team: Team, facts: Facts, handle: string) => Promise<void>> = {
  finish: (scope, _team, facts, handle) => finish(scope, facts, handle, moves),

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
      await saveProgress(tx, session.id, () => ({ identity_session: begun.row.id }))
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
      await saveProgress(tx, session.id, () => ({}), { connect_id: record.id })
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
