/**
 * A process whose clients append to lists and read them, through the product's own store, and that writes each
 * transaction to its output, before and after it. It ends when its input ends.
 *   PROCESS       the process's number
 *   DATABASE_URL  the store
 *   BEGAN         the time of the first window of keys, in epoch ms
 *   LOCKS         `none` to read without locks, which must lead to anomalies
 */
import { lockRows } from '../../../apps/api/dist/platform/db/row-locks.js'
import { openLiveStore, savepoint } from '../../../apps/api/dist/platform/db/store.js'
import { keysAt } from './keys.mjs'

const CLIENTS = 6
const { PROCESS, DATABASE_URL, BEGAN, LOCKS } = process.env
const store = await openLiveStore(DATABASE_URL, { pool: 4, timeout: 5_000 })
let isOver = false
process.stdin.on('end', () => {
  isOver = true
})
process.stdin.resume()

class Undone extends Error {}
const tell = line => process.stdout.write(`${JSON.stringify(line)}\n`)
const anyOf = (list, count) => [...list].sort(() => Math.random() - 0.5).slice(0, count)
const listOf = text => (text === '' ? [] : text.split(','))
const select = (db, keys) => db.selectFrom('history_lists').selectAll().where('key', 'in', keys).orderBy('key')
const reads = rows => rows.map(({ key, list }) => ({ kind: 'read', key, values: listOf(list) }))
let count = 0
const nextValue = () => `${PROCESS}.${++count}`

/** Reads lists under locks, and writes them back with more values, as the product changes a row that it has read. */
async function change(tx, keys, appends) {
  const query = select(tx, keys)
  const rows = await (LOCKS === 'none' ? query : lockRows(tx, query)).execute()
  const lists = new Map(rows.map(({ key, list }) => [key, listOf(list)]))
  for (const { key, value } of appends) {
    lists.get(key).push(value)
    const list = lists.get(key).join(',')
    await tx.updateTable('history_lists').set({ list }).where('key', '=', key).execute()
  }
  return [...reads(rows), ...appends, ...reads(await select(tx, keys).execute())]
}

/** Appends to lists without reading them. */
async function extend(tx, _keys, appends) {
  for (const { key, value } of appends)
    await tx
      .updateTable('history_lists')
      .set(set => ({
        list: set.fn('concat_ws', [set.val(','), set.fn('nullif', ['list', set.val('')]), set.val(value)]),
      }))
      .where('key', '=', key)
      .execute()
  return appends
}

async function runTransaction() {
  const keys = anyOf(keysAt(Date.now() - Number(BEGAN)), 1 + Math.floor(Math.random() * 3)).sort()
  const kind = anyOf(['read', 'change', 'change', 'extend', 'undo', 'part'], 1)[0]
  const appends = kind === 'read' ? [] : keys.map(key => ({ kind: 'append', key, value: nextValue() }))
  const id = `${PROCESS}.${++count}`
  tell({ id, ops: appends })
  const end = (outcome, ops) => tell({ id, outcome, ops })
  try {
    if (kind === 'read') return end('committed', reads(await select(store.reader, keys).execute()))
    const ops = await store.write(async tx => {
      if (kind === 'extend') return extend(tx, keys, appends)
      if (kind !== 'part') {
        const done = await change(tx, keys, appends)
        if (kind === 'undo') throw new Undone()
        return done
      }
      await savepoint(tx, async () => {
        await change(tx, keys, appends)
        throw new Undone()
      }).catch(error => {
        if (!(error instanceof Undone)) throw error
      })
      return reads(await select(tx, keys.slice(0, 1)).execute())
    })
    // The savepoint's appends are undone. The read after it has a transaction of its own in the history.
    if (kind !== 'part') return end('committed', ops)
    end('undone', appends)
    tell({ id: `${id}r`, ops: [] })
    tell({ id: `${id}r`, outcome: 'committed', ops })
  } catch (error) {
    end(error instanceof Undone ? 'undone' : 'unknown', appends)
  }
}

await Promise.all(
  Array.from({ length: CLIENTS }, async () => {
    while (!isOver) await runTransaction()
  }),
)
await store.close()
