import { createId } from '../../platform/crypto/random.js'
import { readJson, writeJson } from '../../platform/db/json.js'
import { jsonColumn } from '../../platform/db/json-column.js'
import type { Db } from '../../platform/db/store.js'
import type { Tables } from '../../platform/db/tables.js'
import { findRow } from '../../platform/rows.js'
import type { Scope } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import type { PublicJwk } from './rules.js'

export type TeamKeyRow = Tables['team_public_keys']

const teamJwk = jsonColumn<PublicJwk>('team_public_keys.jwk')
export const jwkOf = ({ jwk }: TeamKeyRow): PublicJwk | null => (jwk === null ? null : teamJwk.read(jwk))

export const showTeamKey = (row: TeamKeyRow) => ({
  id: row.id,
  type: row.type,
  contact: row.contact,
  jwk: jwkOf(row),
  well_known_endpoint: row.well_known_endpoint,
  status: row.status,
  created_at: showTime(row.created_at),
  updated_at: showTime(row.updated_at),
})

export const kidsOf = ({ kids }: TeamKeyRow): string[] => readJson('team_public_keys.kids', kids)

/** Returns a team's active keys, oldest first. Responses may be encrypted with any of these keys. */
export const listActiveTeamKeys = (db: Db, team: string): Promise<TeamKeyRow[]> =>
  db
    .selectFrom('team_public_keys')
    .selectAll()
    .where('team_id', '=', team)
    .where('status', '=', 'active')
    .orderBy('id')
    .execute()

export const findTeamKey = (scope: Scope, id: string): Promise<TeamKeyRow | undefined> =>
  findRow(scope, 'team_public_keys', id)

/** @param key `kids` contains the id of the given key, or the ids of the keys in the fetched key set */
export async function insertTeamKey(
  { db, team, now }: Scope,
  key: Pick<TeamKeyRow, 'type' | 'contact' | 'well_known_endpoint'> & { jwk: PublicJwk | null; kids: string[] },
): Promise<TeamKeyRow> {
  return db
    .insertInto('team_public_keys')
    .values({
      ...key,
      id: createId('team_jwk', now),
      team_id: team.id,
      jwk: key.jwk && teamJwk.write(key.jwk),
      kids: writeJson(key.kids),
      status: 'active',
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const deleteTeamKey = ({ db, team, now }: Scope, id: string): Promise<TeamKeyRow | undefined> =>
  db
    .updateTable('team_public_keys')
    .set({ status: 'deleted', updated_at: now })
    .where('team_id', '=', team.id)
    .where('id', '=', id)
    .where('status', '=', 'active')
    .returningAll()
    .executeTakeFirst()
