import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { engine, freshStore } from '../../../testing/service.js'
import { command, compiled } from '../compiled-query.js'
import { StoreFault } from '../fault.js'
import { openStore, type Store, savepoint } from '../store.js'
import { PLAN_FOR_VALUES } from './driver.js'

let url: string
let store: Store
let remove: () => Promise<void>
beforeAll(async () => {
  const fresh = await freshStore()
  ;({ url, remove } = fresh)
  await fresh.store.close()
  store = await openStore(url, { pool: 4 })
})
afterAll(async () => {
  await store.close()
  await remove()
})
beforeEach(async () => {
  await store.write(tx => tx.deleteFrom('settings').where('name', 'like', 'x%').execute())
  if (engine === 'postgres') await sql`drop sequence if exists attempts; create sequence attempts`.execute(store.reader)
})

const insert = compiled((db, row: { name: string; value: string }) => db.insertInto('settings').values(row))
const echo = compiled((db, { value }: { value: string }) => db.selectNoFrom(sql<string>`${value}::text`.as('value')))
const divide = compiled((db, { by }: { by: number }) => db.selectNoFrom(sql<number>`1 / ${by}::int`.as('value')))
const process = compiled((db, { slow }: { slow: number }) =>
  db.selectNoFrom([sql<number>`pg_backend_pid()`.as('pid'), sql`pg_sleep(${slow})`.as('slept')]),
)
const locked = compiled((db, { by }: { by: number }) => db.selectNoFrom(sql<number>`locked() + ${by}::int`.as('value')))
const missing = compiled((db, { value }: { value: string }) =>
  db.selectFrom(sql`no_such_table`.as('missing')).select(sql`${value}::text`.as('value')),
)
/** Ends its own connection if it is one of the first attempts in a test. A sequence isn't rolled back. */
const breakFirst = compiled((db, { attempts }: { attempts: number }) =>
  db.selectNoFrom(
    sql`case when nextval('attempts') <= ${attempts}::int then pg_terminate_backend(pg_backend_pid()) end`.as('ended'),
  ),
)
const many = (count: number) => Array.from({ length: count }, (_, number) => String(number))
const settings = async () => {
  const rows = await store.reader.selectFrom('settings').select(['name', 'value']).where('name', 'like', 'x%').execute()
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

describe.runIf(engine === 'postgres')('lookups on PostgreSQL', () => {
  it('that start together each get their own result, and share connections', async () => {
    const alone = await openStore(url, { pool: 16 })
    const values = many(20)
    const results = await Promise.all(values.map(value => echo.first(alone.reader, { value })))
    expect(results.map(row => row?.value)).toEqual(values)
    expect(alone.pool()!.open).toBeLessThanOrEqual(3)
    await alone.close()
  })

  it('that fail do not affect those in the same packet', async () => {
    const outcomes = await Promise.allSettled([1, 0, 2, 0, 1].map(by => divide.first(store.reader, { by })))
    expect(outcomes.map(each => (each.status === 'fulfilled' ? each.value?.value : each.reason.code))).toEqual([
      1,
      '22012',
      0,
      '22012',
      1,
    ])
  })

  it('run again if their shared connection breaks', async () => {
    const values = many(20)
    const results = await Promise.all([
      ...values.slice(0, 3).map(value => echo.first(store.reader, { value })),
      breakFirst.first(store.reader, { attempts: 1 }),
      ...values.slice(3).map(value => echo.first(store.reader, { value })),
    ])
    results.splice(3, 1)
    expect(results.map(row => (row as { value: string }).value)).toEqual(values)
    const outcomes = await Promise.allSettled([
      echo.first(store.reader, { value: 'before' }),
      breakFirst.first(store.reader, { attempts: 100 }),
      echo.first(store.reader, { value: 'after' }),
    ])
    expect(outcomes[0]).toMatchObject({ value: { value: 'before' } })
    expect(outcomes[1]).toMatchObject({ reason: { name: 'StoreFault', code: '57P01' } })
    expect(outcomes[2]).toMatchObject({ value: { value: 'after' } })
    expect(store.pool()).toMatchObject({ waiting: 0 })
  })

  it('run again alone if they took too long together', async () => {
    const limited = await openStore(url, { pool: 8, timeout: 1_000 })
    const rows = await Promise.all(many(8).map(() => process.first(limited.reader, { slow: 0.45 })))
    // Eight in a row take longer than the client's limit, which is two seconds longer than the server's.
    expect(rows.every(row => row !== undefined)).toBe(true)
    await expect(process.first(limited.reader, { slow: 5 })).rejects.toMatchObject({ code: '57014' })
    await limited.close()
  })

  it('do not wait for a lock one after another', async () => {
    await sql`create or replace function locked() returns int language plpgsql as
      $$ begin raise exception 'locked' using errcode = '55P03'; end $$`.execute(store.reader)
    const [first, second, third] = await Promise.allSettled([
      process.first(store.reader, { slow: 0 }),
      locked.first(store.reader, { by: 0 }),
      process.first(store.reader, { slow: 1 }),
    ])
    expect(second).toMatchObject({ reason: { code: '55P03' } })
    const [before, after] = [first, third].map(each => each?.status === 'fulfilled' && each.value?.pid)
    expect([typeof before, typeof after, before === after]).toEqual(['number', 'number', false])
  })

  it('that are equal each report why parsing failed', async () => {
    const outcomes = await Promise.allSettled(many(3).map(value => missing.first(store.reader, { value })))
    expect(outcomes.map(each => each.status === 'rejected' && each.reason.code)).toEqual(['42P01', '42P01', '42P01'])
  })
})

describe.runIf(engine === 'postgres')('a statement on PostgreSQL', () => {
  it('is prepared, unless it asks for a plan for its own values', async () => {
    const alone = await openStore(url, { pool: 1 })
    const count = (from: string) =>
      alone.reader
        .selectFrom('settings')
        .select(query => query.fn.countAll<number>().as('total'))
        .where('name', '>=', from)
    for (const value of many(7)) {
      await count(value).execute()
      await count(value).modifyEnd(sql.raw(PLAN_FOR_VALUES)).execute()
    }
    const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(
      alone.reader,
    )
    const counts = rows.filter(({ statement }) => statement.includes('count(*) as "total"'))
    expect(counts.map(({ statement }) => statement.endsWith(PLAN_FOR_VALUES))).toEqual([false])
    await alone.close()
  })
})

describe.runIf(engine === 'postgres')('without prepared statements, PostgreSQL receives', () => {
  it('each statement alone, because an early pooler might not support more', async () => {
    const plain = await openStore(url, { pool: 4, prepared: false })
    const pids = await Promise.all([1, 2, 3].map(() => process.first(plain.reader, { slow: 0.05 })))
    expect(new Set(pids.map(row => row?.pid)).size).toBe(3)
    const failed = plain.write(async tx => {
      await insert.all(tx, { name: 'x1', value: 'first' })
      await expect(insert.later(tx, { name: 'x1', value: 'again' })).rejects.toMatchObject({ code: '23505' })
      throw new Error('undone')
    })
    await expect(failed).rejects.toThrow('undone')
    await plain.close()
  })
})

describe.runIf(engine === 'postgres')('a transaction on PostgreSQL', () => {
  it('whose connection breaks fails and has no effect', async () => {
    for (const last of [true, false]) {
      const lost = store.write(async tx => {
        await insert.later(tx, { name: 'x1', value: 'first' })
        await breakFirst.later(tx, { attempts: 100 })
        if (last) await insert.all(tx, { name: 'x2', value: 'second' })
      })
      await expect(lost).rejects.toMatchObject({ name: 'StoreFault', code: '57P01' })
    }
    expect(await settings()).toEqual({})
  })

  // kills on PostgreSQL: commit-follows-sent-statements
  it('is not committed if the client rejects one of its statements', async () => {
    const circular: { self?: unknown } = {}
    circular.self = circular
    const failed = store.write(async tx => {
      await insert.later(tx, { name: 'x1', value: 'first' })
      await insert.later(tx, { name: 'x2', value: circular as unknown as string })
    })
    await expect(failed).rejects.toBeInstanceOf(TypeError)
    expect(await settings()).toEqual({})
    // The client would otherwise treat the rejected statement as prepared.
    for (const name of ['x1', 'x2', 'x3', 'x4', 'x5'])
      await store.write(tx => insert.later(tx, { name, value: 'stored' }))
    expect(Object.keys(await settings())).toHaveLength(5)
  })

  it('keeps the error of the statement that failed, not those of the statements after it', async () => {
    await insert.all(store.reader, { name: 'x1', value: 'first' })
    const failed = store.write(async tx => {
      await insert.later(tx, { name: 'x1', value: 'second' })
      await insert.later(tx, { name: 'x2', value: 'third' })
    })
    await expect(failed).rejects.toMatchObject({ code: '23505' })
    await store.write(command('select 1'))
    expect(await settings()).toEqual({ x1: 'first' })
  })

  it('is stored whole or not at all, as reported, while statements are canceled and connections end', async () => {
    const chaotic = await openStore(`${url}${url.includes('?') ? '&' : '?'}application_name=chaotic`, { pool: 8 })
    const outcomes = new Map<string, number>()
    const wrong: string[] = []
    let next = 0
    let attempted = () => {}
    async function pay() {
      while (next < 300) {
        const number = next++
        const names = many(1 + (number % 4)).map(part => `x${number}-${part}`)
        const isDuplicate = number % 7 === 0
        const outcome = await chaotic
          .write(async tx => {
            for (const [at, name] of names.entries()) {
              if ((number + at) % 3 === 0) await insert.all(tx, { name, value: '1' })
              else await insert.later(tx, { name, value: '1' })
              if ((number + at) % 5 === 0) await echo.first(tx, { value: name })
            }
            if (isDuplicate) await insert.later(tx, { name: names[0]!, value: 'again' })
          })
          .then(
            () => 'stored',
            error => (error instanceof StoreFault ? 'fault' : error.code),
          )
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
        const { length } = await store.reader.selectFrom('settings').select('name').where('name', 'in', names).execute()
        // The outcome of a commit whose connection ended is unknown.
        const isRight = outcome === 'fault' ? length === 0 || length === names.length : length === 0
        if (outcome === 'stored' ? length !== names.length || isDuplicate : !isRight)
          wrong.push(`${number}: ${outcome}, ${length} of ${names.length}`)
        if (number % 4 === 0) attempted()
      }
    }
    // Disturbs every fourth attempt at most. A faster loop would keep a busy machine reconnecting instead of writing.
    async function disturb() {
      const pids = sql<number>`pid from pg_stat_activity where application_name = 'chaotic' and state <> 'idle'`
      for (let turn = 0; next < 300; turn++) {
        await new Promise<void>(resolve => {
          attempted = resolve
        })
        const end = sql.raw(turn % 3 === 0 ? 'pg_terminate_backend' : 'pg_cancel_backend')
        await sql`select ${end}(pid) from (select ${pids} limit 2) as busy`.execute(store.reader)
      }
    }
    const disturbing = disturb()
    await Promise.all(many(8).map(pay))
    attempted()
    await disturbing
    await chaotic.close()
    expect(wrong).toEqual([])
    expect([...outcomes.keys()].sort()).toEqual(['23505', 'fault', 'stored'])
  })

  it('does not run a statement whose savepoint was undone before it was sent', async () => {
    const value = await store.write(async tx => {
      const undone = savepoint(tx, async () => {
        await breakFirst.later(tx, { attempts: 1 })
        throw new Error('undone')
      })
      await expect(undone).rejects.toThrow('undone')
      return echo.first(tx, { value: 'after' })
    })
    expect(value).toEqual({ value: 'after' })
  })
})
