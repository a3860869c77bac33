import type { Step } from './steps.js'

/** SQL expressions for the month in which a time falls, and for the end of that month. Times are in epoch milliseconds. */
const months = {
  sqlite: (time: string) => ({
    name: `strftime('%Y-%m', ${time} / 1000, 'unixepoch')`,
    end: `strftime('%s', ${time} / 1000, 'unixepoch', 'start of month', '+1 month') * 1000`,
  }),
  postgres: (time: string) => ({
    name: `to_char(to_timestamp(${time} / 1000) at time zone 'UTC', 'YYYY-MM')`,
    end: `extract(epoch from
      date_trunc('month', to_timestamp(${time} / 1000) at time zone 'UTC') + interval '1 month')::bigint * 1000`,
  }),
}

/**
 * Returns statements that count a team's payments by month of creation, excluding canceled and inbound payments. The
 * counters are updated by triggers, so payments from a process of an earlier version are also counted. A counter's
 * subject is the team's path and a slot. On PostgreSQL, the slot depends on the connection, so a team's simultaneous
 * payments rarely wait for the same row.
 */
const counted = (engine: 'sqlite' | 'postgres') => {
  const row = months[engine]('new.created_at')
  const slot = engine === 'sqlite' ? "'0'" : 'pg_backend_pid() % 64'
  const count = `insert into counters (kind, subject, used, ends_at) values (
      'payments ' || ${row.name}, (select path from teams where id = new.team_id) || '/' || ${slot},
      case new.status when 'canceled' then -1 else 1 end, ${row.end})
    on conflict (kind, subject) do update set used = counters.used + excluded.used;`
  const created = "new.payment_instrument is null and new.status <> 'canceled'"
  const changed = "new.payment_instrument is null and (old.status = 'canceled') <> (new.status = 'canceled')"
  const all = months[engine]('payments.created_at')
  const now =
    engine === 'sqlite'
      ? "strftime('%s', 'now', 'start of month') * 1000"
      : "extract(epoch from date_trunc('month', now() at time zone 'UTC')) * 1000"
  return [
    ...(engine === 'sqlite'
      ? [
          `create trigger payments_counted after insert on payments when ${created} begin ${count} end`,
          `create trigger payments_recounted after update of status on payments when ${changed} begin ${count} end`,
        ]
      : [
          `create function count_payment() returns trigger language plpgsql as $$ begin ${count} return null; end $$`,
          `create trigger payments_counted after insert on payments
            for each row when (${created}) execute function count_payment()`,
          `create trigger payments_recounted after update of status on payments
            for each row when (${changed}) execute function count_payment()`,
        ]),
    `insert into counters (kind, subject, used, ends_at)
      select 'payments ' || ${all.name}, teams.path || '/0', count(*), max(${all.end})
      from payments join teams on teams.id = payments.team_id
      where payments.payment_instrument is null and payments.status <> 'canceled' and payments.created_at >= ${now}
      group by 1, 2`,
  ]
}

/**
 * Indexes that let a query find a few payments without reading all of the team's payments. The indexes are partial, so
 * they omit most payments.
 */
const indexes = [
  'create index payments_failed on payments (team_id, failed_at) where failed_at is not null',
  'create index payments_source_errors on payments (team_id, source) where error is not null',
  'create index payments_destination_errors on payments (team_id, destination) where error is not null',
  "create index payments_type on payments (team_id, type, id) where type <> 'standard'",
]

/**
 * For a small table, PostgreSQL estimates the same cost for all indexes and chooses the one created last. A connection
 * keeps that plan even as the table grows. The index for lookups by id is therefore created after all others that begin
 * with the team. The indexes created after it can't be used for lookups by id: the idempotency key's index is partial,
 * and each of the others begins with a source or destination column.
 */
const lookups = [
  ...['accounts', 'entities', 'events', 'payments', 'webhooks'].flatMap(table => [
    `drop index ${table}_team`,
    `create index ${table}_team on ${table} (team_id, id)`,
  ]),
  ...['source', 'destination', 'source_holder', 'destination_holder'].flatMap(end => [
    `drop index payments_${end}`,
    `create index payments_${end} on payments (${end.replace('holder', 'holder_id')}, id)`,
  ]),
  'alter table payments drop constraint payments_team_id_idempotency_key_key',
  `create unique index payments_key on payments (team_id, idempotency_key) where idempotency_key is not null`,
]

/** Adds monthly payment counters, and indexes that keep queries fast for teams with many payments. */
export const growth: Step = ({ engine }) => [
  ...counted(engine),
  'drop index payments_failed',
  ...(engine === 'postgres' ? lookups : []),
  ...indexes,
]
