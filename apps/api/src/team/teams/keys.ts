import { type KeyScope, keyScopes } from '@causeway/contract/resources/team'
import { createId, randomText } from '../../platform/crypto/random.js'
import { sha256 } from '../../platform/crypto/vault.js'
import type { Db, Store } from '../../platform/db/store.js'
import type { Tables } from '../../platform/db/tables.js'
import type { Team } from '../../platform/team.js'
import { findTeam } from './store.js'
import { showTeam } from './team.js'

export type KeyRow = Tables['api_keys']

const isScope = (text: string): text is KeyScope => (keyScopes as readonly string[]).includes(text)
const readScopes = (text: string): KeyScope[] => text.split(' ').filter(isScope)

/**
 * Creates a secret key for a team. Its value is returned only here; the store has its hash.
 * @param given `value` replaces the random value; `by` is the key that creates it, if any
 */
export async function createKey(
  db: Db,
  team: string,
  now: number,
  given: { value?: string | undefined; scopes?: readonly KeyScope[]; by?: string } = {},
): Promise<{ row: KeyRow; value: string }> {
  const { value = `sk_${randomText(40)}`, scopes = keyScopes, by = null } = given
  const row = {
    id: createId('key', now),
    team_id: team,
    hash: sha256(value),
    last4: value.slice(-4),
    scopes: keyScopes.filter(scope => scopes.includes(scope)).join(' '),
    created_by: by,
    created_at: now,
    last_used_at: null,
    revoked_at: null,
  }
  await db.insertInto('api_keys').values(row).execute()
  return { row, value }
}

/** Returns the live keys of a team, newest first. */
export async function liveKeys(db: Db, team: string): Promise<KeyRow[]> {
  return db
    .selectFrom('api_keys')
    .selectAll()
    .where('team_id', '=', team)
    .where('revoked_at', 'is', null)
    .orderBy('id', 'desc')
    .execute()
}

/** Locks a key until the transaction ends. Returns false if it is revoked. */
export async function lockKey({ store, db }: Held, id: string): Promise<boolean> {
  const query = db.selectFrom('api_keys').select('id').where('id', '=', id).where('revoked_at', 'is', null)
  return (await store.lock(query).executeTakeFirst()) !== undefined
}

/** A transaction and its store. */
interface Held {
  readonly store: Store
  readonly db: Db
}

/**
 * Returns the live keys that a key created, those that these created, and so on. Locks each, so that none of them
 * creates another one until the transaction ends.
 * @param but a key to leave out, with the keys that were created only through it
 */
export async function createdWith(held: Held, key: string, but?: string): Promise<KeyRow[]> {
  await lockKey(held, key)
  for (let locked = 0; ; ) {
    const rows = await findCreated(held.db, key, but)
    if (rows.length <= locked) return rows
    for (const row of rows) await lockKey(held, row.id)
    locked = rows.length
  }
}

async function findCreated(db: Db, key: string, but: string | undefined): Promise<KeyRow[]> {
  return db
    .withRecursive('made(id)', query =>
      query
        .selectFrom('api_keys')
        .select('id')
        .where('created_by', '=', key)
        .$if(but !== undefined, some => some.where('id', '!=', but!))
        .union(
          query
            .selectFrom('api_keys')
            .innerJoin('made', 'made.id', 'api_keys.created_by')
            .select('api_keys.id')
            .$if(but !== undefined, some => some.where('api_keys.id', '!=', but!)),
        ),
    )
    .selectFrom('api_keys')
    .selectAll()
    .where('id', 'in', query => query.selectFrom('made').select('id'))
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .execute()
}

/** @returns the key if it was live until now */
export async function revokeKey(db: Db, id: string, now: number): Promise<KeyRow | undefined> {
  return db
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Returns the scopes of a live key by its id; undefined if it is unknown or revoked. */
export async function findLiveKey(db: Db, id: string): Promise<ReadonlySet<KeyScope> | undefined> {
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

/** Shows teams as the API does. Their live keys are included for older versions. */
export async function showTeams(db: Db, teams: readonly Team[]): Promise<Record<string, unknown>[]> {
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
    ...showTeam(team),
    keys: rows
      .filter(row => row.team_id === team.id)
      .map(row => {
        const { id, created_at, last_used_at } = showKey(row)
        return { id, created_at, last_used_at, type: 'secret', deleted: false, updated_at: created_at }
      }),
  }))
}

/** Finds a live key by its secret value, with its team; undefined if it is unknown or revoked. */
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
