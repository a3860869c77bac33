import { readFileSync } from 'node:fs'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Db } from '../../platform/db/store.js'
import type { Tables } from '../../platform/db/tables.js'
import { acrossTeams } from './query-exceptions.js'
import { findUnscopedTables, shapeOf } from './query-scope.js'

const db: Db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: each => new PostgresIntrospector(each),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})
const hasTeam = (table: string) => table !== 'teams'
const found = (query: { toOperationNode(): Parameters<typeof findUnscopedTables>[0] }) =>
  findUnscopedTables(query.toOperationNode(), hasTeam)
const payments = db.selectFrom('payments').selectAll('payments')

describe('a statement without a team', () => {
  it.each([
    ['has only an id', payments.where('id', '=', 'pmt_1'), ['payments']],
    [
      'has a team in only one branch of an or',
      payments.where(is => is.or([is('team_id', '=', 't'), is('id', '=', 'x')])),
      ['payments'],
    ],
    ['has another comparison', payments.where('team_id', '>', 't'), ['payments']],
    ['is an update', db.updateTable('payments').set({ team_id: 't' }).where('id', '=', 'x'), ['payments']],
    ['is a delete', db.deleteFrom('jobs').where('id', '=', 'x'), ['jobs']],
    [
      'has a joined table without a team',
      payments.innerJoin('ledger', 'ledger.payment_id', 'payments.id').where('payments.team_id', '=', 't'),
      ['ledger'],
    ],
    [
      'has a subquery without a team',
      payments.where('team_id', '=', 't').where('id', 'in', some => some.selectFrom('ledger').select('payment_id')),
      ['ledger'],
    ],
    [
      'has a common table expression without a team',
      db
        .with('some', each => each.selectFrom('events').select('id'))
        .selectFrom('some')
        .selectAll(),
      ['events'],
    ],
  ])('%s', (_, query, tables) => {
    expect(found(query)).toEqual(tables)
  })
})

describe('a statement with a team', () => {
  it.each([
    ['has it in a condition', payments.where('id', '=', 'pmt_1').where('team_id', '=', 't')],
    ['has it in a group of conditions', payments.where(is => is.and([is('id', '=', 'x'), is('team_id', '=', 't')]))],
    ['has it as one of several', payments.where('team_id', 'in', ['t', 'u'])],
    [
      'has that of a joined table',
      payments
        .innerJoin('ledger', on =>
          on.onRef('ledger.team_id', '=', 'payments.team_id').onRef('ledger.payment_id', '=', 'payments.id'),
        )
        .where('ledger.team_id', '=', 't'),
    ],
    [
      'has that of its row',
      db.selectFrom('teams').innerJoin('jobs', 'jobs.team_id', 'teams.id').where('teams.id', '=', 't'),
    ],
    [
      'has that of the outer statement',
      payments
        .where('team_id', '=', 't')
        .where(is => is.exists(is.selectFrom('jobs').select('id').whereRef('jobs.team_id', '=', 'payments.team_id'))),
    ],
    [
      'has it in its common table expression',
      db
        .with('some', each => each.selectFrom('events').select('id').where('team_id', '=', 't'))
        .selectFrom('some')
        .selectAll(),
    ],
  ])('%s', (_, query) => {
    expect(found(query)).toEqual([])
  })
})

it('the docs list the files whose statements apply to all teams, with the same reasons', () => {
  const page = readFileSync(new URL('../../../../../docs/contributing/statements.md', import.meta.url), 'utf8')
  const listed = [...page.matchAll(/^\| `(\S+)` \| (.+) \|$/gm)].map(([, file, reason]) => [file, reason])
  expect(listed).toEqual([...acrossTeams])
})

it('statements that differ only in the number of values count as one', () => {
  expect(shapeOf('select 1 where "id" in ($1, $2, $3) and "a" = $4')).toBe('select 1 where "id" in (?) and "a" = ?')
  expect(shapeOf('insert into "t" ("a", "b") values (?, ?), (?, ?)')).toBe('insert into "t" ("a", "b") values (?)')
  expect(shapeOf('where (("a" = ? and "b" = ?) or ("a" = ? and "b" = ?))')).toBe('where (("a" = ? and "b" = ?))')
})
