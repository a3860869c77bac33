/** The queries for passkeys, identities at an OpenID provider, and the challenges of sign-ins that have begun. */
import { MINUTE_MS } from '@causeway/contract/time'
import { OPERATOR } from '../../platform/audit/operator.js'
import { randomText } from '../../platform/crypto/random.js'
import { sha256 } from '../../platform/crypto/vault.js'
import { writeJson } from '../../platform/db/json.js'
import type { Db } from '../../platform/db/store.js'
import type { Tables } from '../../platform/db/tables.js'

export type PasskeyRow = Tables['console_passkeys']
export type ChallengeRow = Tables['console_challenges']

/** The time in which a sign-in that has begun must end. */
export const CHALLENGE_LIFETIME_MS = 10 * MINUTE_MS
export const MAX_PASSKEYS_PER_USER = 20

const passkeyHandle = (credentialId: string): string => sha256(`console passkey ${credentialId}`)
const identityHandle = (issuer: string, subject: string): string => sha256(`console identity ${issuer} ${subject}`)

export interface NewPasskey {
  readonly credentialId: string
  readonly publicKey: string
  readonly counter: number
  readonly transports: string[]
  readonly name: string
  readonly isSynced: boolean
}

export async function insertPasskey(
  db: Db,
  { team_id, id: user_id }: { team_id: string; id: string },
  { credentialId, publicKey, counter, transports, name, isSynced }: NewPasskey,
  now: number,
): Promise<PasskeyRow> {
  const row = {
    team_id,
    id: `cpk_${randomText(13)}`,
    user_id,
    credential_id: credentialId,
    public_key: publicKey,
    counter,
    transports: writeJson(transports),
    name,
    is_synced: isSynced ? (1 as const) : (0 as const),
    last_used_at: null,
    created_at: now,
  }
  await db
    .insertInto('directory')
    .values({ key: passkeyHandle(credentialId), team_id })
    .execute()
  await db.insertInto('console_passkeys').values(row).execute()
  return row
}

/** Returns true if any user has a passkey with a credential id. */
export const isKnownCredential = async (db: Db, credentialId: string): Promise<boolean> =>
  (await db.selectFrom('directory').select('key').where('key', '=', passkeyHandle(credentialId)).executeTakeFirst()) !==
  undefined

export const findPasskey = (db: Db, credentialId: string): Promise<PasskeyRow | undefined> =>
  db
    .selectFrom('directory')
    .innerJoin('console_passkeys as passkey', on => on.onRef('passkey.team_id', '=', 'directory.team_id'))
    .selectAll('passkey')
    .where('directory.key', '=', passkeyHandle(credentialId))
    .where('passkey.credential_id', '=', credentialId)
    .executeTakeFirst()

/** Lists a user's passkeys, oldest first. */
export const listPasskeys = (db: Db, team: string, user: string): Promise<PasskeyRow[]> =>
  db
    .selectFrom('console_passkeys')
    .selectAll()
    .where('team_id', '=', team)
    .where('user_id', '=', user)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

export const recordPasskeyUse = (db: Db, { team_id, id }: PasskeyRow, counter: number, now: number) =>
  db
    .updateTable('console_passkeys')
    .set({ counter, last_used_at: now })
    .where('team_id', '=', team_id)
    .where('id', '=', id)
    .execute()

/**
 * Deletes a user's passkeys.
 * @param id one passkey; by default, all
 * @returns the ids of the deleted passkeys
 */
export async function deletePasskeys(db: Db, team: string, user: string, id?: string): Promise<string[]> {
  const rows = await db
    .deleteFrom('console_passkeys')
    .where('team_id', '=', team)
    .where('user_id', '=', user)
    .$if(id !== undefined, query => query.where('id', '=', id!))
    .returning(['id', 'credential_id'])
    .execute()
  const keys = rows.map(row => passkeyHandle(row.credential_id))
  if (keys.length > 0) await db.deleteFrom('directory').where('key', 'in', keys).execute()
  return rows.map(row => row.id)
}

export async function insertIdentity(
  db: Db,
  { team_id, id: user_id }: { team_id: string; id: string },
  issuer: string,
  subject: string,
  now: number,
): Promise<void> {
  await db
    .insertInto('directory')
    .values({ key: identityHandle(issuer, subject), team_id })
    .execute()
  await db.insertInto('console_identities').values({ team_id, issuer, subject, user_id, created_at: now }).execute()
}

/** Finds the user of an account at an OpenID provider. */
export const findIdentityUser = (db: Db, issuer: string, subject: string) =>
  db
    .selectFrom('directory')
    .innerJoin('console_identities as identity', on => on.onRef('identity.team_id', '=', 'directory.team_id'))
    .innerJoin('console_users as user', on =>
      on.onRef('user.team_id', '=', 'identity.team_id').onRef('user.id', '=', 'identity.user_id'),
    )
    .selectAll('user')
    .where('directory.key', '=', identityHandle(issuer, subject))
    .where('identity.issuer', '=', issuer)
    .where('identity.subject', '=', subject)
    .executeTakeFirst()

/** Returns true if an account at an OpenID provider signs the user in. */
export const hasIdentity = async (db: Db, team: string, user: string): Promise<boolean> =>
  (await db
    .selectFrom('console_identities')
    .select('subject')
    .where('team_id', '=', team)
    .where('user_id', '=', user)
    .executeTakeFirst()) !== undefined

/** Deletes the identities of a user, who then needs an invitation to sign in with the OpenID provider again. */
export async function deleteIdentities(db: Db, team: string, user: string): Promise<void> {
  const rows = await db
    .deleteFrom('console_identities')
    .where('team_id', '=', team)
    .where('user_id', '=', user)
    .returning(['issuer', 'subject'])
    .execute()
  const keys = rows.map(row => identityHandle(row.issuer, row.subject))
  if (keys.length > 0) await db.deleteFrom('directory').where('key', 'in', keys).execute()
}

type ChallengeOptions = Pick<ChallengeRow, 'kind'> &
  Partial<Pick<ChallengeRow, 'team_id' | 'user_id' | 'browser_hash' | 'invitation_hash'>>

/** Stores the hash of a challenge, so that one response to it is accepted. */
export async function insertChallenge(db: Db, secret: string, options: ChallengeOptions, now: number): Promise<void> {
  await db
    .insertInto('console_challenges')
    .values({
      team_id: OPERATOR,
      user_id: null,
      browser_hash: null,
      invitation_hash: null,
      ...options,
      hash: sha256(secret),
      expires_at: now + CHALLENGE_LIFETIME_MS,
    })
    .execute()
}

/** Stores the hash of a logout token's id. Returns false if it was stored before. */
export async function recordLogoutToken(db: Db, id: string, now: number): Promise<boolean> {
  const row = await db
    .insertInto('console_challenges')
    .values({
      ...{ team_id: OPERATOR, hash: sha256(`console logout ${id}`), kind: 'logout' },
      ...{ user_id: null, browser_hash: null, invitation_hash: null, expires_at: now + CHALLENGE_LIFETIME_MS },
    })
    .onConflict(conflict => conflict.columns(['team_id', 'hash']).doNothing())
    .returning('hash')
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes a challenge, and returns it if it has not expired. Of several simultaneous calls, only one receives it. */
export const takeChallenge = (
  db: Db,
  secret: string,
  kind: ChallengeRow['kind'],
  now: number,
  team: string = OPERATOR,
): Promise<ChallengeRow | undefined> =>
  db
    .deleteFrom('console_challenges')
    .where('team_id', '=', team)
    .where('hash', '=', sha256(secret))
    .where('kind', '=', kind)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()
