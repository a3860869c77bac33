import { type KyselyPlugin, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { engine, freshStore } from '../../testing/service.js'
import { compiled } from './compiled-query.js'
import { type Db, type Store, savepoint } from './store.js'

let store: Store
let remove: () => Promise<void>
beforeAll(async () => {
  ;({ store, remove } = await freshStore())
})
afterAll(async () => {
  await store.close()
  await remove()
})

type Row = { name: string; value: string }
const insert = compiled((db, row: Row) => db.insertInto('settings').values(row))
const named = compiled((db, { names }: { names: readonly string[] }) =>
  db.selectFrom('settings').selectAll().where('name', 'in', names).orderBy('name'),
)
beforeEach(async () => {
  await store.write(async tx => {
    await tx.deleteFrom('settings').execute()
    for (const name of ['a', 'b', 'c']) await insert.all(tx, { name, value: `value of ${name}` })
  })
})

describe('a compiled statement', () => {
  it('is built once, and binds the values passed to each call', async () => {
    let built = 0
    const find = compiled((db, { name }: { name: string }) => {
      built += 1
      return db.selectFrom('settings').select('value').where('name', '=', name)
    })
    const values = []
    for (const name of ['a', 'b', 'none', 'c']) values.push((await find.first(store.reader, { name }))?.value)
    expect(values).toEqual(['value of a', 'value of b', undefined, 'value of c'])
    expect(built).toBe(1)
  })

  it('accepts lists of any length', async () => {
    for (const names of [['a'], ['a', 'c'], ['c'], ['a', 'b', 'c', 'd']]) {
      const rows = await named.all(store.reader, { names })
      expect(rows.map(row => row.name)).toEqual(names.filter(name => name !== 'd'))
    }
    const many = Array.from({ length: 60 }, (_, index) => Array.from({ length: index + 1 }, () => 'b'))
    for (const names of many) expect(await named.all(store.reader, { names })).toHaveLength(1)
  })

  it('binds by name, not by the order in which values are given', async () => {
    const write = (row: Row) => store.write(tx => insert.all(tx, row))
    await write({ name: 'x', value: '1' })
    await write({ value: '2', name: 'y' })
    expect(await named.all(store.reader, { names: ['x', 'y'] })).toEqual([
      { name: 'x', value: '1' },
      { name: 'y', value: '2' },
    ])
  })

  it('builds a different statement if a value is absent', async () => {
    const find = compiled((db, { name, value }: { name: string; value?: string | undefined }) =>
      value === undefined
        ? db.selectFrom('settings').select('name').where('name', '=', name)
        : db.selectFrom('settings').select('name').where('name', '=', name).where('value', '=', value),
    )
    expect(await find.first(store.reader, { name: 'a', value: 'other' })).toBeUndefined()
    expect(await find.first(store.reader, { name: 'a', value: undefined })).toEqual({ name: 'a' })
    expect(await find.first(store.reader, { name: 'a' })).toEqual({ name: 'a' })
  })

  it('keeps the values written in the statement, and runs in the given transaction', async () => {
    const reset = compiled((db, { name }: { name: string }) =>
      db.updateTable('settings').set({ value: 'reset' }).where('name', '=', name).returning('value'),
    )
    const undone = store.write(async tx => {
      expect(await reset.all(tx, { name: 'a' })).toEqual([{ value: 'reset' }])
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await named.all(store.reader, { names: ['a'] })).toEqual([{ name: 'a', value: 'value of a' }])
  })

  it('sent later runs before the next statement of its transaction, and before the commit', async () => {
    const [middle, last] = ['x', 'y'].map(name => ({ name, value: '1' })) as [Row, Row]
    const seen = await store.write(async tx => {
      await insert.later(tx, middle)
      const rows = await named.all(tx, { names: ['x', 'y'] })
      await insert.later(tx, last)
      return rows
    })
    expect(seen).toEqual([middle])
    expect(await named.all(store.reader, { names: ['x', 'y'] })).toEqual([middle, last])
  })

  // kills on PostgreSQL: deferred-failure-undoes
  it('sent later that fails undoes its transaction', async () => {
    const row = { name: 'x', value: '1' }
    const duplicate = { name: 'a', value: 'again' }
    const undone = [
      store.write(async tx => {
        await insert.all(tx, row)
        await insert.later(tx, duplicate)
      }),
      store.write(async tx => {
        await insert.later(tx, duplicate)
        await insert.later(tx, row)
        await named.all(tx, { names: ['x'] })
      }),
      store.write(async tx => {
        await insert.later(tx, row)
        throw new Error('undone')
      }),
    ]
    const outcomes = await Promise.allSettled(undone)
    expect(outcomes.map(each => each.status === 'rejected' && each.reason.message)).toEqual([
      expect.stringMatching(/duplicate|UNIQUE/),
      expect.stringMatching(/duplicate|UNIQUE/),
      'undone',
    ])
    expect(await named.all(store.reader, { names: ['a', 'x'] })).toEqual([{ name: 'a', value: 'value of a' }])
  })

  it('sent later is undone with its savepoint, even if it would fail', async () => {
    await store.write(async tx => {
      await insert.later(tx, { name: 'x', value: 'kept' })
      const undone = (work: () => Promise<void>) => expect(savepoint(tx, work)).rejects
      await undone(() => insert.later(tx, { name: 'a', value: 'again' })).toThrow(/duplicate|UNIQUE/)
      await undone(async () => {
        await insert.later(tx, { name: 'y', value: 'undone' })
        throw new Error('no')
      }).toThrow('no')
      await savepoint(tx, () => insert.later(tx, { name: 'z', value: 'kept' }))
    })
    const rows = await named.all(store.reader, { names: ['a', 'x', 'y', 'z'] })
    expect(rows.map(({ name, value }) => `${name}: ${value}`)).toEqual(['a: value of a', 'x: kept', 'z: kept'])
  })

  it('rejects a statement that reads a value', async () => {
    const find = compiled((db, { name }: { name: string }) =>
      db.selectFrom('settings').selectAll().where('name', '=', `${name}!`),
    )
    await expect(find.all(store.reader, { name: 'a' })).rejects.toThrow('must not read the value of name')
  })

  it('is passed to a plugin with its values on every call', async () => {
    const seen: string[] = []
    const plugin: KyselyPlugin = {
      transformQuery({ node }) {
        seen.push(JSON.stringify(node))
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const watched: Db = store.reader.withPlugin(plugin)
    for (const name of ['a', 'b']) await named.all(watched, { names: [name] })
    expect(seen.map(text => [text.includes('"a"'), text.includes('"b"')])).toEqual([
      [true, false],
      [false, true],
    ])
  })

  it.runIf(engine === 'postgres')('does not delay lookups if it is slow (PostgreSQL only)', async () => {
    const slow = compiled(db => db.selectNoFrom(sql`pg_advisory_xact_lock(${sql.lit(7)})`.as('lock')), { isSlow: true })
    await store
      .write(async tx => {
        await sql`select pg_advisory_xact_lock(7)`.execute(tx)
        let isDone = false
        const waiting = slow.all(store.reader, {}).then(() => {
          isDone = true
        })
        const rows = await named.all(store.reader, { names: ['a'] })
        expect({ isDone, rows: rows.length }).toEqual({ isDone: false, rows: 1 })
        return { waiting }
      })
      .then(({ waiting }) => waiting)
  })
})
