import type { Step } from './steps.js'

/**
 * Counters of sends and guesses. `code_sends` and `entities.match_times` are not used from here on. They are dropped by a
 * later migration, because a process of the version before this one may still run beside this one during an upgrade.
 */
export const counters: Step = ({ id }) => [
  `create table counters (
    kind text not null, subject ${id} not null, used integer not null, ends_at bigint not null,
    primary key (kind, subject))`,
  'create index counters_age on counters (ends_at)',
  'delete from code_sends',
]
