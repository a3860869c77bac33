import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engine, freshStore } from '../../../testing/service.js'
import { compiled } from '../compiled-query.js'
import { type Db, openStore, type Store } from '../store.js'

let store: Store
let remove: () => Promise<void>
let url: string
/** Names with every character that has a meaning in PostgreSQL's text format of arrays. */
const names = ['plain', 'comma, space', '{braces}', '"quotes"', "it's", 'back\\slash', 'NULL', 'new\nline', ' ', 'é']
beforeAll(async () => {
  ;({ store, remove, url } = await freshStore())
  await store.write(tx =>
    tx
      .insertInto('counters')
      .values(names.map((subject, used) => ({ kind: 'list', subject, used, ends_at: 0 })))
      .execute(),
  )
})
afterAll(async () => {
  await store.close()
  await remove()
})

const counters = (db: Db) => db.selectFrom('counters').select('subject').where('kind', '=', 'list').orderBy('used')
const bySubjects = compiled((db, { subjects }: { subjects: readonly string[] }) =>
  counters(db).where('subject', 'in', subjects),
)
const subjectsOf = (rows: { subject: string }[]) => rows.map(({ subject }) => subject)

describe('a list of values in a statement', () => {
  it.each([0, 1, 3, names.length])('of length %d matches exactly its values', async length => {
    const subjects = names.slice(0, length)
    const query = counters(store.reader)
    expect(subjectsOf(await query.where('subject', 'in', subjects).execute())).toEqual(subjects)
    expect(subjectsOf(await query.where('subject', 'not in', subjects).execute())).toEqual(names.slice(length))
    const numbers = subjects.map((_, index) => index)
    expect(subjectsOf(await query.where('used', 'in', numbers).execute())).toEqual(subjects)
    expect(subjectsOf(await bySubjects.all(store.reader, { subjects }))).toEqual(subjects)
  })

  it.runIf(engine === 'postgres')('of two or more values uses one prepared statement, whatever its length', () => {
    const texts = [2, 3, 5].flatMap(length =>
      (['in', 'not in'] as const).map(
        operator =>
          counters(store.reader)
            .where('subject', operator, names.slice(0, length))
            .where('ends_at', 'in', [0, length])
            .compile().sql,
      ),
    )
    expect(new Set(texts).size).toBe(2)
  })

  it.runIf(engine === 'postgres')('leaves names for other statements, and so do long inserts', async () => {
    const single = await openStore(url, { pool: 1 })
    const rows = (length: number) =>
      Array.from({ length }, (_, index) => ({ kind: `insert ${length}`, subject: `${index}`, used: 0, ends_at: 0 }))
    for (let length = 1; length <= 20; length += 1) {
      await counters(single.reader).where('subject', 'in', Array(length).fill('none')).execute()
      await single.write(tx => tx.insertInto('counters').values(rows(length)).execute())
    }
    const { rows: prepared } = await sql<{ statement: string }>`
      select statement from pg_prepared_statements where statement like '%"counters"%'`.execute(single.reader)
    const starting = (text: string) => prepared.filter(({ statement }) => statement.startsWith(text)).length
    expect([starting('select'), starting('insert')]).toEqual([2, 8])
    await single.close()
  })

  it('of expressions or a subquery is unchanged', async () => {
    const one = store.reader.selectFrom('counters').select('subject').where('used', '=', 1)
    expect(subjectsOf(await counters(store.reader).where('subject', 'in', one).execute())).toEqual([names[1]])
    const rows = await counters(store.reader)
      .where(is => is('subject', 'in', [is.val(names[0]!), is.val(names[2]!)]))
      .execute()
    expect(subjectsOf(rows)).toEqual([names[0], names[2]])
  })
})
