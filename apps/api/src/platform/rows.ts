import { ServiceError } from '@causeway/contract/errors'
import { lockRows } from './db/row-locks.js'
import type { Tables } from './db/tables.js'
import type { Scope } from './scope.js'

/** The tables whose rows belong to a team and have an id. */
type TeamTable = {
  [Name in keyof Tables]: Tables[Name] extends { team_id: string; id: string } ? Name : never
}[keyof Tables]

/** Selects a team's row by its id. The compiler can't check columns of a table that it doesn't know. */
const selectRow = ({ db, team }: Scope, table: TeamTable, id: string) =>
  db
    .selectFrom(table as 'entities')
    .selectAll()
    // mutant: rows-of-own-team (remove)
    .where('team_id', '=', team.id)
    .where('id', '=', id)

/** Finds one of the team's rows by its id. */
export async function findRow<Name extends TeamTable>(
  scope: Scope,
  table: Name,
  id: string,
): Promise<Tables[Name] | undefined> {
  return (await selectRow(scope, table, id).executeTakeFirst()) as Tables[Name] | undefined
}

/** Finds one of the team's rows by its id, and locks it until the transaction ends. */
export async function lockRow<Name extends TeamTable>(
  scope: Scope,
  table: Name,
  id: string,
): Promise<Tables[Name] | undefined> {
  // mutant: rows-are-locked (argument 2)
  const query = lockRows(scope.db, selectRow(scope, table, id))
  return (await query.executeTakeFirst()) as Tables[Name] | undefined
}

/** Returns a row that a request names. Throws NOT_FOUND if there is none. */
export function orNotFound<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new ServiceError('NOT_FOUND')
  return row
}
