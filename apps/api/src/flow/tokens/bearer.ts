import { ServiceError } from '@causeway/contract/errors'
import { sha256 } from '../../platform/crypto/vault.js'
import type { Db } from '../../platform/db/store.js'
import type { Deps } from '../../platform/scope.js'
import type { Team } from '../../platform/team.js'
import { findBearer, type TokenRow } from '../session/store.js'
import { IDLE_LIFETIME_MS, MIN_IDLE_EXTENSION_MS } from './lifetimes.js'

/** An authenticated frame. */
export interface Visitor {
  team: Team
  session: string
  token: TokenRow
  /** The hash of the bearer. */
  bearer: string
  expiresAt: number
  /** The new idle limit, if it still needs to be written; otherwise null. */
  idle: number | null
}

/** Authenticates a bearer. Throws SESSION_EXPIRED. The caller records the bearer's use with {@link extendIdleLimit}. */
export async function authenticateBearer(deps: Deps, authorization: string | undefined): Promise<Visitor> {
  const bearer = /^Bearer ([\w-]{20,100})$/.exec(authorization ?? '')?.[1]
  const bearerRows = bearer && (await findBearer(deps.store.reader, sha256(bearer)))
  if (!bearerRows) throw new ServiceError('SESSION_EXPIRED')
  const { bearer: row, team, token, session } = bearerRows
  const now = deps.clock() + team.clockOffset
  // mutant: bearer-expires-when-idle (drop 3)
  // mutant: bearer-expires-in-use (drop 4)
  if (row.revoked_at !== null || token.revoked_at !== null || row.idle_until <= now || row.expires_at <= now)
    throw new ServiceError('SESSION_EXPIRED')
  const idle = now + IDLE_LIFETIME_MS
  const extended = idle - row.idle_until > MIN_IDLE_EXTENSION_MS
  return {
    team,
    session: session.id,
    token,
    bearer: row.hash,
    expiresAt: Math.min(row.expires_at, extended ? idle : row.idle_until),
    idle: extended ? idle : null,
  }
}

/** Extends the bearer's idle limit in a call's existing write transaction. */
export async function extendIdleLimit(db: Db, { team, bearer, idle }: Visitor): Promise<void> {
  if (idle === null) return
  await db
    .updateTable('bearers')
    .set({ idle_until: idle })
    .where('team_id', '=', team.id)
    .where('hash', '=', bearer)
    .execute()
}

/** Extends the idle limit once, for a call that wrote nothing. */
export async function writeIdleLimit(deps: Deps, visitor: Visitor): Promise<void> {
  if (visitor.idle !== null) await deps.store.write(tx => extendIdleLimit(tx, visitor))
  visitor.idle = null
}
