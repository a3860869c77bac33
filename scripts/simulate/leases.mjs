/** Follows the leases of jobs: only the process that runs a job may end it, and a run that has lost its job has no effect. */

/** The length of a job's lease, in ms. */
const LEASE_MS = 15_000

const triggers = [
  // By the claimer's own clock, the lease of an earlier run has not ended.
  `create temp trigger taken_jobs after update of claims on main.jobs
    when new.claims > old.claims and old.lease_until >= new.lease_until - ${LEASE_MS}
    begin select taken(old.id, old.kind); end`,
  `create temp trigger claimed_jobs after update of lease_owner on main.jobs when new.lease_owner is not null
    begin select claimed(new.lease_owner); end`,
  `create temp trigger inserted_jobs after insert on main.jobs when new.lease_owner is not null
    begin select claimed(new.lease_owner); end`,
]

/** The statements with which a run ends its job, or schedules its next run. */
const ending = /^(delete from "jobs" where \("team_id" = \? and "id" = \?|update "jobs" set "kind" = )/

/** @param expect `expect(holds, sentence)` */
export function createLeases({ expect }) {
  /** The process that claims jobs under each name. */
  const processes = new Map()
  return {
    /**
     * Follows the statements of a connection.
     * @returns `{ run(sql, values, perform), end() }`: `run` performs a statement, and `end` ends each transaction
     */
    follow(database) {
      const process = database.owner.name
      let isLost = false
      const taken = (id, kind) => expect(false, `job ${id} (${kind}) was claimed while another run of it had a lease`)
      database.watch({ taken, claimed: owner => processes.set(owner, database.owner) }, triggers)
      return {
        run(sql, values, perform) {
          if (sql === 'rollback to savepoint member') isLost = false
          if (sql === 'release savepoint member') {
            expect(!isLost, `${process} committed the effect of a run that had lost its job`)
            isLost = false
          }
          if (!ending.test(sql)) return perform()
          const id = values.find(value => /^job_/.test(value))
          const owner = database.ownerOf(id)
          const rows = perform()
          if (rows.length === 0) isLost = true
          else {
            const other = processes.get(owner)
            expect(other === database.owner, `${process} ended job ${id}, which ${other?.name ?? 'nobody'} runs`)
          }
          return rows
        },
        end() {
          isLost = false
        },
      }
    },
  }
}
