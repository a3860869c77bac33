/** The triggers of a new store: an append-only ledger, and the number of each team's payments by month. */
import type { Engine } from '../types.js'

/** Triggers that make the ledger append-only by rejecting all updates and deletes. */
const appendOnly: Record<Engine, string[]> = {
  sqlite: ['update', 'delete'].map(
    act => `create trigger ledger_no_${act} before ${act} on ledger
      begin select raise(abort, 'The ledger is append-only.'); end`,
  ),
  postgres: [
    `create or replace function refuse_ledger_change() returns trigger language plpgsql as
      $$ begin raise exception 'The ledger is append-only.'; end $$`,
    `create trigger ledger_append_only before update or delete on ledger
      for each row execute function refuse_ledger_change()`,
  ],
}

/** SQL expressions for a payment's month of creation, and for the end of that month in epoch milliseconds. */
const month: Record<Engine, { name: string; end: string }> = {
  sqlite: {
    name: "strftime('%Y-%m', new.created_at / 1000, 'unixepoch')",
    end: "strftime('%s', new.created_at / 1000, 'unixepoch', 'start of month', '+1 month') * 1000",
  },
  postgres: {
    name: "to_char(to_timestamp(new.created_at / 1000) at time zone 'UTC', 'YYYY-MM')",
    end: `extract(epoch from
      date_trunc('month', to_timestamp(new.created_at / 1000) at time zone 'UTC') + interval '1 month')::bigint * 1000`,
  },
}

/**
 * Returns triggers that count a team's payments by month of creation, excluding canceled and inbound payments. A
 * counter's subject is the team's path and a slot. On PostgreSQL, the slot depends on the connection, so a team's
 * simultaneous payments rarely wait for the same row.
 */
function counted(engine: Engine): string[] {
  const slot = engine === 'sqlite' ? "'0'" : 'pg_backend_pid() % 64'
  const count = `insert into counters (kind, subject, used, ends_at) values (
      'payments ' || ${month[engine].name}, (select path from teams where id = new.team_id) || '/' || ${slot},
      case new.status when 'canceled' then -1 else 1 end, ${month[engine].end})
    on conflict (kind, subject) do update set used = counters.used + excluded.used;`
  const created = "new.payment_instrument is null and new.status <> 'canceled'"
  const changed = "new.payment_instrument is null and (old.status = 'canceled') <> (new.status = 'canceled')"
  if (engine === 'sqlite')
    return [
      `create trigger payments_counted after insert on payments when ${created} begin ${count} end`,
      `create trigger payments_recounted after update of status on payments when ${changed} begin ${count} end`,
    ]
  return [
    `create or replace function count_payment() returns trigger language plpgsql as
      $$ begin ${count} return null; end $$`,
    `create trigger payments_counted after insert on payments
      for each row when (${created}) execute function count_payment()`,
    `create trigger payments_recounted after update of status on payments
      for each row when (${changed}) execute function count_payment()`,
  ]
}

/** Returns the statements that create the triggers. */
export const triggers = (engine: Engine): string[] => [...appendOnly[engine], ...counted(engine)]
