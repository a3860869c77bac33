import { endpoints } from '@causeway/contract/endpoints/team'
import { ServiceError } from '@causeway/contract/errors'
import { changesBetween } from '../../platform/audit/changes.js'
import { audit } from '../../platform/audit/store.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { gone, type Route } from '../../platform/http/endpoint/route.js'
import { requireScope } from '../../platform/http/endpoint/scopes.js'
import { orNotFound } from '../../platform/rows.js'
import type { Ctx } from '../../platform/scope.js'
import type { Team } from '../../platform/team.js'
import { lockConsoleUser } from './console-sessions.js'
import { createKey, type KeyRow, listActiveKeys, lockCreatedKeys, lockKey, revokeKey, showKey } from './keys.js'
import { findTeamBelow, lockTeam } from './store.js'

const MAX_KEYS = 20

/** The maximum number of keys listed in an error message. */
const MAX_LISTED_KEYS = 5

/**
 * Returns the other keys to revoke along with a key. Throws INVALID_REQUEST if the key was used to create keys for
 * teams below its own and the caller didn't specify what to do with them.
 * @param choice the value of `created_keys`
 */
async function selectKeysToRevoke(ctx: Ctx, key: KeyRow, choice: 'keep' | 'revoke' | null): Promise<KeyRow[]> {
  if (choice === 'keep') return []
  const created = await lockCreatedKeys(ctx.db, key.id, ctx.actor)
  if (choice === 'revoke') return created
  const keysBelow = created.filter(each => each.team_id !== key.team_id)
  if (keysBelow.length > 0)
    throw new ServiceError(
      'INVALID_REQUEST',
      `${key.id} created ${keysBelow.length} active key(s) of teams below this one, such as ${keysBelow
        .slice(0, MAX_LISTED_KEYS)
        .map(({ id, team_id }) => `${id} of ${team_id}`)
        .join(', ')}. Add created_keys=revoke to revoke them too, or created_keys=keep to revoke only this key.`,
    )
  return []
}

async function revokeKeys(ctx: Ctx, keys: readonly KeyRow[]): Promise<void> {
  for (const key of keys) {
    if (!(await revokeKey(ctx.db, key.id, ctx.deps.clock()))) continue
    for (const team of new Set([ctx.team.id, key.team_id])) await audit(ctx, ctx.actor, 'key.revoke', key.id, { team })
  }
  for (const team of new Set(keys.map(key => key.team_id))) ctx.after(() => ctx.deps.access.forget(team))
}

async function requireTeamBelow(ctx: Ctx, id: string): Promise<Team> {
  return orNotFound(await findTeamBelow(ctx.db, ctx.team, id))
}

const requireKey = (keys: readonly KeyRow[], id: string): KeyRow => {
  const key = keys.find(each => each.id === id)
  if (!key) throw new ServiceError('NOT_FOUND')
  return key
}

/**
 * Locks the key or the console user that authenticated a request, so that neither can be revoked while the request creates
 * a key. Throws UNAUTHORIZED if it was revoked after the request began.
 */
export async function lockCaller({ db, team, actor }: Ctx): Promise<void> {
  if (!(await lockKey(db, actor)) && !(await lockConsoleUser(db, team.id, actor)))
    throw new ServiceError('UNAUTHORIZED')
}

export const keyRoutes: Route[] = [
  implement(endpoints.listKeys, {
    handle: async ctx => ({ shape: 'list', body: (await listActiveKeys(ctx.db, ctx.team.id)).map(showKey) }),
  }),
  implement(endpoints.createKey, {
    async handle(ctx, { body: { scopes = [...ctx.scopes] } }) {
      // mutant: new-key-within-scopes (remove)
      for (const scope of scopes) requireScope(ctx.scopes, scope)
      await lockTeam(ctx)
      await lockCaller(ctx)
      if ((await listActiveKeys(ctx.db, ctx.team.id)).length >= MAX_KEYS)
        throw new ServiceError(
          'INVALID_REQUEST',
          `The team already has ${MAX_KEYS} active keys, the maximum. Revoke one first.`,
        )
      const { row, value } = await createKey(ctx.db, ctx.team.id, ctx.deps.clock(), { scopes, by: ctx.actor })
      await audit(ctx, ctx.actor, 'key.create', row.id, { changes: changesBetween({}, { scopes }) })
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
      const keys = await listActiveKeys(ctx.db, ctx.team.id)
      const key = requireKey(keys, params.key_id)
      const keysToRevoke = [key, ...(await selectKeysToRevoke(ctx, key, query.get('created_keys')))]
      if (keys.every(each => keysToRevoke.some(other => other.id === each.id)))
        throw new ServiceError(
          'INVALID_REQUEST',
          "This is the team's last active key. Before you revoke it, create another key.",
        )
      await revokeKeys(ctx, keysToRevoke)
      return gone
    },
  }),
  implement(endpoints.listTeamKeys, {
    handle: async (ctx, { params }) => ({
      shape: 'list',
      body: (await listActiveKeys(ctx.db, (await requireTeamBelow(ctx, params.team_id)).id)).map(showKey),
    }),
  }),
  implement(endpoints.revokeTeamKey, {
    async handle(ctx, { params, query }) {
      const key = requireKey(
        await listActiveKeys(ctx.db, (await requireTeamBelow(ctx, params.team_id)).id),
        params.key_id,
      )
      await revokeKeys(ctx, [key, ...(await selectKeysToRevoke(ctx, key, query.get('created_keys')))])
      return gone
    },
  }),
]
