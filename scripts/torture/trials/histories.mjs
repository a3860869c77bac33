/**
 * Records the histories of several processes that append to lists and read them, through the product's store, while
 * processes are killed, connections are cut and responses to commits are lost. The history must be serializable.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { findAnomalies } from '../histories/check.mjs'
import { allKeys } from '../histories/keys.mjs'
import { createProxy } from '../proxy.mjs'

const client = fileURLToPath(new URL('../histories/client.mjs', import.meta.url))
const PROCESSES = 3
/** The number of acknowledged transactions between two disturbances. */
const STRIDE = 40

/** Starts processes on a store, records their transactions, and replaces those that are killed. */
function createRecorder(url, env = {}) {
  const transactions = new Map()
  const began = String(Date.now())
  const waiting = new Set()
  let last = 0
  const counts = { committed: 0, undone: 0, unknown: 0 }

  function record({ id, ops, outcome }, from) {
    transactions.set(id, { id, process: from, ops, outcome: outcome ?? 'unknown' })
    if (outcome === undefined) return
    counts[outcome] += 1
    for (const each of waiting) if (counts.committed >= each.until) each.resolve()
  }
  function launch() {
    last += 1
    const number = String(last)
    const child = spawn(process.execPath, [client], {
      env: { PATH: process.env.PATH, DATABASE_URL: url, PROCESS: number, BEGAN: began, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const lines = createInterface({ input: child.stdout }).on('line', line => {
      // The last line of a killed process may be incomplete.
      if (line.endsWith('}')) record(JSON.parse(line), number)
    })
    const ended = new Promise(resolve => {
      child.once('close', code => {
        resolve(code)
        for (const each of waiting) each.fail(code)
      })
    })
    // A process that loses its connection before it has opened the store ends, so faults wait until it works.
    const isStarted = Promise.race([once(lines, 'line').then(() => true), ended.then(() => false)])
    const started = async () => {
      if (!(await isStarted)) throw new Error(`A client ended with ${await ended} at its start.`)
    }
    return { child, ended, started }
  }
  const processes = Array.from({ length: PROCESSES }, launch)
  let isKilling = false
  return {
    transactions,
    counts,
    started: () => Promise.all(processes.map(({ started }) => started())),
    /** Waits for more acknowledged transactions. Rejects if a process ends. */
    more: count =>
      new Promise((resolve, reject) => {
        const each = {
          until: counts.committed + count,
          resolve: () => waiting.delete(each) && resolve(),
          fail: code => !isKilling && waiting.delete(each) && reject(new Error(`A client ended with ${code}.`)),
        }
        waiting.add(each)
      }),
    async killOne() {
      const at = Math.floor(Math.random() * PROCESSES)
      isKilling = true
      processes[at].child.kill('SIGKILL')
      await processes[at].ended
      isKilling = false
      processes[at] = launch()
      await processes[at].started()
    },
    async end() {
      isKilling = true
      for (const { child } of processes) child.stdin.end()
      await Promise.all(processes.map(({ ended }) => ended))
    },
    kill() {
      isKilling = true
      for (const { child } of processes) child.kill('SIGKILL')
    },
  }
}

async function createLists(store) {
  const rows = allKeys.map(key => `('${key}', '')`).join(', ')
  await store.query('drop table if exists history_lists')
  await store.query('create table history_lists (key text primary key, list text not null)')
  await store.query(`insert into history_lists values ${rows}`)
}

/** Returns the whole history, which ends with a read of every list. */
async function historyOf({ transactions }, store) {
  const rows = await store.query(`select key, list from history_lists where list <> ''`)
  const ops = rows.map(({ key, list }) => ({ kind: 'read', key, values: list.split(',') }))
  const last = { id: 'end', process: 'end', ops, outcome: 'committed' }
  const appended = new Set(ops.flatMap(({ values }) => values))
  const history = [...transactions.values()]
  const lost = history
    .filter(({ outcome }) => outcome === 'committed')
    .flatMap(each => each.ops.filter(({ kind, value }) => kind === 'append' && !appended.has(value)))
  return { history: [...history, last], lost: lost.length }
}

/** Without locks, the same clients must lead to anomalies. Otherwise, the check proves nothing. */
async function expectAnomalies(store, expect) {
  await createLists(store)
  const recorder = createRecorder(store.url, { LOCKS: 'none' })
  try {
    await recorder.more(400)
    await recorder.end()
  } finally {
    recorder.kill()
  }
  const { history } = await historyOf(recorder, store)
  const kinds = new Set(findAnomalies(history).map(({ kind }) => kind))
  expect(kinds.has('lost update'), 'clients that take no locks lost no update, so the history proves nothing')
  return kinds
}

async function serializableHistories({ store, rounds, expect }) {
  const kinds = await expectAnomalies(store, expect)
  await createLists(store)
  const proxy = await createProxy(store.url)
  const recorder = createRecorder(proxy.at(store.url))
  const did = { kills: 0, cuts: 0, lost: 0 }
  try {
    await recorder.started()
    await rounds(async round => {
      await recorder.more(STRIDE)
      if (round % 4 === 3) {
        await recorder.killOne()
        did.kills += 1
      } else if (round % 4 === 1) {
        await store.breakConnections()
        did.cuts += 1
      } else {
        await proxy.loseCommit()
        did.lost += 1
      }
    })
    await recorder.more(STRIDE)
    await recorder.end()
  } finally {
    recorder.kill()
    proxy.close()
  }
  const { history, lost } = await historyOf(recorder, store)
  for (const { kind, sentence } of findAnomalies(history)) expect(false, `${kind}: ${sentence}`)
  expect(lost === 0, `${lost} acknowledged appends are missing`)
  const { committed, undone, unknown } = recorder.counts
  return (
    `${history.length} transactions of ${PROCESSES} processes: ${committed} acknowledged, ${undone} undone, ` +
    `${unknown} of unknown outcome; ${did.kills} kills, ${did.cuts} times all connections broken, ` +
    `${did.lost} lost responses to commits; no cycle and no lost update. Without locks, found ${[...kinds].sort().join(', ')}`
  )
}

export const trials = [
  {
    name: 'histories of lists',
    run: serializableHistories,
    processes: 1,
    rounds: [16, 1_500],
    seconds: 240,
    on: 'postgres',
  },
]
