import { isVersion, PINNED_VERSION, type Version } from '@causeway/contract/versions'
import { createId, randomText } from '../crypto/random.js'
import type { Vault } from '../crypto/vault.js'
import { sha256 } from '../crypto/vault.js'
import type { Db } from '../db/store.js'
import type { Tables } from '../db/tables.js'
import type { Scope } from '../scope.js'
import { defaultSettings, type Team, type TeamSettings } from './team.js'

/** Where it is kept that no team's payments go on. */
export const STOPPED = 'payments_stopped'

/** @param stopped the setting of that name, where it was asked for */
export function readTeam(row: Tables['teams'], stopped: string | null = null): Team {
  return {
    id: row.id,
    parentId: row.parent_id,
    name: row.name,
    version: isVersion(row.version) ? row.version : PINNED_VERSION,
    settings: { ...defaultSettings(row.name), ...(JSON.parse(row.settings) as TeamSettings) },
    clockOffset: row.clock_offset,
    paymentsStopped: row.payments_stopped_at !== null || stopped !== null,
    dataKey: row.data_key,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export async function findTeam(db: Db, id: string): Promise<Team | undefined> {
  const row = await db
    .selectFrom('teams')
    .leftJoin('settings', on => on.on('settings.name', '=', STOPPED))
    .selectAll('teams')
    .select('settings.value as stopped')
    .where('teams.id', '=', id)
    .executeTakeFirst()
  return row && readTeam(row, row.stopped)
}

/** Makes a team, pinned to the version that new teams get. */
export async function createTeam(
  db: Db,
  vault: Vault,
  name: string,
  parent: string | null,
  now: number,
): Promise<Team> {
  const id = createId('team', now)
  const row = {
    id,
    parent_id: parent,
    name,
    version: PINNED_VERSION,
    settings: JSON.stringify(defaultSettings(name)),
    clock_offset: 0,
    data_key: vault.createTeamKey(id),
    payments_stopped_at: null,
    created_at: now,
    updated_at: now,
  }
  await db.insertInto('teams').values(row).execute()
  return readTeam(row)
}

type KeyRow = Tables['api_keys']

/** Makes a secret key for a team; its value is given back this once and kept as a hash. @param value a value to use instead of a random one */
export async function createKey(
  db: Db,
  team: string,
  now: number,
  value = `sk_${randomText(40)}`,
): Promise<{ row: KeyRow; value: string }> {
  const row = {
    id: createId('key', now),
    team_id: team,
    hash: sha256(value),
    last4: value.slice(-4),
    created_at: now,
    last_used_at: null,
    revoked_at: null,
  }
  await db.insertInto('api_keys').values(row).execute()
  return { row, value }
}

/** The keys of a team that work, newest first. */
export async function liveKeys(db: Db, team: string): Promise<KeyRow[]> {
  return db
    .selectFrom('api_keys')
    .selectAll()
    .where('team_id', '=', team)
    .where('revoked_at', 'is', null)
    .orderBy('id', 'desc')
    .execute()
}

/** @returns the key, where it worked until now */
export async function revokeKey(db: Db, id: string, now: number): Promise<KeyRow | undefined> {
  return db
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

export function showKey(row: KeyRow): Record<string, unknown> {
  return {
    id: row.id,
    last4: row.last4,
    created_at: new Date(row.created_at).toISOString(),
    last_used_at: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
  }
}

/** The key that a secret value belongs to, with its team; undefined for unknown and revoked ones. */
export async function findKey(
  db: Db,
  value: string,
): Promise<{ id: string; team: Team; lastUsedAt: number | null } | undefined> {
  const key = await db
    .selectFrom('api_keys')
    .select(['id', 'team_id', 'last_used_at'])
    .where('hash', '=', sha256(value))
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  const team = key && (await findTeam(db, key.team_id))
  return team && { id: key.id, team, lastUsedAt: key.last_used_at }
}

/** The team as it stands, held until the transaction ends. */
export async function lockTeam(scope: Scope): Promise<Team> {
  const query = scope.db.selectFrom('teams').selectAll().where('id', '=', scope.team.id)
  return readTeam(await scope.deps.store.lock(query).executeTakeFirstOrThrow())
}

/** Changes what is given and nothing else. */
export async function saveTeam(
  db: Db,
  id: string,
  change: { settings?: TeamSettings; version?: Version },
  now: number,
): Promise<Team> {
  const row = await db
    .updateTable('teams')
    .set({
      ...(change.settings ? { settings: JSON.stringify(change.settings) } : {}),
      ...(change.version ? { version: change.version } : {}),
      updated_at: now,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return readTeam(row)
}

/** Moves a team's sandbox clock forward. @param delta ms. @returns how far it is ahead of real time now, in ms */
export async function moveClock(db: Db, id: string, delta: number): Promise<number> {
  const row = await db
    .updateTable('teams')
    .set(set => ({ clock_offset: set('clock_offset', '+', delta) }))
    .where('id', '=', id)
    .returning('clock_offset')
    .executeTakeFirstOrThrow()
  return row.clock_offset
}
