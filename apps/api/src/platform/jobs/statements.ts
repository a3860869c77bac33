/** Statements that every job runs, compiled once. */
import { compiled } from '../db/compiled.js'
import type { Tables } from '../db/tables.js'

export const insertJob = compiled((db, row: Tables['jobs']) =>
  db
    .insertInto('jobs')
    .values(row)
    .onConflict(conflict => conflict.column('unique_key').doNothing()),
)
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
