import { endpoints } from '@causeway/contract/endpoints/team'
import { ServiceError } from '@causeway/contract/errors'
import { type AuditChange, changesBetween, hiddenChanges } from '../../platform/audit/changes.js'
import { audit } from '../../platform/audit/store.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { page } from '../../platform/http/endpoint/paging.js'
import { one, type Route } from '../../platform/http/endpoint/route.js'
import type { Ctx } from '../../platform/scope.js'
import type { Team, TeamSettings } from '../../platform/team.js'
import { hasBehavior } from '../../versions/chain.js'
import { openDetails, sealDetails, selectDetails, type TeamDetails } from './details.js'
import { limitToGrants, loadGrants, notGranted, validateAgainstGrants } from './grants.js'
import { keyRoutes, lockCaller } from './key-routes.js'
import { createKey, showKey, showTeams } from './keys.js'
import { readSettings } from './settings.js'
import { createTeam, findTeam, lockTeam, readTeam, updateTeam } from './store.js'
import { defaultSettings } from './team.js'

declare module '../../platform/scope.js' {
  interface Deps {
    /** Throws if an account can't be used as a payment source. */
    checkSource(scope: Scope, account: string): Promise<unknown>
  }
}

const MAX_TREE_DEPTH = 8

const showTeamWithKeys = async (ctx: Ctx, team: Team) => (await showTeams(ctx.db, ctx.deps.vault, [team]))[0]
const showWithCapabilities = async (ctx: Ctx, team: Team) => ({
  ...(await showTeamWithKeys(ctx, team)),
  capabilities: ctx.deps.capabilities
    .list()
    .map(({ kind, name, reason }) => ({ kind, name, available: reason === null, reason })),
})
const showOwnTeam = async (ctx: Ctx) => showWithCapabilities(ctx, (await findTeam(ctx.db, ctx.team.id)) ?? ctx.team)
const forgetAccess = (ctx: Ctx) => ctx.after(() => ctx.deps.access.forget(ctx.team.id))

/** Only an encrypted request may make encryption mandatory, because such a request proves that the team's keys work. */
function validateEncryptionChange(ctx: Ctx, team: Team, next: TeamSettings): void {
  if (next.require_encryption && !team.settings.require_encryption && !ctx.encrypted)
    throw new ServiceError(
      'INVALID_REQUEST',
      'require_encryption can only be enabled by an encrypted request. Send this request with the header Service-MLE: jwe.',
    )
}

/** Returns what changed in a team. The audit log must not contain the details, which are personal data. */
function changesIn(ctx: Ctx, before: Team, after: Team): AuditChange[] {
  const settingsOf = ({ settings, version }: Team) => ({ ...settings, version })
  const details = changesBetween(
    { ...openDetails(ctx.deps.vault, before) },
    { ...openDetails(ctx.deps.vault, after) },
  ).map(({ name }) => name)
  return [...changesBetween(settingsOf(before), settingsOf(after)), ...hiddenChanges(details)]
}

export const teamRoutes: Route[] = [
  implement(endpoints.retrieveTeam, {
    handle: async ctx => one(await showOwnTeam(ctx)),
  }),
  implement(endpoints.updateTeam, {
    async handle(ctx, { body }) {
      const team = await lockTeam(ctx)
      const change = readSettings(team, body, ctx.deps.environment === 'sandbox')
      validateAgainstGrants(team, change.settings, await loadGrants(ctx.db, ctx.deps.environment, team.path))
      validateEncryptionChange(ctx, team, change.settings)
      const source = change.settings.default_source_account
      if (source !== null && source !== team.settings.default_source_account) await ctx.deps.checkSource(ctx, source)
      const changedDetails = selectDetails(body as TeamDetails)
      const details =
        Object.keys(changedDetails).length > 0
          ? { details: sealDetails(ctx.deps.vault, team, { ...openDetails(ctx.deps.vault, team), ...changedDetails }) }
          : {}
      const updated = await updateTeam(ctx.db, team.id, { ...change, ...details }, ctx.deps.clock())
      await audit(ctx, ctx.actor, 'team.update', team.id, { changes: changesIn(ctx, team, updated) })
      forgetAccess(ctx)
      return one(await showWithCapabilities(ctx, updated))
    },
  }),
  implement(endpoints.listTeams, {
    async handle(ctx) {
      if (hasBehavior(ctx.version, 'calling_team')) return one(await showOwnTeam(ctx))
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
      await lockCaller(ctx)
      const grants = await loadGrants(db, deps.environment, parent.path)
      if (!grants.powers.child_teams)
        throw notGranted(parent.id, 'child_teams', 'on', 'This team is not allowed to create child teams.')
      if (parent.path.length >= MAX_TREE_DEPTH)
        throw new ServiceError('INVALID_REQUEST', `A tree of teams must be at most ${MAX_TREE_DEPTH} levels deep.`)
      const team = await createTeam(
        db,
        deps.vault,
        name,
        parent,
        deps.clock(),
        limitToGrants(defaultSettings(name), grants),
        selectDetails(body as TeamDetails),
      )
      const { row, value } = await createKey(db, team.id, deps.clock(), { scopes: [...ctx.scopes], by: ctx.actor })
      await audit(ctx, ctx.actor, 'team.create', team.id, { changes: changesBetween({}, { name }) })
      const child = await showTeamWithKeys(ctx, team)
      const bodyWith = (secret: string | null) => ({ ...child, key: { ...showKey(row), value: secret } })
      return { shape: 'one', body: bodyWith(value), stored: bodyWith(null) }
    },
  }),
  ...keyRoutes,
]
