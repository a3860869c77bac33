import { lockRows } from '../db/row-locks.js'
import type { Scope } from '../scope.js'

/**
 * Queues a job that reads the current state of a resource, unless the same job already waits. A job that is running does
 * not count, because it may have read an earlier state.
 * @param kind the kind of the job
 * @param payload the name of the resource's field in the payload, and its id
 */
export async function enqueueLook(scope: Scope, kind: string, [field, id]: readonly [string, string]): Promise<void> {
  const { db, deps, team } = scope
  const keys = [`${kind} ${id}`, `${kind} ${id} next`]
  const query = db
    .selectFrom('jobs')
    .select(['id', 'unique_key', 'run_at', 'lease_owner', 'state'])
    .where('team_id', '=', team.id)
    .where('unique_key', 'in', keys)
  // The lock keeps a waiting job from starting before this transaction's changes are visible to it.
  const jobs = await lockRows(db, query).execute()
  const waiting = jobs.find(
    job => /* mutant: running-look-does-not-count (drop 2) */ job.state === 'ready' && job.lease_owner === null,
  )
  const now = deps.clock()
  if (!waiting) {
    const unique = keys.find(key => jobs.every(job => job.unique_key !== key))
    await deps.jobs.enqueue(scope, { kind, payload: { [field]: id }, ...(unique === undefined ? {} : { unique }) })
  } else if (waiting.run_at > now)
    await db
      .updateTable('jobs')
      .set({ run_at: now })
      .where('team_id', '=', team.id)
      .where('id', '=', waiting.id)
      .execute()
}
