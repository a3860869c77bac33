import type { Migration } from '../migrate.js'

/** Events that are sent: what to send where, and lanes, so that one address which does not answer holds up no other. */
export const deliveries: Migration = ({ id }) => [
  'alter table jobs add column lane text',
  "create index jobs_lane on jobs (lane, run_at, id) where state = 'ready' and lane is not null",
  'drop index jobs_due',
  "create index jobs_free on jobs (run_at, id) where state = 'ready' and lane is null",
  `create table lanes (
    lane text primary key, team_id ${id} not null, paused_until bigint not null, failures integer not null)`,
  'create index lanes_team on lanes (team_id)',
  'alter table events add column path text',
  'alter table events add column refs text',
  'create index events_type on events (team_id, type, id)',
  'alter table webhooks add column previous_secret text',
  'alter table webhooks add column previous_until bigint',
  'alter table webhooks add column failures integer not null default 0',
  'create index webhooks_type on webhooks (team_id, type)',
  `create table deliveries (
    id ${id} primary key, team_id ${id} not null, webhook_id ${id} not null references webhooks (id),
    event_id ${id} not null references events (id), status text not null, attempts integer not null,
    response_status integer, fault text, next_at bigint, attempted_at bigint, finished_at bigint,
    created_at bigint not null, updated_at bigint not null, unique (webhook_id, event_id))`,
  'create index deliveries_webhook on deliveries (webhook_id, id)',
  'create index deliveries_status on deliveries (webhook_id, status, id)',
  'create index deliveries_finished on deliveries (webhook_id, finished_at)',
]
