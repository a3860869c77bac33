import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engine, freshStore } from '../../testing/service.js'
import { createPool } from './postgres.js'
import { type Named, runNamed } from './postgres-query.js'

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
    await one.query('create temp table sizes (id int, width int); insert into sizes values (1, 10), (2, null)')
    await other.query(
      "create temp table sizes (width text, id int, note text); insert into sizes values ('wide', 1, 'x')",
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
    const statement: Named = { name: 'columns' }
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

  it('returns no rows, and the number of changed rows, for a change', async () => {
    const statement: Named = { name: 'change' }
    const run = () => runNamed(one, statement, 'update sizes set width = width where id >= $1', [1])
    expect(await run()).toEqual({ command: 'UPDATE', rowCount: 2, rows: [] })
    expect(await run()).toEqual({ command: 'UPDATE', rowCount: 2, rows: [] })
  })

  it('fails if a value cannot be converted, and leaves the connection usable', async () => {
    const dated = runNamed(one, { name: 'dated' }, 'select $1::date + generate_series(0, 2) as at', ['2026-01-01'])
    const [failed, after] = await Promise.allSettled([dated, runNamed(one, { name: 'after' }, text, [2])])
    expect(failed).toMatchObject({ reason: { message: 'not a date: 2026-01-01' } })
    expect(after).toMatchObject({ value: { rows: [{ id: 2, width: null }] } })
  })
})
