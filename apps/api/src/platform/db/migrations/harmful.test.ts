import { expect, it } from 'vitest'
import { findBreakingStatements, type Migration } from './migrate.js'

const first: Migration = { phase: 'expand', leaves: 1, statements: () => ['create table first (id text primary key)'] }

it('only a contracting migration removes anything', () => {
  expect(findBreakingStatements()).toEqual([])
  const adding = (text: string): Migration[] => [first, { phase: 'expand', leaves: 1, statements: () => [text] }]
  for (const text of [
    'create unique index first_second on first (second)',
    'alter table first add constraint short check (length(second) < 9)',
    'alter table first alter second type bigint',
    'alter table first add second text not null',
    'alter table first drop column second',
    'alter table first rename column second to other',
    'alter table first alter column second set not null',
    'alter table first add column second text not null',
    'drop index first_second',
  ])
    expect([text, findBreakingStatements(adding(text)).length]).toEqual([text, 2])
  for (const text of [
    'alter table first add column second text',
    "alter table first add column second text not null default ''",
  ])
    expect(findBreakingStatements(adding(text))).toEqual([])
  const second = ['create table second (id text primary key)', 'create unique index second_id on second (id)']
  expect(findBreakingStatements([first, { phase: 'expand', leaves: 1, statements: () => second }])).toEqual([])
  const unique = { first_second: { table: 'first', columns: 'second', where: 'id is not null', replaces: 'first_all' } }
  const replacing = (columns: string): Migration[] => [
    { phase: 'expand', leaves: 1, statements: () => [`create unique index first_all on first (${columns})`] },
    { phase: 'expand', leaves: 1, statements: () => [], indexes: () => unique },
  ]
  expect(findBreakingStatements(replacing('second'))).toEqual([])
  expect(findBreakingStatements(replacing('second, id'))).toHaveLength(2)
})
