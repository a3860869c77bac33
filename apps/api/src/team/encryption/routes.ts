import { endpoints } from '@causeway/contract/endpoints/encryption'
import { ServiceError } from '@causeway/contract/errors'
import type { z } from 'zod'
import { changesBetween } from '../../platform/audit/changes.js'
import { audit } from '../../platform/audit/store.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { page } from '../../platform/http/endpoint/paging.js'
import { one, type Route } from '../../platform/http/endpoint/route.js'
import { orNotFound } from '../../platform/rows.js'
import type { Ctx } from '../../platform/scope.js'
import type { Team } from '../../platform/team.js'
import { showTeams } from '../teams/keys.js'
import { readUrl } from '../teams/origin.js'
import { lockTeam, updateTeam } from '../teams/store.js'
import { validateEncryptionKey } from './messages.js'
import { readJwk } from './rules.js'
import { findServiceKey, showServiceKey } from './service-keys.js'
import {
  deleteTeamKey,
  findTeamKey,
  insertTeamKey,
  kidsOf,
  listActiveTeamKeys,
  showTeamKey,
  type TeamKeyRow,
} from './team-keys.js'

const MAX_TEAM_KEYS = 20

type NewKey = Parameters<typeof insertTeamKey>[1]

/** Returns the key to register. If a URL was given, fetches the key set from it. */
async function readKey(ctx: Ctx, { body }: { body: z.output<typeof endpoints.createPublicKey.body> }): Promise<NewKey> {
  const { type, contact, jwk, well_known_endpoint: wellKnownUrl } = body
  if (type === 'direct') {
    const key = readJwk(jwk, 'jwk')
    await validateEncryptionKey(key)
    return { type, contact, jwk: key, well_known_endpoint: null, kids: [key.kid] }
  }
  const url = wellKnownUrl!
  readUrl(url, 'well_known_endpoint', ctx.deps.environment === 'sandbox')
  const keys = await ctx.deps.encryption.wellKnown.fetch(url)
  return { type, contact, jwk: null, well_known_endpoint: url, kids: keys.map(({ kid }) => kid) }
}

/** Throws INVALID_REQUEST if the team has too many keys, or if a kid or the URL is already registered. */
function validateNewKey(rows: readonly TeamKeyRow[], key: NewKey): void {
  if (rows.length >= MAX_TEAM_KEYS)
    throw new ServiceError(
      'INVALID_REQUEST',
      `The team already has ${MAX_TEAM_KEYS} active public keys, the maximum. Delete one first.`,
    )
  if (rows.some(row => kidsOf(row).some(kid => key.kids.includes(kid))))
    throw new ServiceError(
      'INVALID_REQUEST',
      `${key.type === 'direct' ? 'jwk.kid' : 'A kid of well_known_endpoint'} is already registered. Give the key a different kid, or delete the other key first.`,
    )
  if (key.well_known_endpoint !== null && rows.some(row => row.well_known_endpoint === key.well_known_endpoint))
    throw new ServiceError('INVALID_REQUEST', 'well_known_endpoint is already registered.')
}

const requireTeamKey = (row: TeamKeyRow | undefined): TeamKeyRow => {
  if (!row) throw new ServiceError('NOT_FOUND')
  return row
}

export const encryptionRoutes: Route[] = [
  implement(endpoints.createPublicKey, {
    prepare: readKey,
    async handle(ctx, { prepared: key }) {
      await lockTeam(ctx)
      validateNewKey(await listActiveTeamKeys(ctx.db, ctx.team.id), key)
      const row = await insertTeamKey(ctx, key)
      await audit(ctx, ctx.actor, 'public_key.create', row.id)
      return one(showTeamKey(row))
    },
  }),
  implement(endpoints.listPublicKeys, {
    async handle(ctx) {
      const { rows, headers } = await page(ctx, 'team_jwk', from =>
        from('team_public_keys').where('team_id', '=', ctx.team.id).where('status', '=', 'active'),
      )
      return { shape: 'list', body: rows.map(showTeamKey), headers }
    },
  }),
  implement(endpoints.retrievePublicKey, {
    handle: async (ctx, { params }) => one(showTeamKey(requireTeamKey(await findTeamKey(ctx, params.team_jwk_id)))),
  }),
  implement(endpoints.deletePublicKey, {
    async handle(ctx, { params }) {
      const team = await lockTeam(ctx)
      const id = params.team_jwk_id
      const row = await deleteTeamKey(ctx, id)
      // Deleting a key that was already deleted succeeds.
      if (!row) return one(showTeamKey(requireTeamKey(await findTeamKey(ctx, id))))
      const defaultKey = team.settings.default_encryption_key
      if (defaultKey !== null && (defaultKey === id || kidsOf(row).includes(defaultKey)))
        await setDefaultKey(ctx, team, null)
      await audit(ctx, ctx.actor, 'public_key.delete', id)
      return one(showTeamKey(row))
    },
  }),
  implement(endpoints.setDefaultEncryptionKey, {
    async prepare(ctx, { body: { key } }) {
      if (await ctx.deps.encryption.recipient(ctx.team, key)) return key
      throw new ServiceError(
        'INVALID_REQUEST',
        "key must be the kid or id of one of the team's active public keys. GET /teams/mle/public_keys lists them.",
      )
    },
    async handle(ctx, { prepared: key }) {
      const team = await lockTeam(ctx)
      return one((await showTeams(ctx.db, ctx.deps.vault, [await setDefaultKey(ctx, team, key)]))[0])
    },
  }),
  implement(endpoints.retrieveServiceKey, {
    async handle({ deps }, { params }) {
      const row = orNotFound(await findServiceKey(deps.store.reader, params.jwk_id))
      return one(showServiceKey(row))
    },
  }),
]

async function setDefaultKey(ctx: Ctx, { id, settings }: Team, key: string | null) {
  const next = { ...settings, default_encryption_key: key }
  const team = await updateTeam(ctx.db, id, { settings: next }, ctx.deps.clock())
  await audit(ctx, ctx.actor, 'team.update', id, { changes: changesBetween({ ...settings }, next) })
  ctx.after(() => ctx.deps.access.forget(id))
  return team
}
