import type { Step } from './steps.js'

/**
 * Adds counters for the limits on sent codes and on wrong guesses. `code_sends` and `entities.match_times` are no
 * longer used. They are not dropped here, because a process of the previous version may still be running during an
 * upgrade. A later migration drops them.
 */
export const counters: Step = ({ id }) => [
  `create table counters (
    kind text not null, subject ${id} not null, used integer not null, ends_at bigint not null,
    primary key (kind, subject))`,
  'create index counters_age on counters (ends_at)',
  'delete from code_sends',
]
