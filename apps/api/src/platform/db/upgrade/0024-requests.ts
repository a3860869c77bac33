import type { Step } from './steps.js'

/**
 * The request that caused a row. What grows without end is indexed by it: a scan of 100 million deliveries would take longer
 * than a statement may. Ids of requests begin with their time, so the indexes grow at their end, at 50 bytes a row. Jobs
 * have no index: few exist at a time, and each would change it several times.
 */
export const requests: Step = ({ id }) => [
  ...['events', 'deliveries', 'jobs', 'audit'].map(table => `alter table ${table} add column request_id ${id}`),
  ...['events', 'deliveries', 'audit'].map(
    table => `create index ${table}_request on ${table} (request_id) where request_id is not null`,
  ),
]
