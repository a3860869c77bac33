import { ServiceError } from '@causeway/contract/errors'
import { readHandle } from '@causeway/contract/frame'
import { elementOf, type Mode, type RedeemRequest } from '@causeway/contract/session'
import { z } from 'zod'
import type { EntityDetails } from '../../people/entities/entity.js'
import { findEntity, insertEntity } from '../../people/entities/store.js'
import { audit } from '../../platform/audit/store.js'
import { sameText, sha256 } from '../../platform/crypto/vault.js'
import { parse } from '../../platform/http/body.js'
import { remaining, tryTake } from '../../platform/limits/counters.js'
import { HOUR, type Limit } from '../../platform/limits/limit.js'
import { type Deps, reading, type Scope, sealer, transact } from '../../platform/scope.js'
import type { Team } from '../../platform/team.js'
import { findTeam } from '../../team/teams/store.js'
import { beginAnew } from '../steps/not-me.js'
import { record } from './events.js'
import { embedders, mayEmbed } from './origins.js'
import { countedProof } from './proof.js'
import { askAgain } from './repeat-session.js'
import type { SessionRow } from './session.js'
import { lockSession, type TokenRow, tokenByHandle } from './store.js'

/** A session is over after 15 idle minutes, and after an hour in any case. */
export const IDLE = 900_000
export const ABSOLUTE = 3_600_000
/** The time in ms for which the same exchange gets the same session, so that a lost answer loses nothing. */
const SAME_EXCHANGE = 60_000

/** A refused token is audited once an hour. Its replays, of which anyone who has seen it can send any number, write nothing. */
const refusals: Limit = { kind: 'token_refused', most: 1, window: HOUR, error: 'EXPIRED_TOKEN' }

const request = z.object({
  token: z.string().max(100),
  exchange_id: z.string().regex(/^[0-9A-Za-z_-]{22,64}$/, 'exchange_id must be at least 128 random bits.'),
  origin: z.string().max(300).nullable(),
  mode: z.enum(['connect', 'balance_transfer']).nullable(),
})

export function readRedeem(body: unknown): RedeemRequest {
  return parse(request, body)
}

/** Exchanges a token for a session, once; of any number at the same time one wins. @returns the session's bearer */
export async function redeem(
  deps: Deps,
  given: RedeemRequest,
): Promise<{ bearer: string; team: string; session: string }> {
  const handle = readHandle(given.token)
  const secret = given.token.slice(-33)
  const known = handle && (await tokenByHandle(deps.store.reader, handle))
  if (!known || !sameText(known.secret_hash, sha256(secret))) throw new ServiceError('INVALID_TOKEN')
  const team = await findTeam(deps.store.reader, known.team_id)
  if (!team) throw new ServiceError('INVALID_TOKEN')
  // A hosted page has no page around it; a link that lives for a day opens no element.
  const fits =
    known.redirect_url === null ? mayEmbed(embedders(deps, team, known.origins), given.origin) : given.origin === null
  if (!fits) throw new ServiceError('ORIGIN_NOT_ALLOWED')
  const bearer = deps.keys.bearer(secret, given.exchange_id)
  const exchange = sha256(given.exchange_id)
  const won = await transact(deps, team, async scope => {
    const session = await scope.db
      .selectFrom('sessions')
      .select('mode')
      .where('id', '=', known.session_id)
      .executeTakeFirstOrThrow()
    if (given.mode !== null && given.mode !== elementOf(session.mode))
      throw new ServiceError(
        'INVALID_MODE_CONFIG',
        `The token is for ${session.mode}; this element is for ${given.mode}.`,
      )
    if ((await tokenByHandle(scope.db, known.handle))?.revoked_at !== null) return null
    const token = await scope.db
      .updateTable('tokens')
      .set({ consumed_at: scope.now, exchange_hash: exchange, exchange_until: deps.clock() + SAME_EXCHANGE })
      .where('handle', '=', known.handle)
      .where('consumed_at', 'is', null)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', scope.now)
      .returningAll()
      .executeTakeFirst()
    if (!token) return (await repeated(scope, known.handle, exchange)) ? known.session_id : null
    await open(scope, token, bearer, given.origin, session.mode)
    return token.session_id
  })
  if (won !== null) return { bearer, team: team.id, session: won }
  await noteRefusal(deps, team, known)
  throw new ServiceError('EXPIRED_TOKEN')
}

async function noteRefusal(deps: Deps, team: Team, { handle, session_id }: TokenRow): Promise<void> {
  if ((await remaining(reading(deps, team), refusals, handle)).left === 0) return
  await transact(deps, team, async scope => {
    if (await tryTake(scope, refusals, handle)) await audit(scope, handle, 'token.refused', session_id)
  })
}

/** Returns true where the exchange that redeemed the token repeats its request because it lost the answer. */
async function repeated(scope: Scope, handle: string, exchange: string): Promise<boolean> {
  const row = await scope.db
    .selectFrom('tokens')
    .select(['exchange_hash', 'exchange_until'])
    .where('handle', '=', handle)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return (
    row?.exchange_hash != null &&
    sameText(row.exchange_hash, exchange) &&
    (row.exchange_until ?? 0) > scope.deps.clock()
  )
}

async function open(scope: Scope, token: TokenRow, bearer: string, origin: string | null, mode: Mode): Promise<void> {
  const session = (await lockSession(scope, token.session_id))!
  const id = session.entity_id ?? (await bringToLife(scope, session))
  await askAgain(scope, await beginAnew(scope, session))
  const entity = (await findEntity(scope, id))!
  await scope.db
    .insertInto('bearers')
    .values({
      hash: sha256(bearer),
      team_id: scope.team.id,
      session_id: session.id,
      handle: token.handle,
      origin,
      mode,
      idle_until: scope.now + IDLE,
      expires_at: scope.now + ABSOLUTE,
      revoked_at: null,
      proved_at: countedProof(scope, token, entity),
      created_at: scope.now,
    })
    .execute()
  await record(scope, session, token.handle, [{ type: 'opal.session.started', data: null }])
}

/** The entity that a token described is made when somebody comes for it. */
async function bringToLife(scope: Scope, session: SessionRow): Promise<string> {
  const details = JSON.parse(
    sealer(scope).open({ id: session.id, field: 'entity' }, session.inline_entity ?? ''),
  ) as EntityDetails
  const { row } = await insertEntity(scope, { type: 'individual', kind: null, details }, null)
  await scope.db
    .updateTable('sessions')
    .set({ entity_id: row.id, inline_entity: null })
    .where('id', '=', session.id)
    .execute()
  return row.id
}
