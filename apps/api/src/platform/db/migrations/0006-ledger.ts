import type { Migration } from '../migrate.js'

/** The ledger refuses to be changed: the store itself says so, whoever asks. */
const appendOnly = (engine: 'sqlite' | 'postgres') =>
  engine === 'sqlite'
    ? ['update', 'delete'].map(
        act => `create trigger ledger_no_${act} before ${act} on ledger
          begin select raise(abort, 'The ledger is append-only.'); end`,
      )
    : [
        `create function refuse_ledger_change() returns trigger language plpgsql as
          $$ begin raise exception 'The ledger is append-only.'; end $$`,
        `create trigger ledger_append_only before update or delete on ledger
          for each row execute function refuse_ledger_change()`,
      ]

/** Where the money of the payments from before is, as one posting; their fees are left out of it where they had any. */
const openings: readonly (readonly [string, string, string])[] = [
  ['source', '-amount', "('processing', 'sent', 'posted', 'cashed', 'settled')"],
  ["'clearing'", 'amount', "('processing')"],
  ["'transit'", 'amount', "('sent')"],
  ['destination', 'amount', "('posted', 'cashed', 'settled')"],
]

/** Double entry behind every payment, money on its way back, and the switch that stops payments. */
export const ledger: Migration = ({ id, engine }) => [
  `create table ledger (
    payment_id ${id} not null, leg text not null, team_id ${id} not null, account ${id} not null, amount bigint not null,
    created_at bigint not null, primary key (payment_id, leg))`,
  ...openings.map(
    ([account, amount, statuses], index) =>
      `insert into ledger select id, 'opening.${index}', team_id, ${account}, ${amount}, updated_at
        from payments where fee is null and status in ${statuses}`,
  ),
  ...appendOnly(engine),
  `create table reversals (
    id ${id} primary key, team_id ${id} not null, payment_id ${id} not null references payments (id),
    target_account ${id}, trace_id text, direction text not null, description text not null, amount bigint not null,
    status text not null, error text, approved_at bigint, created_at bigint not null, updated_at bigint not null)`,
  'create index reversals_payment on reversals (payment_id, id)',
  `alter table payments add column payment_instrument ${id}`,
  'alter table payments add column simulated integer not null default 0',
  'alter table teams add column payments_stopped_at bigint',
]
