import { opalBlocks, sessions, tokens } from '@causeway/contract/endpoints/opal'
import { millisecondsOf } from '@causeway/contract/endpoints/simulate'
import { endpoints as stats } from '@causeway/contract/endpoints/stats'
import { ServiceError } from '@causeway/contract/errors'
import { readHandle } from '@causeway/contract/frame'
import type { Mode } from '@causeway/contract/session'
import type { SelectQueryBuilder } from 'kysely'
import type { z } from 'zod'
import { showEntities } from '../../people/entities/store.js'
import type { EntityRow } from '../../people/holders/entity.js'
import { findEntity } from '../../people/holders/store.js'
import { auditConsole } from '../../platform/audit/store.js'
import { cacheResult } from '../../platform/cache-result.js'
import { sameText, sha256 } from '../../platform/crypto/vault.js'
import type { Tables } from '../../platform/db/tables.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { page, readDays } from '../../platform/http/endpoint/paging.js'
import { type Answer, one, type Route, wrapped } from '../../platform/http/endpoint/route.js'
import type { Caller } from '../../platform/http/pipeline/api-exchange.js'
import { parse } from '../../platform/http/request/body.js'
import { orNotFound } from '../../platform/rows.js'
import type { Ctx, Deps } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import { findTeam } from '../../team/teams/store.js'
import { countSteps } from '../progress/funnel.js'
import { showProgress } from '../progress/show-progress.js'
import { acceptedProofTime } from '../session/bearer-proof.js'
import type { Block } from '../session/config.js'
import { listEvents } from '../session/events.js'
import { modeRules } from '../session/modes.js'
import { type RestPayments, restPayments } from '../session/payment-statuses.js'
import { readProgress, type SessionRow } from '../session/session.js'
import { showOpalSession } from '../session/show-session.js'
import { findSession, findToken, findTokenByHandle, partlyPaid, shownStep, unreleased } from '../session/store.js'
import { createToken } from '../tokens/create-token.js'
import { prepareRelease, release } from './release.js'

/** An Opal token can read only its own session. */
const none: ReadonlySet<never> = new Set()

/** Authenticates an Opal token. A redeemed or expired token can still read its session. */
export async function authenticateOpalToken(deps: Deps, authorization: string | undefined): Promise<Caller> {
  const value = /^Bearer (otkn_\S+)$/.exec(authorization ?? '')?.[1]
  const handle = readHandle(value)
  const row = handle ? await findTokenByHandle(deps.store.reader, handle) : undefined
  // An element's token can appear on any page, so it can open the flow but can't call these endpoints.
  if (row?.kind !== 'opal' || row.revoked_at !== null || !sameText(row.secret_hash, sha256(value!.slice(-33))))
    throw new ServiceError(
      'UNAUTHORIZED',
      'No valid Opal token was sent. Send the header "Authorization: Bearer otkn_...".',
    )
  const team = await findTeam(deps.store.reader, row.team_id)
  if (!team) throw new ServiceError('UNAUTHORIZED')
  return { actor: row.handle, team, session: row.session_id, scopes: none }
}

async function findOwnSession(ctx: Ctx, id: string): Promise<SessionRow> {
  return orNotFound(await findSession(ctx, id))
}

/** Returns a session with the payments of the accounts that the release could not pay, which only these endpoints read. */
function withRest(row: SessionRow, rests: ReadonlyMap<string, RestPayments>) {
  const session = showOpalSession(row)
  const rest = rests.get(row.id)
  if (!rest) return session
  const { unpaid, rest_payment_ids, none_paid } = rest
  return {
    ...session,
    bt: {
      ...(session['bt'] as object),
      ...(unpaid.length > 0 && { unpaid, ...(none_paid && { none_paid }) }),
      ...(Object.keys(rest_payment_ids).length > 0 && { rest_payment_ids }),
    },
  }
}
const showWithRest = async (ctx: Ctx, row: SessionRow) => withRest(row, await restPayments(ctx, [row]))

type SessionQuery = SelectQueryBuilder<Tables, 'sessions', object>

/** Narrows a query to the sessions in which the person has had something to do since `since`, in epoch ms. */
const stuck = (query: SessionQuery, shown: ReturnType<typeof shownStep>, since: number): SessionQuery =>
  query
    .where('completed_at', 'is', null)
    .where(shown, 'is not', null)
    .where(shown, 'not in', ['done', 'manage'])
    .where('updated_at', '<=', since)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('sessions as later')
            .select('later.id')
            .whereRef('later.team_id', '=', 'sessions.team_id')
            .whereRef('later.entity_id', '=', 'sessions.entity_id')
            .whereRef('later.mode', '=', 'sessions.mode')
            .whereRef('later.id', '>', 'sessions.id'),
        ),
      ),
    )
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('entities')
            .select('entities.id')
            .whereRef('entities.team_id', '=', 'sessions.team_id')
            .whereRef('entities.id', '=', 'sessions.entity_id')
            .where('entities.withdrawn_at', 'is not', null),
        ),
      ),
    )

/** Returns the session for the caller's Opal token. */
const findTokenSession = (ctx: Ctx): Promise<SessionRow> => findOwnSession(ctx, ctx.params['session']!)

/** Returns a session to the holder of its token. Omits secrets and, until the phone is verified, personal data. */
async function showToken(ctx: Ctx): Promise<Answer> {
  const row = await findTokenSession(ctx)
  const token = await findToken(ctx, ctx.actor)
  const { brand, appearance } = ctx.team.settings
  const entity = row.entity_id === null ? undefined : await findEntity(ctx, row.entity_id)
  const [shown] = entity ? await showEntities(ctx, [entity]) : []
  const over = token !== undefined && (token.consumed_at !== null || token.expires_at <= ctx.now)
  // The holder can read the person's data only if the token would let the person in without a code.
  // mutant: person-only-after-proof (drop 5)
  const hidden =
    over || !token || !entity || entity.withdrawn_at !== null || acceptedProofTime(ctx, token, entity) === null
  return wrapped({
    ...showOpalSession(row),
    config: {
      name: brand.name,
      logo: brand.logo,
      opal_should_prefill_entities: true,
      primary_color: brand.primary_color,
      event_channel: null,
      accounts_liability_allow_number_update: true,
      appearance: token?.appearance ?? appearance,
    },
    entity: shown
      ? {
          id: shown.id,
          individual: hidden ? null : shown['individual'],
          address: hidden ? null : shown['address'],
          status: shown['status'],
          verification: {
            identity: { matched: entity!.matched === 1, verified: entity!.identity_verified_at !== null },
            phone: { verified: entity!.phone_verified_at !== null },
          },
        }
      : null,
    ...flowsOf(row, entity),
    completed_at: row.completed_at === null ? null : showTime(row.completed_at),
  })
}

/** Returns the state of each part of a flow; null for parts that the mode doesn't have. */
function flowsOf(row: SessionRow, entity: EntityRow | undefined): Record<'idv' | 'cxn' | 'avf' | 'txn', unknown> {
  const { accounts, cards } = modeRules[row.mode]
  const completed = row.completed_at !== null
  const ids = completed ? (readProgress(row).selected ?? []) : []
  const part = (has: boolean) => (has ? { completed, accounts: ids } : null)
  return {
    idv: { completed: entity !== undefined && entity.identity_verified_at !== null },
    cxn: part(accounts === 'found'),
    avf: part(cards || accounts === 'named'),
    txn: part(row.mode === 'transactions'),
  }
}

const blocks: { readonly [M in Mode]: z.ZodType<Block<M>> } = opalBlocks

/** Reads a mode's configuration from its block. Throws INVALID_REQUEST if a required block is missing. */
const configOf = <M extends Mode>(mode: M, given: { readonly [Name in Mode]?: Block<Name> | undefined }) =>
  modeRules[mode].config(given[mode] ?? parse(blocks[mode], {}, mode))

export const opalRoutes: Route[] = [
  implement(tokens.createOpalToken, {
    async handle(ctx, { body: given }) {
      const resumed = given.session_id === undefined ? undefined : await findSession(ctx, given.session_id)
      if (given.session_id !== undefined && !resumed)
        throw new ServiceError('NOT_FOUND', `No session of this team was found for session_id ${given.session_id}.`)
      const mode = given.mode ?? resumed!.mode
      // Only a loan's terms can change during a session.
      const keepsConfig = resumed && (given[mode] === undefined || mode !== 'balance_transfer')
      const { entity_id, entity, session_id } = given
      const created = await createToken(ctx, {
        kind: 'opal',
        mode,
        config: keepsConfig ? null : configOf(mode, given),
        entity_id,
        entity: session_id ? undefined : entity,
        session_id,
        created_by: ctx.actor,
        display: given,
      })
      return wrapped({
        token: created.token,
        session_id: created.session.id,
        valid_until: showTime(created.validUntil),
        ...created.hosted,
      })
    },
  }),
  implement(tokens.retrieveOpalToken, { handle: showToken }),
  implement(tokens.endOpalToken, {
    async handle(ctx) {
      await ctx.db
        .updateTable('tokens')
        .set({ revoked_at: ctx.now })
        .where('team_id', '=', ctx.team.id)
        .where('handle', '=', ctx.actor)
        .execute()
      await ctx.db
        .updateTable('bearers')
        .set({ revoked_at: ctx.now })
        .where('team_id', '=', ctx.team.id)
        .where('handle', '=', ctx.actor)
        .execute()
      return wrapped(null)
    },
  }),
  implement(tokens.listOpalEvents, {
    async handle(ctx) {
      const row = await findTokenSession(ctx)
      const events = await listEvents(ctx, ctx.actor)
      return wrapped(
        events.map(event => {
          const [flow, object, name] = event.type.split('.')
          return {
            type: event.type,
            mode: flow === 'opal' ? row.mode : flow,
            object,
            action: name,
            timestamp: event.timestamp,
            data: event.data,
          }
        }),
      )
    },
  }),
  implement(sessions.listOpalSessions, {
    async handle(ctx, { query: asked }) {
      const entity = asked.get('entity_id')
      const seen = asked.all('step')
      const stuckFor = asked.get('stuck_for')
      const stuckSince = stuckFor === null ? null : ctx.now - millisecondsOf(stuckFor)
      if (Number.isNaN(stuckSince))
        throw new ServiceError('INVALID_SEARCH_PARAMETERS', 'stuck_for must be an ISO 8601 duration such as P1D.')
      // Sessions that a later payment has paid are removed from a page after it is read, so they can't be counted. Each
      // session's later sessions must be read to find out if it is stuck, so counting stuck sessions would cost too much.
      if (asked.get('count') !== null && (asked.get('unpaid') ?? stuckFor) !== null)
        throw new ServiceError('INVALID_SEARCH_PARAMETERS', 'count cannot be combined with unpaid or stuck_for.')
      const stepColumn = shownStep(ctx.deps.store.engine)
      const { rows, headers } = await page(ctx, 'opal_session', from => {
        let query = from('sessions').where('team_id', '=', ctx.team.id)
        if (entity) query = query.where('entity_id', '=', entity)
        if (seen.length > 0) query = query.where(stepColumn, 'in', seen).where(stepColumn, 'is not', null)
        if (stuckSince !== null) query = stuck(query, stepColumn, stuckSince)
        if (asked.get('payout_status') !== null) query = query.where(unreleased)
        return asked.get('unpaid') === null ? query : query.where(partlyPaid)
      })
      const rests = await restPayments(ctx, rows)
      const isUnpaid = ({ id }: SessionRow) => (rests.get(id)?.unpaid.length ?? 0) > 0
      const shownRows = asked.get('unpaid') === null ? rows : rows.filter(isUnpaid)
      return { shape: 'list', body: shownRows.map(row => withRest(row, rests)), headers }
    },
  }),
  implement(stats.retrieveFunnelStats, {
    async handle(ctx, { query }) {
      const days = readDays(ctx.query, 7, ctx.now)
      const mode = query.get('mode')
      const name = `funnel ${ctx.team.id} ${mode} ${days[0]} ${days.length}`
      return one(await cacheResult(ctx.deps.store, name, ctx.deps.clock(), () => countSteps(ctx, days, mode)))
    },
  }),
  implement(sessions.retrieveSessionProgress, {
    handle: async (ctx, { params }) => one(await showProgress(ctx, await findOwnSession(ctx, params.id))),
  }),
  implement(sessions.retrieveOpalSession, {
    handle: async (ctx, { params }) => wrapped(await showWithRest(ctx, await findOwnSession(ctx, params.id))),
  }),
  implement(sessions.releaseOpalSession, {
    prepare: (ctx, { params, body }) => prepareRelease(ctx, { id: params.id, source: body.data?.source }),
    async handle(ctx, { params, body, prepared }) {
      const session = await release(ctx, { id: params.id, source: body.data?.source }, prepared)
      await auditConsole(ctx, 'loan.release', params.id)
      return wrapped(await showWithRest(ctx, session))
    },
  }),
]
