import type { Step } from './steps.js'

/**
 * Adds a column for the request that created a row. Tables that grow without limit also get an index on that column,
 * because scanning 100 million deliveries would exceed the statement time limit. Request ids begin with the time of the
 * request, so the indexes grow only at the end, by 50 bytes per row. The jobs table has no such index: it holds few
 * jobs at a time, and each job would update the index several times.
 */
export const requests: Step = ({ id }) => [
  ...['events', 'deliveries', 'jobs', 'audit'].map(table => `alter table ${table} add column request_id ${id}`),
  ...['events', 'deliveries', 'audit'].map(
    table => `create index ${table}_request on ${table} (request_id) where request_id is not null`,
  ),
]
