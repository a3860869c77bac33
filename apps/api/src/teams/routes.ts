import { ServiceError } from '@causeway/contract/errors'
import { z } from 'zod'
import { audit } from '../audit/store.js'
import type { Tables } from '../db/tables.js'
import { parse } from '../http/body.js'
import { page } from '../http/paging.js'
import { gone, one, type Route } from '../http/route.js'
import { checkSource } from '../payments/create.js'
import type { Ctx } from '../scope.js'
import { readSettings } from './settings.js'
import { createKey, createTeam, findTeam, liveKeys, lockTeam, readTeam, revokeKey, saveTeam, showKey } from './store.js'
import { showTeam } from './team.js'

/** Two, so that a key can be replaced without a moment in which neither works. */
const MAX_KEYS = 2

const name = z.object({ name: z.string().trim().min(1).max(100) })
const forget = (ctx: Ctx) => ctx.after(() => ctx.deps.access.forget(ctx.team.id))

export const teamRoutes: Route[] = [
  {
    method: 'GET',
    path: '/team',
    handle: async ctx => one(showTeam((await findTeam(ctx.db, ctx.team.id)) ?? ctx.team)),
  },
  {
    method: 'PATCH',
    path: '/team',
    async handle(ctx) {
      const team = await lockTeam(ctx)
      const change = readSettings(team, ctx.body(), ctx.deps.environment === 'sandbox')
      const source = change.settings.default_source_account
      if (source !== null && source !== team.settings.default_source_account) await checkSource(ctx, source)
      const saved = await saveTeam(ctx.db, team.id, change, ctx.deps.clock())
      await audit(ctx, ctx.actor, 'team.update', team.id)
      forget(ctx)
      return one(showTeam(saved))
    },
  },
  {
    method: 'GET',
    path: '/teams',
    async handle(ctx) {
      const { rows, headers } = await page<Tables['teams']>(ctx, 'team', from =>
        from('teams').where('parent_id' as 'source', '=', ctx.team.id),
      )
      return { shape: 'list', body: rows.map(row => showTeam(readTeam(row))), headers }
    },
  },
  {
    method: 'POST',
    path: '/teams',
    async handle(ctx) {
      const { deps, db } = ctx
      const team = await createTeam(db, deps.vault, parse(name, ctx.body()).name, ctx.team.id, deps.clock())
      const { row, value } = await createKey(db, team.id, deps.clock())
      await audit(ctx, ctx.actor, 'team.create', team.id)
      return one({ ...showTeam(team), key: { ...showKey(row), value } })
    },
  },
  {
    method: 'GET',
    path: '/team/keys',
    handle: async ctx => ({ shape: 'list', body: (await liveKeys(ctx.db, ctx.team.id)).map(showKey) }),
  },
  {
    method: 'POST',
    path: '/team/keys',
    async handle(ctx) {
      await lockTeam(ctx)
      if ((await liveKeys(ctx.db, ctx.team.id)).length >= MAX_KEYS)
        throw new ServiceError('INVALID_REQUEST', 'Two keys are live already. Delete one of them first.')
      const { row, value } = await createKey(ctx.db, ctx.team.id, ctx.deps.clock())
      await audit(ctx, ctx.actor, 'key.create', row.id)
      return one({ ...showKey(row), value })
    },
  },
  {
    method: 'DELETE',
    path: '/team/keys/:key_id',
    async handle(ctx) {
      await lockTeam(ctx)
      const keys = await liveKeys(ctx.db, ctx.team.id)
      const key = keys.find(each => each.id === ctx.params['key_id'])
      if (!key) throw new ServiceError('NOT_FOUND')
      if (keys.length === 1)
        throw new ServiceError('INVALID_REQUEST', 'This is the only live key. Make another one before deleting it.')
      await revokeKey(ctx.db, key.id, ctx.deps.clock())
      await audit(ctx, ctx.actor, 'key.revoke', key.id)
      forget(ctx)
      return gone
    },
  },
]
