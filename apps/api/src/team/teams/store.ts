import { isVersion, PINNED_VERSION, type Version } from '@causeway/contract/versions'
import { sql } from 'kysely'
import { createId } from '../../platform/crypto/random.js'
import type { Vault } from '../../platform/crypto/vault.js'
import { allColumns, columnsOf, rowOf } from '../../platform/db/columns.js'
import { compiled } from '../../platform/db/compiled-query.js'
import { readJson, writeJson } from '../../platform/db/json.js'
import { lockRows } from '../../platform/db/row-locks.js'
import type { Db } from '../../platform/db/store.js'
import type { Tables } from '../../platform/db/tables.js'
import type { Scope } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import type { Team, TeamSettings } from '../../platform/team.js'
import { sealDetails, type TeamDetails } from './details.js'
import { defaultSettings, expandProductNames } from './team.js'

/** The name of the setting that stops payments for all teams. */
export const PAYMENTS_STOPPED_SETTING = 'payments_stopped'

/** Follows the time in that setting if an operator command started the stop. */
const COMMAND_SUFFIX = ' command'

export const writeStop = (since: string, byCommand: boolean): string => (byCommand ? since + COMMAND_SUFFIX : since)

export const readStop = (value: string): { since: string; byCommand: boolean } => ({
  since: value.replace(COMMAND_SUFFIX, ''),
  byCommand: value.endsWith(COMMAND_SUFFIX),
})

/**
 * @param isStopped true if payments are stopped for a team above this one or for all teams. Omit it if the caller has
 *   not read that state
 */
export function readTeam(row: Tables['teams'], isStopped = false): Team {
  const defaults = defaultSettings(row.name)
  const settings = readJson('teams.settings', row.settings)
  return {
    id: row.id,
    parentId: row.parent_id,
    path: row.path.split('/'),
    name: row.name,
    version: isVersion(row.version) ? row.version : PINNED_VERSION,
    settings: {
      ...defaults,
      ...settings,
      limits: { ...defaults.limits, ...settings.limits },
      products: expandProductNames({ ...defaults, ...settings }.products),
    },
    clockOffset: row.clock_offset,
    paymentsStopped: row.payments_stopped_at !== null || isStopped,
    dataKey: row.data_key,
    details: row.details,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

const columns = allColumns<'teams'>({
  id: true,
  parent_id: true,
  path: true,
  name: true,
  version: true,
  settings: true,
  clock_offset: true,
  data_key: true,
  payments_stopped_at: true,
  payments_stop_source: true,
  details: true,
  created_at: true,
  updated_at: true,
})

/** Selects teams and the state of their payment stops, for joins with other tables. */
export const selectTeams = (db: Db) =>
  db
    .selectFrom('teams')
    .leftJoin('settings', on => on.on('settings.name', '=', PAYMENTS_STOPPED_SETTING))
    .select(columnsOf('teams', columns))
    .select('settings.value as stopped')
    .select(query =>
      query
        .selectFrom('teams as above')
        .select(above => above.fn.min('above.id').as('id'))
        .where('above.payments_stopped_at', 'is not', null)
        .where(sql<boolean>`substr(teams.path, 1, length(above.path) + 1) = above.path || '/'`)
        .as('stopped_above'),
    )

type TeamWithStopRow = Awaited<ReturnType<ReturnType<typeof selectTeams>['executeTakeFirstOrThrow']>>

/** Returns the team for a row from {@link selectTeams}. */
export const readTeamWithStop = (row: TeamWithStopRow): Team =>
  readTeam(
    rowOf('teams', columns, row),
    row.stopped !== null || /* mutant: stop-applies-below (remove) */ row.stopped_above !== null,
  )

const selectTeamById = compiled((db, { id }: { id: string }) => selectTeams(db).where('teams.id', '=', id))

/** Finds a team and the state of its payment stops. Runs a single query, no matter how deep in its tree the team is. */
export async function findTeam(db: Db, id: string): Promise<Team | undefined> {
  const row = await selectTeamById.first(db, { id })
  return row && readTeamWithStop(row)
}

/** Finds a team at any depth below another team. */
export async function findTeamBelow(db: Db, ancestor: Team, id: string): Promise<Team | undefined> {
  const row = await db.selectFrom('teams').selectAll().where('id', '=', id).executeTakeFirst()
  const team = row && readTeam(row)
  return team && team.id !== ancestor.id && team.path.includes(ancestor.id) ? team : undefined
}

/** Returns the ids of a team and all teams below it. */
export async function listTreeIds(db: Db, team: Pick<Team, 'id' | 'path'>): Promise<string[]> {
  const path = team.path.join('/')
  const rows = await db
    .selectFrom('teams')
    .select('id')
    // '0' is the character after '/', so this range contains every path below the team.
    .where(is => is.or([is('id', '=', team.id), is.and([is('path', '>', `${path}/`), is('path', '<', `${path}0`)])]))
    .orderBy('path')
    .execute()
  return rows.map(row => row.id)
}

/** Creates a team and pins it to the version for new teams. */
export async function createTeam(
  db: Db,
  vault: Vault,
  name: string,
  parent: { readonly id: string; readonly path: readonly string[] } | null,
  now: number,
  settings: TeamSettings = defaultSettings(name),
  details: TeamDetails = {},
): Promise<Team> {
  const row = createRow(vault, { id: createId('team', now), name, parent, now, settings, details })
  await db.insertInto('teams').values(row).execute()
  return readTeam(row)
}

/** Adds a team of another store, for its encryption key. Does nothing if it exists. */
export async function addForeignTeam(db: Db, vault: Vault, id: string, now: number): Promise<void> {
  const row = createRow(vault, { id, name: id, parent: null, now, settings: defaultSettings(id), details: {} })
  await db
    .insertInto('teams')
    .values(row)
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

interface NewTeam {
  id: string
  name: string
  parent: { readonly id: string; readonly path: readonly string[] } | null
  now: number
  settings: TeamSettings
  details: TeamDetails
}

function createRow(vault: Vault, { id, name, parent, now, settings, details }: NewTeam): Tables['teams'] {
  const dataKey = vault.createTeamKey(id)
  return {
    id,
    parent_id: parent?.id ?? null,
    path: [...(parent?.path ?? []), id].join('/'),
    name,
    version: PINNED_VERSION,
    settings: writeJson(settings),
    clock_offset: 0,
    data_key: dataKey,
    payments_stopped_at: null,
    payments_stop_source: null,
    details: sealDetails(vault, { id, dataKey }, details),
    created_at: now,
    updated_at: now,
  }
}

/** Returns the team's current state and locks the team until the transaction ends. */
export async function lockTeam(scope: Scope): Promise<Team> {
  const query = scope.db.selectFrom('teams').selectAll().where('id', '=', scope.team.id)
  return readTeam(await lockRows(scope.db, query).executeTakeFirstOrThrow())
}

/** Changes the given properties of a team. */
export async function updateTeam(
  db: Db,
  id: string,
  change: { settings?: TeamSettings; version?: Version; details?: string | null },
  now: number,
): Promise<Team> {
  const row = await db
    .updateTable('teams')
    .set({
      ...(change.settings ? { settings: writeJson(change.settings) } : {}),
      ...(change.version ? { version: change.version } : {}),
      ...(change.details === undefined ? {} : { details: change.details }),
      updated_at: now,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return readTeam(row)
}

/** Moves a team's sandbox clock forward. @returns how far ahead of real time the clock is now, in ms */
export async function advanceTeamClock(db: Db, id: string, deltaMs: number): Promise<number> {
  const row = await db
    .updateTable('teams')
    .set(set => ({ clock_offset: set('clock_offset', '+', deltaMs) }))
    .where('id', '=', id)
    .returning('clock_offset')
    .executeTakeFirstOrThrow()
  return row.clock_offset
}

/** Returns the scope and start time of the stop that applies to a team's payments, or null if they aren't stopped. */
export async function findActiveStop(db: Db, team: Team): Promise<{ scope: 'team' | 'all'; since: string } | null> {
  if (!team.paymentsStopped) return null
  const globalStop = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', PAYMENTS_STOPPED_SETTING)
    .executeTakeFirst()
  if (globalStop) return { scope: 'all', since: readStop(globalStop.value).since }
  const { since } = await db
    .selectFrom('teams')
    .select(query => query.fn.min<number>('payments_stopped_at').as('since'))
    .where('id', 'in', [...team.path])
    .executeTakeFirstOrThrow()
  return { scope: 'team', since: showTime(Number(since)) }
}

/** Returns the store's team if it has exactly one. */
export async function findOnlyTeam(db: Db): Promise<Team | undefined> {
  const [team, another] = await db.selectFrom('teams').selectAll().orderBy('id').limit(2).execute()
  return team && !another ? readTeam(team) : undefined
}
