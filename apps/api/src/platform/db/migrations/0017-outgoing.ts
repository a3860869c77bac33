import type { Migration } from '../migrate.js'

/**
 * A lane for each endpoint that webhooks lead to, instead of one for all of its origin; and since when a webhook's
 * deliveries count.
 */
export const outgoing: Migration = () => [
  "alter table webhooks add column lane text not null default ''",
  "update webhooks set lane = team_id || ' ' || substr(url, 1, 500)",
  // The key of a delivery's job is `delivery <id>`.
  `update jobs set lane = (select webhooks.lane from deliveries join webhooks on webhooks.id = deliveries.webhook_id
    where deliveries.id = substr(jobs.unique_key, 10)) where lane is not null`,
  'alter table webhooks add column counted_since bigint not null default 0',
  'delete from lanes',
  `insert into lanes (lane, team_id, paused_until, failures)
    select distinct lane, team_id, 0, 0 from webhooks`,
]
