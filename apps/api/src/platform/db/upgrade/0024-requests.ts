import type { Step } from './steps.js'

/**
 * Adds the request that caused a row. Tables that grow without limit get an index on it: a scan of 100 million
 * deliveries would exceed the time limit of statements. Ids of requests begin with their time, so the indexes grow only
 * at the end, by 50 bytes a row. Jobs have no index: there are few at a time, and each would update it several times.
 */
export const requests: Step = ({ id }) => [
  ...['events', 'deliveries', 'jobs', 'audit'].map(table => `alter table ${table} add column request_id ${id}`),
  ...['events', 'deliveries', 'audit'].map(
    table => `create index ${table}_request on ${table} (request_id) where request_id is not null`,
  ),
]
