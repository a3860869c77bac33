import { endpoints } from '@causeway/contract/endpoints/team'
import { ServiceError } from '@causeway/contract/errors'
import { audit } from '../../platform/audit/store.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { gone, type Route } from '../../platform/http/endpoint/route.js'
import { requireScope } from '../../platform/http/endpoint/scopes.js'
import type { Ctx } from '../../platform/scope.js'
import type { Team } from '../../platform/team.js'
import { createdWith, createKey, type KeyRow, liveKeys, lockKey, revokeKey, showKey } from './keys.js'
import { findBelow, lockTeam } from './store.js'

const MAX_KEYS = 20

/** The maximum number of keys listed in an error message. */
const NAMED = 5

/**
 * Returns the other keys to revoke along with a key. Throws INVALID_REQUEST if the key was used to create keys for
 * teams below its own and the caller didn't specify what to do with them.
 * @param choice the value of `created_keys`
 */
async function alsoRevoked(ctx: Ctx, key: KeyRow, choice: 'keep' | 'revoke' | null): Promise<KeyRow[]> {
  if (choice === 'keep') return []
  const created = await createdWith(ctx.db, key.id, ctx.actor)
  if (choice === 'revoke') return created
  const below = created.filter(each => each.team_id !== key.team_id)
  if (below.length > 0)
    throw new ServiceError(
      'INVALID_REQUEST',
      `${key.id} created ${below.length} active key(s) of teams below this one, such as ${below
        .slice(0, NAMED)
        .map(({ id, team_id }) => `${id} of ${team_id}`)
        .join(', ')}. Add created_keys=revoke to revoke them too, or created_keys=keep to revoke only this key.`,
    )
  return []
}

async function revoke(ctx: Ctx, keys: readonly KeyRow[]): Promise<void> {
  for (const key of keys) {
    if (!(await revokeKey(ctx.db, key.id, ctx.deps.clock()))) continue
    for (const team of new Set([ctx.team.id, key.team_id])) await audit(ctx, ctx.actor, 'key.revoke', key.id, team)
  }
  for (const team of new Set(keys.map(key => key.team_id))) ctx.after(() => ctx.deps.access.forget(team))
}

async function below(ctx: Ctx, id: string): Promise<Team> {
  const team = await findBelow(ctx.db, ctx.team, id)
  if (!team) throw new ServiceError('NOT_FOUND')
  return team
}

const found = (keys: readonly KeyRow[], id: string): KeyRow => {
  const key = keys.find(each => each.id === id)
  if (!key) throw new ServiceError('NOT_FOUND')
  return key
}

/**
 * Locks the key that authenticated a request, so that it can't be revoked while the request creates another key. Throws
 * UNAUTHORIZED if the key was revoked after the request began.
 */
export async function holdKey(ctx: Ctx): Promise<void> {
  if (!(await lockKey(ctx.db, ctx.actor))) throw new ServiceError('UNAUTHORIZED')
}

export const keyRoutes: Route[] = [
  implement(endpoints.listKeys, {
    handle: async ctx => ({ shape: 'list', body: (await liveKeys(ctx.db, ctx.team.id)).map(showKey) }),
  }),
  implement(endpoints.createKey, {
    async handle(ctx, { body: { scopes = [...ctx.scopes] } }) {
      // mutant: new-key-within-scopes (remove)
      for (const scope of scopes) requireScope(ctx.scopes, scope)
      await lockTeam(ctx)
      await holdKey(ctx)
      if ((await liveKeys(ctx.db, ctx.team.id)).length >= MAX_KEYS)
        throw new ServiceError(
          'INVALID_REQUEST',
          `The team already has ${MAX_KEYS} active keys, the maximum. Revoke one first.`,
        )
      const { row, value } = await createKey(ctx.db, ctx.team.id, ctx.deps.clock(), { scopes, by: ctx.actor })
      await audit(ctx, ctx.actor, 'key.create', row.id)
      return {
        shape: 'one',
        body: { ...showKey(row), value },
        // mutant: replay-hides-new-key (remove)
        stored: { ...showKey(row), value: null },
      }
    },
  }),
  implement(endpoints.revokeKey, {
    async handle(ctx, { params, query }) {
      await lockTeam(ctx)
      const keys = await liveKeys(ctx.db, ctx.team.id)
      const key = found(keys, params.key_id)
      const revoked = [key, ...(await alsoRevoked(ctx, key, query.get('created_keys')))]
      if (keys.every(each => revoked.some(other => other.id === each.id)))
        throw new ServiceError(
          'INVALID_REQUEST',
          "This is the team's last active key. Before you revoke it, create another key.",
        )
      await revoke(ctx, revoked)
      return gone
    },
  }),
  implement(endpoints.listTeamKeys, {
    handle: async (ctx, { params }) => ({
      shape: 'list',
      body: (await liveKeys(ctx.db, (await below(ctx, params.team_id)).id)).map(showKey),
    }),
  }),
  implement(endpoints.revokeTeamKey, {
    async handle(ctx, { params, query }) {
      const key = found(await liveKeys(ctx.db, (await below(ctx, params.team_id)).id), params.key_id)
      await revoke(ctx, [key, ...(await alsoRevoked(ctx, key, query.get('created_keys')))])
      return gone
    },
  }),
]
