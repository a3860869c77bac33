import { ServiceError } from '@causeway/contract/errors'
import { readHandle } from '@causeway/contract/frame'
import { elementOf, type FlowEvent, type RedeemRequest } from '@causeway/contract/session'
import { text as matching } from '@causeway/contract/text'
import { HOUR_MS } from '@causeway/contract/time'
import type { ExpressionBuilder } from 'kysely'
import { z } from 'zod'
import { insertEntity } from '../../people/entities/store.js'
import { findEntity } from '../../people/holders/store.js'
import { audit } from '../../platform/audit/store.js'
import { sameText, sha256 } from '../../platform/crypto/vault.js'
import type { Tables } from '../../platform/db/tables.js'
import { parse } from '../../platform/http/request/body.js'
import { readRemaining, tryCount } from '../../platform/limits/counters.js'
import type { Limit } from '../../platform/limits/limit.js'
import { type Deps, reading, type Scope, transact } from '../../platform/scope.js'
import type { Team } from '../../platform/team.js'
import { acceptedProofTime } from '../session/bearer-proof.js'
import { shownName } from '../session/brand.js'
import { recordEvents, SESSION_STARTED } from '../session/events.js'
import { restartSession, retryFailedRequests } from '../session/restart-session.js'
import type { SessionRow } from '../session/session.js'
import { addToDirectory, findTokenWithTeam, lockSession, type TokenRow } from '../session/store.js'
import { authenticateBearer, type Visitor } from './bearer.js'
import { readInlineDetails } from './create-token.js'
import { EXCHANGE_LIFETIME_MS, IDLE_LIFETIME_MS, PREPARED_LIFETIME_MS, SESSION_LIFETIME_MS } from './lifetimes.js'
import { allowedEmbedders, mayEmbed } from './origins.js'

/**
 * Limits the audit log to one rejection per token per hour, because anyone who has seen a token can replay it any
 * number of times.
 */
const refusals: Limit = { kind: 'token_refused', max: 1, window: HOUR_MS, error: 'EXPIRED_TOKEN' }

const request = z.object({
  token: z.string().max(100),
  exchange_id: matching({
    max: 64,
    pattern: /^[0-9A-Za-z_-]{22,64}$/,
    error: 'exchange_id must be 22 to 64 base64url characters, at least 128 random bits.',
  }),
  origin: z.string().max(300).nullable(),
  mode: z.enum(['connect', 'balance_transfer']).nullable(),
  prepared: z.boolean().optional(),
})

export function readRedemption(body: unknown): RedeemRequest {
  return parse(request, body)
}

/** A redeemed token. */
interface Redeemed {
  bearer: string
  visitor: Visitor
  /** The exchange's events; null if it repeats an exchange whose response was lost. */
  news: FlowEvent[] | null
}

/** Exchanges a token for a session, once. If several attempts run at once, only one succeeds. */
export async function redeem(deps: Deps, given: RedeemRequest): Promise<Redeemed> {
  const handle = readHandle(given.token)
  const secret = given.token.slice(-33)
  const tokenAndTeam = handle && (await findTokenWithTeam(deps.store.reader, handle))
  // mutant: token-needs-secret (drop 2)
  if (!tokenAndTeam || !sameText(tokenAndTeam.token.secret_hash, sha256(secret)))
    throw new ServiceError('INVALID_TOKEN')
  const { token: known, team, mode } = tokenAndTeam
  // A hosted page must not be embedded, and an element must not use the page's long-lived link.
  const fits =
    known.redirect_url === null
      ? mayEmbed(allowedEmbedders(deps, team, known.origins), given.origin)
      : /* mutant: link-opens-no-element (true) */ given.origin === null
  // mutant: embedded-by-allowed-origins (false)
  if (!fits) throw new ServiceError('ORIGIN_NOT_ALLOWED')
  const bearer = deps.keys.bearer(secret, given.exchange_id)
  const exchange = sha256(given.exchange_id)
  if (given.mode !== null && given.mode !== elementOf(mode))
    throw new ServiceError(
      'INVALID_MODE_CONFIG',
      `The token is for ${mode}, but this element is for ${given.mode}. Create a token for ${given.mode}.`,
    )
  await deps.slot?.enter(team.path[0]!)
  const won = await transact(deps, team, async scope => {
    const token = await scope.db
      .updateTable('tokens')
      .set({ consumed_at: scope.now, exchange_hash: exchange, exchange_until: deps.clock() + EXCHANGE_LIFETIME_MS })
      .where('team_id', '=', scope.team.id)
      .where('handle', '=', known.handle)
      // mutant: token-works-once (remove)
      .where('consumed_at', 'is', null)
      .where('revoked_at', 'is', null)
      // mutant: token-expires (remove)
      .where('expires_at', '>', scope.now)
      // mutant: token-of-revoked-key (remove)
      .where(is => is.not(is.exists(revokedKey(is))))
      .returningAll()
      .executeTakeFirst()
    if (token) return openSession(scope, token, bearer, given)
    return (await isRepeatedExchange(scope, known.handle, exchange)) ? 'again' : null
  })
  if (won === 'again') return { bearer, visitor: await authenticateBearer(deps, `Bearer ${bearer}`), news: null }
  if (won !== null) return { bearer, ...won }
  await recordRejection(deps, team, known)
  throw new ServiceError('EXPIRED_TOKEN')
}

/** Selects the key that created a token, if the key was revoked. Revoking a key also revokes its unused tokens. */
const revokedKey = (is: ExpressionBuilder<Tables, 'tokens'>) =>
  is
    .selectFrom('api_keys')
    .select('api_keys.id')
    .whereRef('api_keys.id', '=', 'tokens.created_by')
    .where('api_keys.revoked_at', 'is not', null)

async function recordRejection(deps: Deps, team: Team, { handle, session_id }: TokenRow): Promise<void> {
  if ((await readRemaining(reading(deps, team), refusals, handle)).left === 0) return
  await transact(deps, team, async scope => {
    if (await tryCount(scope, refusals, handle)) await audit(scope, handle, 'token.refused', session_id)
  })
}

/**
 * Returns true if this request repeats the exchange that redeemed the token. A client repeats the exchange if the first
 * response was lost.
 */
async function isRepeatedExchange(scope: Scope, handle: string, exchange: string): Promise<boolean> {
  const row = await scope.db
    .selectFrom('tokens')
    .select(['exchange_hash', 'exchange_until'])
    .where('team_id', '=', scope.team.id)
    .where('handle', '=', handle)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return (
    row?.exchange_hash != null &&
    // mutant: lost-answer-needs-same-exchange (remove)
    sameText(row.exchange_hash, exchange) &&
    (row.exchange_until ?? 0) > scope.deps.clock()
  )
}

async function openSession(
  scope: Scope,
  token: TokenRow,
  bearer: string,
  { origin, prepared }: RedeemRequest,
): Promise<Pick<Redeemed, 'visitor' | 'news'>> {
  const locked = (await lockSession(scope, token.session_id))!
  const id = locked.entity_id ?? (await createEntity(scope, locked))
  const session = await retryFailedRequests(scope, await restartSession(scope, locked), shownName(scope.team, token))
  const hash = sha256(bearer)
  const expiresAt = scope.now + (prepared ? PREPARED_LIFETIME_MS : IDLE_LIFETIME_MS)
  const entity = (await findEntity(scope, id))!
  await scope.db
    .insertInto('bearers')
    .values({
      hash,
      team_id: scope.team.id,
      session_id: session.id,
      handle: token.handle,
      origin,
      mode: session.mode,
      idle_until: expiresAt,
      expires_at: scope.now + SESSION_LIFETIME_MS,
      revoked_at: null,
      proved_at: acceptedProofTime(scope, token, entity),
      created_at: scope.now,
    })
    .execute()
  await addToDirectory(scope, hash)
  const news = prepared ? [] : await recordEvents(scope, session, token.handle, [SESSION_STARTED])
  const { team } = scope
  return { visitor: { team, session: session.id, token, bearer: hash, expiresAt, idle: null }, news }
}

/** Creates the entity described in the request for the redeemed token. */
async function createEntity(scope: Scope, session: SessionRow): Promise<string> {
  const details = readInlineDetails(scope, session)
  if (details === null) throw new Error('The session has no entity.')
  const { row } = await insertEntity(scope, { type: 'individual', kind: null, details }, null, { awaited: false })
  await scope.db
    .updateTable('sessions')
    .set({ entity_id: row.id, inline_entity: null })
    .where('team_id', '=', scope.team.id)
    .where('id', '=', session.id)
    .execute()
  return row.id
}
