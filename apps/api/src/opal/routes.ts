import { ServiceError } from '@causeway/contract/errors'
import { readHandle } from '@causeway/contract/frame'
import { modes } from '@causeway/contract/session'
import { z } from 'zod'
import { sameText, sha256 } from '../crypto/vault.js'
import { eventsOf } from '../elements/events.js'
import { modeRules } from '../elements/modes.js'
import { readProgress, type SessionRow } from '../elements/session.js'
import { findSession, findToken } from '../elements/store.js'
import { createToken } from '../elements/tokens.js'
import type { EntityRow } from '../entities/entity.js'
import { findEntity, showEntities } from '../entities/store.js'
import { parse } from '../http/body.js'
import { page } from '../http/paging.js'
import type { Caller } from '../http/pipeline.js'
import { type Answer, type Route, wrapped } from '../http/route.js'
import type { Ctx, Deps } from '../scope.js'
import { showTime } from '../show.js'
import { findTeam } from '../teams/store.js'
import { prepareRelease, release } from './release.js'
import { showOpalSession } from './session.js'

const head = z.object({
  mode: z.enum(modes).optional(),
  entity_id: z.string().optional(),
  entity: z.record(z.string(), z.unknown()).optional(),
  session_id: z.string().optional(),
})

/** The session of an Opal token. A token that was opened, or is too old to be, still tells of its session. */
export async function opalCaller(deps: Deps, authorization: string | undefined): Promise<Caller> {
  const value = /^Bearer (otkn_\S+)$/.exec(authorization ?? '')?.[1]
  const handle = readHandle(value)
  const row = handle
    ? await deps.store.reader.selectFrom('tokens').selectAll().where('handle', '=', handle).executeTakeFirst()
    : undefined
  // The secret of an element's token may stand in a page of anybody's: it opens the flow and reads nothing here.
  if (row?.kind !== 'opal' || row.revoked_at !== null || !sameText(row.secret_hash, sha256(value!.slice(-33))))
    throw new ServiceError(
      'UNAUTHORIZED',
      'No valid Opal token was sent. Send the header "Authorization: Bearer otkn_...".',
    )
  const team = await findTeam(deps.store.reader, row.team_id)
  if (!team) throw new ServiceError('UNAUTHORIZED')
  return { actor: row.handle, team, session: row.session_id }
}

async function owned(ctx: Ctx): Promise<SessionRow> {
  const row = await findSession(ctx, ctx.params['id'] ?? ctx.params['session'] ?? '')
  if (!row) throw new ServiceError('NOT_FOUND')
  return row
}

/** What a token's holder may know of a session: no secret, and of the person only what the customer knows. */
async function tokenView(ctx: Ctx): Promise<Answer> {
  const row = await owned(ctx)
  const token = await findToken(ctx, ctx.actor)
  const { brand, appearance } = ctx.team.settings
  const entity = row.entity_id === null ? undefined : await findEntity(ctx, row.entity_id)
  const [shown] = entity ? await showEntities(ctx, [entity]) : []
  const over = token !== undefined && (token.consumed_at !== null || token.expires_at <= ctx.now)
  // A link that was mailed holds its token: whoever has it still lacks the code.
  const isLink = token !== undefined && token.redirect_url !== null
  const hidden = over || isLink || (entity !== undefined && entity.withdrawn_at !== null)
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

/** Where the parts of a flow stand; null for what the mode has not. */
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

const action = z.object({
  action: z.literal('release_payments'),
  data: z
    .object({ source: z.string().max(64).optional() })
    .nullable()
    .optional(),
})

export const opalRoutes: Route[] = [
  {
    method: 'POST',
    path: '/opal/token',
    async handle(ctx) {
      const body = ctx.body()
      const given = parse(head, body)
      const resumed = given.session_id === undefined ? undefined : await findSession(ctx, given.session_id)
      if (given.session_id !== undefined && !resumed) throw new ServiceError('NOT_FOUND')
      const mode = given.mode ?? resumed?.mode
      if (!mode) throw new ServiceError('INVALID_REQUEST', `mode must be one of: ${modes.join(', ')}.`)
      const block = body[mode]
      // Only the terms of a loan can change while a session goes on.
      const kept = resumed && (block === undefined || mode !== 'balance_transfer')
      const { entity_id, entity, session_id } = given
      const made = await createToken(ctx, {
        kind: 'opal',
        mode,
        config: kept ? null : modeRules[mode].read(block),
        entity_id,
        entity: session_id ? undefined : entity,
        session_id,
        body,
      })
      return wrapped({
        token: made.token,
        session_id: made.session.id,
        valid_until: showTime(made.validUntil),
        ...made.hosted,
      })
    },
  },
  { method: 'GET', path: '/opal/token', auth: 'opal', handle: tokenView },
  {
    method: 'DELETE',
    path: '/opal/token',
    auth: 'opal',
    async handle(ctx) {
      await ctx.db.updateTable('tokens').set({ revoked_at: ctx.now }).where('handle', '=', ctx.actor).execute()
      await ctx.db.updateTable('bearers').set({ revoked_at: ctx.now }).where('handle', '=', ctx.actor).execute()
      return wrapped(null)
    },
  },
  {
    method: 'GET',
    path: '/opal/events',
    auth: 'opal',
    async handle(ctx) {
      const row = await owned(ctx)
      const events = await eventsOf(ctx, ctx.actor)
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
  },
  {
    method: 'GET',
    path: '/opal/sessions',
    async handle(ctx) {
      const entity = ctx.query.get('entity_id')
      const { rows, headers } = await page<SessionRow>(ctx, 'opal_session', from => {
        const query = from('sessions').where('team_id', '=', ctx.team.id)
        return entity ? query.where('entity_id' as 'source', '=', entity) : query
      })
      return { shape: 'list', body: rows.map(showOpalSession), headers }
    },
  },
  { method: 'GET', path: '/opal/sessions/:id', handle: async ctx => wrapped(showOpalSession(await owned(ctx))) },
  {
    method: 'POST',
    path: '/opal/sessions/:id',
    prepare: ctx => prepareRelease(ctx, parseAction(ctx)),
    handle: async ctx => wrapped(showOpalSession(await release(ctx, parseAction(ctx)))),
  },
]

function parseAction(ctx: Ctx): { id: string; source: string | undefined } {
  const { data } = parse(action, ctx.body())
  return { id: ctx.params['id'] ?? '', source: data?.source }
}
