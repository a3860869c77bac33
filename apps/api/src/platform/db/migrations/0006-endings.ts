import type { AddedIndex } from '../added-index.js'

/**
 * Adds the counts that decide when a job ends, and the times that decide when a webhook is disabled. Before, one column
 * counted a job's claims, so that kills and store failures ended jobs. The defaults apply to the rows of earlier versions.
 */
export const endings = (): string[] => [
  ...['claims', 'failures', 'takeovers'].map(
    column => `alter table jobs add column ${column} integer not null default 0`,
  ),
  'alter table webhooks add column failing_since bigint',
  'alter table webhooks add column failing_since_real bigint',
]

/** Indexes of the few resources that wait for a job: see platform/jobs/missing.ts. */
export const waitingIndexes = (): Record<string, AddedIndex> => ({
  reports_waiting: { table: 'reports', columns: 'team_id, id', where: 'file is null' },
  forwarding_waiting: { table: 'forwarding_requests', columns: 'team_id, id', where: "status = 'processing'" },
})
