import { endpoints } from '@causeway/contract/endpoints/team'
import { ServiceError } from '@causeway/contract/errors'
import { audit } from '../../platform/audit/store.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { page } from '../../platform/http/endpoint/paging.js'
import { one, type Route } from '../../platform/http/endpoint/route.js'
import type { Ctx } from '../../platform/scope.js'
import type { Team, TeamSettings } from '../../platform/team.js'
import { behaves } from '../../versions/chain.js'
import { detailsIn, openDetails, sealDetails, type TeamDetails } from './details.js'
import { checkGranted, grantsOf, notGranted, within } from './grants.js'
import { holdKey, keyRoutes } from './key-routes.js'
import { createKey, showKey, showTeams } from './keys.js'
import { readSettings } from './settings.js'
import { createTeam, findTeam, lockTeam, readTeam, saveTeam } from './store.js'
import { defaultSettings } from './team.js'

declare module '../../platform/scope.js' {
  interface Deps {
    /** Throws if an account can't be used as a payment source. */
    checkSource(scope: Scope, account: string): Promise<unknown>
  }
}

const MAX_DEPTH = 8

const shown = async (ctx: Ctx, team: Team) => (await showTeams(ctx.db, ctx.deps.vault, [team]))[0]
const own = async (ctx: Ctx) => shown(ctx, (await findTeam(ctx.db, ctx.team.id)) ?? ctx.team)
const forget = (ctx: Ctx) => ctx.after(() => ctx.deps.access.forget(ctx.team.id))

/** Only an encrypted request may make encryption mandatory, because such a request proves that the team's keys work. */
function checkEncryption(ctx: Ctx, team: Team, next: TeamSettings): void {
  if (next.require_encryption && !team.settings.require_encryption && !ctx.encrypted)
    throw new ServiceError(
      'INVALID_REQUEST',
      'require_encryption can only be enabled by an encrypted request. Send this request with the header Service-MLE: jwe.',
    )
}

export const teamRoutes: Route[] = [
  implement(endpoints.retrieveTeam, {
    handle: async ctx => one(await own(ctx)),
  }),
  implement(endpoints.updateTeam, {
    async handle(ctx, { body }) {
      const team = await lockTeam(ctx)
      const change = readSettings(team, body, ctx.deps.environment === 'sandbox')
      checkGranted(team, change.settings, await grantsOf(ctx.db, ctx.deps.environment, team.path))
      checkEncryption(ctx, team, change.settings)
      const source = change.settings.default_source_account
      if (source !== null && source !== team.settings.default_source_account) await ctx.deps.checkSource(ctx, source)
      const given = detailsIn(body as TeamDetails)
      const details =
        Object.keys(given).length > 0
          ? { details: sealDetails(ctx.deps.vault, team, { ...openDetails(ctx.deps.vault, team), ...given }) }
          : {}
      const saved = await saveTeam(ctx.db, team.id, { ...change, ...details }, ctx.deps.clock())
      await audit(ctx, ctx.actor, 'team.update', team.id)
      forget(ctx)
      return one(await shown(ctx, saved))
    },
  }),
  implement(endpoints.listTeams, {
    async handle(ctx) {
      if (behaves(ctx.version, 'calling_team')) return one(await own(ctx))
      const { rows, headers } = await page(ctx, 'team', from => from('teams').where('parent_id', '=', ctx.team.id))
      return {
        shape: 'list',
        body: await showTeams(
          ctx.db,
          ctx.deps.vault,
          rows.map(row => readTeam(row)),
        ),
        headers,
      }
    },
  }),
  implement(endpoints.createTeam, {
    async handle(ctx, { body }) {
      const { name } = body
      const { deps, db } = ctx
      const parent = await lockTeam(ctx)
      await holdKey(ctx)
      const grants = await grantsOf(db, deps.environment, parent.path)
      if (!grants.powers.child_teams)
        throw notGranted(parent.id, 'child_teams', 'on', 'This team is not allowed to create child teams.')
      if (parent.path.length >= MAX_DEPTH)
        throw new ServiceError('INVALID_REQUEST', `A tree of teams must be at most ${MAX_DEPTH} levels deep.`)
      const team = await createTeam(
        db,
        deps.vault,
        name,
        parent,
        deps.clock(),
        within(defaultSettings(name), grants),
        detailsIn(body as TeamDetails),
      )
      const { row, value } = await createKey(db, team.id, deps.clock(), { scopes: [...ctx.scopes], by: ctx.actor })
      await audit(ctx, ctx.actor, 'team.create', team.id)
      const made = await shown(ctx, team)
      const answer = (secret: string | null) => ({ ...made, key: { ...showKey(row), value: secret } })
      return { shape: 'one', body: answer(value), stored: answer(null) }
    },
  }),
  ...keyRoutes,
]
