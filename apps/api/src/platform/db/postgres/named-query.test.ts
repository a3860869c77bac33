import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { engine, freshStore } from '../../../testing/service.js'
import { describeFault } from '../../log.js'
import { type NamedStatement, runNamed } from './named-query.js'
import { createPool } from './pool.js'

describe.runIf(engine === 'postgres')('a named statement', () => {
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.DATE, text => {
    throw new Error(`not a date: ${text}`)
  })
  let pool: pg.Pool
  let remove: () => Promise<void>
  /** Two connections on which the same text has different columns, as after another process has changed a table. */
  let one: pg.PoolClient
  let other: pg.PoolClient
  beforeAll(async () => {
    const { store, url, remove: removeStore } = await freshStore()
    await store.close()
    remove = removeStore
    pool = createPool(url, types, {})
    one = await pool.connect()
    other = await pool.connect()
    const make = (columns: string, values: string) =>
      `create temp table sizes (${columns}); insert into sizes values ${values};`
    await one.query(
      `${make('id int, width int', '(1, 10), (2, null)')} create temp view typed as select id, width from sizes;
      create temp view named as select id, width as first, id + 5 as second from sizes`,
    )
    await other.query(
      `${make('width text, id int, note text', "('wide', 1, 'x')")} create temp view typed as select id, width from sizes;
      create temp view named as select id, id + 7 as second, id + 1 as first from sizes`,
    )
  })
  afterAll(async () => {
    one.release()
    other.release()
    await pool.end()
    await remove()
  })
  const text = 'select * from sizes where id >= $1 order by id'

  it('returns the columns that each connection describes', async () => {
    const statement: NamedStatement = { name: 'columns' }
    const run = (client: pg.PoolClient) => runNamed(client, statement, text, [1])
    const [ones, others] = [
      [
        { id: 1, width: 10 },
        { id: 2, width: null },
      ],
      [{ width: 'wide', id: 1, note: 'x' }],
    ]
    for (let round = 0; round < 20; round++) {
      const results = await Promise.all([one, other, one, other].map(run))
      expect(results.map(({ rows }) => rows)).toEqual([ones, others, ones, others])
    }
    expect((await run(one)).rows).toEqual(ones)
    expect((await run(other)).rows).toEqual(others)
    expect((await run(one)).rows).toEqual(ones)
  })

  it.each([
    ['types', 'typed', [{ id: 1, width: 10 }], [{ id: 1, width: 'wide' }]],
    ['order', 'named', [{ id: 1, first: 10, second: 6 }], [{ id: 1, first: 2, second: 8 }]],
  ])('distinguishes columns that differ only in their %s', async (_, view, ones, others) => {
    const statement: NamedStatement = { name: view }
    const run = async (client: pg.PoolClient) =>
      (await runNamed(client, statement, `select * from ${view} where id = $1`, [1])).rows
    for (const [client, rows] of [
      [one, ones],
      [other, others],
      [one, ones],
    ] as const)
      expect(await run(client)).toEqual(rows)
  })

  it('returns columns with unusual names', async () => {
    const statement: NamedStatement = { name: 'unusual' }
    const strange = `select 1 as "__proto__", $1::int as "__proto__", 3 as "a""b", 4 as "constructor"`
    const { rows } = await runNamed(one, statement, strange, [2])
    expect(Object.entries(rows[0])).toEqual([
      ['__proto__', 2],
      ['a"b', 3],
      ['constructor', 4],
    ])
  })

  it('has the calling code in the stack of its error', async () => {
    const { store, remove: removeStore } = await freshStore()
    const fault = await store.reader
      .selectFrom('teams')
      .select(sql`1 / ${0}::int`.as('none'))
      .execute()
      .catch(describeFault)
    await store.close()
    await removeStore()
    expect(fault).toEqual({
      fault: 'error 22012',
      at: expect.stringMatching(/^platform\/db\/postgres\/driver\.ts:\d+$/),
    })
  })

  it('returns no rows, and the number of changed rows, for a change', async () => {
    const statement: NamedStatement = { name: 'change' }
    const run = () => runNamed(one, statement, 'update sizes set width = width where id >= $1', [1])
    expect(await run()).toEqual({ command: 'UPDATE', rowCount: 2, rows: [] })
    expect(await run()).toEqual({ command: 'UPDATE', rowCount: 2, rows: [] })
  })

  it('fails if its columns cannot be handled, and leaves the connection usable', async () => {
    const statement: NamedStatement = { name: 'unhandled' }
    const broken = vi.spyOn(one, 'getTypeParser').mockImplementation(() => {
      throw new Error('no parser')
    })
    await expect(runNamed(one, statement, text, [1])).rejects.toThrow('no parser')
    broken.mockRestore()
    expect((await runNamed(one, statement, text, [2])).rows).toEqual([{ id: 2, width: null }])
  })

  it('fails if a value cannot be converted, and leaves the connection usable', async () => {
    const dated = runNamed(one, { name: 'dated' }, 'select $1::date + generate_series(0, 2) as at', ['2026-01-01'])
    const [failed, after] = await Promise.allSettled([dated, runNamed(one, { name: 'after' }, text, [2])])
    expect(failed).toMatchObject({ reason: { message: 'not a date: 2026-01-01' } })
    expect(after).toMatchObject({ value: { rows: [{ id: 2, width: null }] } })
  })
})
