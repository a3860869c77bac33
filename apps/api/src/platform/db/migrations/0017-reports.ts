import type { Migration } from '../migrate.js'

/** Files of reports, written once when they are made; and when a payment failed, which its row says only while nothing else happens to it. */
export const reports: Migration = ({ id }) => [
  'alter table payments add column failed_at bigint',
  "update payments set failed_at = updated_at where status = 'failed'",
  'create index payments_failed on payments (team_id, failed_at)',
  'alter table reports add column file text',
  `create table report_parts (
    file ${id} not null, number integer not null, report_id ${id} not null references reports (id), text text not null,
    primary key (file, number))`,
  'create index report_parts_report on report_parts (report_id)',
  // What was asked for before is made now.
  `insert into jobs (id, team_id, kind, payload, state, run_at, clocked, attempts, created_at)
    select 'job_' || id, team_id, 'report.make', '{"report":"' || id || '"}', 'ready', 0, 1, 0, created_at from reports`,
]
