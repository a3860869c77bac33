import { type KeyScope, keyScopes } from '@causeway/contract/fields/key-scopes'
import { createId, randomText } from '../../platform/crypto/random.js'
import type { Vault } from '../../platform/crypto/vault.js'
import { sha256 } from '../../platform/crypto/vault.js'
import { lockRows } from '../../platform/db/row-locks.js'
import type { Db } from '../../platform/db/store.js'
import type { Tables } from '../../platform/db/tables.js'
import type { Team } from '../../platform/team.js'
import { endConsoleSessions } from './console-sessions.js'
import { openDetails } from './details.js'
import { findTeam } from './store.js'
import { showTeam } from './team.js'

export type KeyRow = Tables['api_keys']

const isScope = (text: string): text is KeyScope => (keyScopes as readonly string[]).includes(text)
const readScopes = (text: string): KeyScope[] => text.split(' ').filter(isScope)

/**
 * Creates a secret key for a team. Only this function returns the key's value, because the store contains only its
 * hash.
 * @param options `value` replaces the random value; `by` is the key that creates this one, if any
 */
export async function createKey(
  db: Db,
  team: string,
  now: number,
  options: { value?: string | undefined; scopes?: readonly KeyScope[]; by?: string } = {},
): Promise<{ row: KeyRow; value: string }> {
  const { value = `sk_${randomText(40)}`, scopes = keyScopes, by = null } = options
  const row = {
    id: createId('key', now),
    team_id: team,
    hash: sha256(value),
    last4: value
      // mutant: keys-are-hashed (remove)
      .slice(-4),
    scopes: keyScopes.filter(scope => scopes.includes(scope)).join(' '),
    created_by: by,
    created_at: now,
    last_used_at: null,
    revoked_at: null,
  }
  await db.insertInto('api_keys').values(row).execute()
  return { row, value }
}

/** Returns a team's active keys, newest first. */
export async function listActiveKeys(db: Db, team: string): Promise<KeyRow[]> {
  return db
    .selectFrom('api_keys')
    .selectAll()
    .where('team_id', '=', team)
    .where('revoked_at', 'is', null)
    .orderBy('id', 'desc')
    .execute()
}

/** Locks a key until the transaction ends. Returns false if the key is revoked. */
export async function lockKey(db: Db, id: string): Promise<boolean> {
  const query = db.selectFrom('api_keys').select('id').where('id', '=', id).where('revoked_at', 'is', null)
  return (await lockRows(db, query).executeTakeFirst()) !== undefined
}

/**
 * Returns the active keys that a key created, either directly or through other keys. Locks each key to prevent it from
 * creating another key until the transaction ends.
 * @param excluded a key to exclude, along with the keys that were created only through it
 */
export async function lockCreatedKeys(db: Db, key: string, excluded?: string): Promise<KeyRow[]> {
  await lockKey(db, key)
  for (let count = 0; ; ) {
    const rows = await listCreatedKeys(db, key, excluded)
    if (rows.length <= count) return rows
    for (const row of rows) await lockKey(db, row.id)
    count = rows.length
  }
}

async function listCreatedKeys(db: Db, key: string, excluded: string | undefined): Promise<KeyRow[]> {
  return db
    .withRecursive('made(id)', query =>
      query
        .selectFrom('api_keys')
        .select('id')
        .where('created_by', '=', key)
        .$if(excluded !== undefined, some => some.where('id', '!=', excluded!))
        .union(
          query
            .selectFrom('api_keys')
            .innerJoin('made', 'made.id', 'api_keys.created_by')
            .select('api_keys.id')
            .$if(excluded !== undefined, some => some.where('api_keys.id', '!=', excluded!)),
        ),
    )
    .selectFrom('api_keys')
    .selectAll()
    .where('id', 'in', query => query.selectFrom('made').select('id'))
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .execute()
}

/**
 * Revokes a key and ends the console sessions that it started. If the team has no other active key, ends all of the
 * team's console sessions.
 * @returns the key, or undefined if it was already revoked or does not exist
 */
export async function revokeKey(db: Db, id: string, now: number): Promise<KeyRow | undefined> {
  const row = await db
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (!row) return undefined
  const others = await listActiveKeys(db, row.team_id)
  // mutant: revoked-key-ends-console-sessions (remove)
  await endConsoleSessions(db, row.team_id, others.length > 0 ? { key: id } : {})
  return row
}

/** Returns an active key's scopes, or undefined if the key does not exist or is revoked. */
export async function findActiveKeyScopes(db: Db, id: string): Promise<ReadonlySet<KeyScope> | undefined> {
  const key = await db
    .selectFrom('api_keys')
    .select('scopes')
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return key && new Set(readScopes(key.scopes))
}

export function showKey(row: KeyRow): Record<string, unknown> {
  return {
    id: row.id,
    last4: row.last4,
    scopes: readScopes(row.scopes),
    created_by: row.created_by,
    created_at: new Date(row.created_at).toISOString(),
    last_used_at: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
  }
}

/** Returns teams in their API format. Includes the teams' active keys, which only older API versions show. */
export async function showTeams(db: Db, vault: Vault, teams: readonly Team[]): Promise<Record<string, unknown>[]> {
  if (teams.length === 0) return []
  const ids = teams.map(({ id }) => id)
  const rows = await db
    .selectFrom('api_keys')
    .selectAll()
    .where('team_id', 'in', ids)
    .where('revoked_at', 'is', null)
    .orderBy('id', 'desc')
    .execute()
  return teams.map(team => ({
    ...showTeam(team, openDetails(vault, team)),
    keys: rows
      .filter(row => row.team_id === team.id)
      .map(row => {
        const { id, created_at, last_used_at } = showKey(row)
        return { id, created_at, last_used_at, type: 'secret', deleted: false, updated_at: created_at }
      }),
  }))
}

/**
 * Finds an active key and its team by the key's secret value. Returns undefined if the key does not exist or is
 * revoked.
 */
export async function findKey(
  db: Db,
  value: string,
): Promise<{ id: string; team: Team; scopes: ReadonlySet<KeyScope>; lastUsedAt: number | null } | undefined> {
  const key = await db
    .selectFrom('api_keys')
    .select(['id', 'team_id', 'scopes', 'last_used_at'])
    .where('hash', '=', sha256(value))
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  const team = key && (await findTeam(db, key.team_id))
  return team && { id: key.id, team, scopes: new Set(readScopes(key.scopes)), lastUsedAt: key.last_used_at }
}
