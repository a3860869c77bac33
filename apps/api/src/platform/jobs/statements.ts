/** Statements that every job runs, compiled once. */
import { compiled } from '../db/compiled.js'
import type { Db } from '../db/store.js'
import type { Tables } from '../db/tables.js'
import type { Scope } from '../scope.js'

const insert = (db: Db, rows: Tables['jobs'] | readonly Tables['jobs'][]) =>
  db
    .insertInto('jobs')
    .values(rows)
    .onConflict(conflict => conflict.column('unique_key').doNothing())
const insertJob = compiled((db, row: Tables['jobs']) => insert(db, row))

export async function insertJobs({ db }: Scope, rows: readonly Tables['jobs'][]): Promise<void> {
  const [only] = rows
  if (only && rows.length === 1) await insertJob.all(db, only)
  else await insert(db, rows).execute()
}
/** Deletes a job that nobody took over meanwhile. */
export const deleteHeld = compiled((db, { id, owner, attempts }: { id: string; owner: string; attempts: number }) =>
  db
    .deleteFrom('jobs')
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .where('attempts', '=', attempts)
    .returning('id'),
)
export const stateOf = compiled((db, { id }: { id: string }) =>
  db.selectFrom('jobs').select('state').where('id', '=', id),
)
