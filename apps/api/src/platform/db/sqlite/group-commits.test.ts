import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { StoreFault } from '../fault.js'
import { type Db, type Store, savepoint } from '../store.js'
import type { Tables } from '../tables.js'
import { openSqlite } from './driver.js'
import { groupCommits } from './group-commits.js'

let folder: string
let statements: string[]
let db: Db
let write: Store['write']
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-test-'))
  statements = []
  db = new Kysely<Tables>({
    dialect: openSqlite(join(folder, 'test.db')),
    log(event) {
      statements.push(event.query.sql)
    },
  })
  await sql`create table settings (name text primary key, value text not null)`.execute(db)
  write = groupCommits(db)
})
afterEach(async () => {
  await db.destroy()
  rmSync(folder, { recursive: true, force: true })
})

const add = (name: string) => (tx: Db) => tx.insertInto('settings').values({ name, value: 'x' }).execute()
const names = async () =>
  (await db.selectFrom('settings').select('name').orderBy('name').execute()).map(row => row.name)
const commits = () => statements.filter(text => text === 'commit').length

it('simultaneous writers share a commit, and each gets its own result', async () => {
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      write(async tx => {
        await add(`n${index}`)(tx)
        return index
      }),
    ),
  )
  expect(results).toEqual(Array.from({ length: 20 }, (_, index) => index))
  expect(await names()).toHaveLength(20)
  expect(commits()).toBe(1)
})

it('lets the event loop turn while a group of slow writers runs', async () => {
  let turns = 0
  let isOver = false
  const count = () => {
    if (isOver) return
    turns += 1
    setImmediate(count)
  }
  const slow = async (tx: Db, index: number) => {
    const until = performance.now() + 3
    while (performance.now() < until);
    await add(`n${index}`)(tx)
    return turns
  }
  count()
  const turnsOf = await Promise.all(Array.from({ length: 20 }, (_, index) => write(tx => slow(tx, index))))
  isOver = true
  expect(commits()).toBe(1)
  // 20 writers of 3 ms each need at least six slices of 8 ms.
  expect(turnsOf.at(-1)! - turnsOf[0]!).toBeGreaterThanOrEqual(5)
})

it("one writer's error undoes only its own work", async () => {
  const [first, broken, third] = await Promise.allSettled([
    write(add('first')),
    write(async tx => {
      await add('second')(tx)
      throw new Error('no')
    }),
    write(add('third')),
  ])
  expect([first.status, broken.status, third.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await names()).toEqual(['first', 'third'])
})

it('reports neither success nor failure before the commit', async () => {
  const heard: number[] = []
  await Promise.allSettled([
    write(add('a')).then(() => heard.push(commits())),
    write(add('a')).catch(() => heard.push(commits())),
  ])
  expect(heard).toEqual([1, 1])
})

it('if the engine rolls back the transaction, every writer gets an error, nothing is stored, and later writers succeed', async () => {
  const given = await Promise.allSettled([
    write(add('first')),
    write(async tx => {
      await sql`rollback`.execute(tx)
      throw new Error('as if the disk were full')
    }),
    write(add('third')),
  ])
  expect(given.map(each => each.status)).toEqual(['rejected', 'rejected', 'rejected'])
  for (const each of given) expect((each as PromiseRejectedResult).reason).toBeInstanceOf(StoreFault)
  expect(await names()).toEqual([])
  await write(add('later'))
  expect(await names()).toEqual(['later'])
})

it.each([
  ['renames its error', () => new Error('renamed')],
  ['hides its error', () => null],
])('every writer gets a store fault if a writer whose transaction the engine ended %s', async (_what, rename) => {
  const given = await Promise.allSettled([
    write(add('first')),
    write(async tx => {
      await savepoint(tx, async () => {
        await sql`rollback`.execute(tx)
        throw new Error('as if the disk were full')
      }).catch(() => {
        const error = rename()
        if (error) throw error
      })
      await add('second')(tx).catch(() => {})
    }),
    write(add('third')),
  ])
  for (const each of given)
    expect(each).toMatchObject({ status: 'rejected', reason: { name: 'StoreFault', code: 'TRANSACTION_LOST' } })
  expect(await names()).toEqual([])
})

it('a statement after the end of its writer throws, and changes nothing', async () => {
  let late: Db | undefined
  await write(async tx => {
    late = tx
    await add('own')(tx)
  })
  await expect(add('after')(late!)).rejects.toThrow('already ended')
  await write(async tx => {
    await expect(add('inside')(late!)).rejects.toThrow('already ended')
    await add('next')(tx)
  })
  expect(await names()).toEqual(['next', 'own'])
})
