import type { Migration } from '../migrate.js'

/**
 * What comes by itself: how far a subscription has read, and one record of a holder for each thing that happened. One job
 * looks for all that a holder is enrolled in, so the jobs of single subscriptions go.
 */
export const continuous: Migration = () => [
  'alter table subscriptions add column cursor text',
  'alter table subscriptions add column watched_from bigint',
  'update subscriptions set watched_from = created_at',
  "update subscriptions set next_at = updated_at where status = 'active' and next_at is null",
  'alter table records add column change text',
  'create unique index records_change on records (holder_id, product, change) where change is not null',
  "delete from jobs where kind = 'subscription.run'",
  `insert into jobs (id, team_id, kind, payload, state, run_at, clocked, attempts, unique_key, created_at)
    select 'job_' || holder_id, team_id, 'subscription.run', '{"holder":"' || holder_id || '"}', 'ready',
      min(next_at) - (select clock_offset from teams where teams.id = team_id), 1, 0,
      'subscription ' || holder_id, min(created_at)
    from subscriptions where status = 'active' group by team_id, holder_id`,
]
