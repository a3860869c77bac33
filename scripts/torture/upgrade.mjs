/** Makes payments while this version replaces an earlier version, one process at a time. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { builtServer, environment } from './service.mjs'
import { underDisturbance } from './trials/payments.mjs'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
/**
 * The commit from which the upgrade starts. There is no release yet, so this is an earlier commit whose tables have the
 * same number.
 */
const EARLIER_COMMIT = '654b86cb4e52fc3de6a99f96d657e8f6008f00ec'
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'causeway', 'versions')
const admin = fileURLToPath(new URL('../../apps/api/dist/main/admin.js', import.meta.url))
/** The longest allowed time without an acknowledged write. */
const MAX_WRITE_GAP_MS = 3_000
export const UPGRADE_STEPS = 7

/**
 * Builds the earlier version from its commit, once per machine.
 * @returns `{ server }`, or `{ missing }` with the reason
 */
async function buildEarlier(commit) {
  const folder = join(cache, commit)
  const server = join(folder, 'apps/api/dist/main/server.js')
  if (existsSync(join(folder, 'built'))) return { server }
  const known = await run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root }).then(
    () => true,
    () => false,
  )
  if (!known) return { missing: `this clone lacks commit ${commit}: run git fetch --unshallow` }
  const fresh = `${folder}.${process.pid}`
  mkdirSync(fresh, { recursive: true })
  try {
    await run('sh', ['-c', `git archive ${commit} | tar -x -C "$0"`, fresh], { cwd: root })
    await run('pnpm', ['install', '--frozen-lockfile', '--prefer-offline'], { cwd: fresh, maxBuffer: 1e8 })
    await run('pnpm', ['build'], { cwd: fresh, maxBuffer: 1e8 })
    writeFileSync(join(fresh, 'built'), '')
    renameSync(fresh, folder)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
  return { server }
}

/**
 * Changes that a later version may make to the busiest tables, in addition to this version's migrations: first
 * additions, then the removal of unused columns.
 */
const added = [
  'alter table payments add column added_later text',
  'alter table jobs add column added_later text',
  'create table added_later (team_id text not null, id text not null, primary key (team_id, id))',
]
const removed = ['alter table payments drop column added_later', 'alter table jobs drop column added_later']

/**
 * Runs two API processes and a worker of the earlier version, with continuously running clients. First, the tables
 * change and each process is upgraded to this version. Then one process is rolled back and upgraded again, and the
 * tables change again.
 */
export async function paymentsThroughUpgrade(trial) {
  const { server, missing } = await buildEarlier(EARLIER_COMMIT)
  if (missing) return `skipped, because ${missing}`
  let longest = () => 0
  const replace = (index, to) => crew => crew.replace(index, to)
  const migrate = (store, ...phase) => run(process.execPath, [admin, 'migrate', ...phase], { env: environment(store) })
  const change = async (store, statements) => {
    for (const statement of statements) await store.query(statement)
  }
  const steps = [
    async (crew, store) => {
      longest = crew.watch()
      await migrate(store)
      await change(store, added)
    },
    replace(0, builtServer),
    replace(2, builtServer),
    replace(0, server),
    replace(1, builtServer),
    replace(0, builtServer),
    async (crew, store) => {
      await migrate(store, 'contract')
      await change(store, removed)
      await crew.acknowledged()
      const gap = longest()
      trial.expect(gap <= MAX_WRITE_GAP_MS, `no write was acknowledged for ${Math.round(gap)} ms`)
      const refused = [...crew.putOff].filter(([code]) => code !== 'IDEMPOTENCY_KEY_IN_USE')
      trial.expect(refused.length === 0, `answers of 503: ${refused.map(([code, count]) => `${count} ${code}`)}`)
      trial.expect(crew.brokenOff === 0, `${crew.brokenOff} requests were cut off`)
      trial.expect(crew.timedOut === 0, `${crew.timedOut} requests received no response in time`)
    },
  ]
  const line = await underDisturbance(trial, ['api', 'api', 'worker'], {
    what: 'processes replaced in a rolling upgrade',
    server,
    act: (crew, store) => steps.shift()(crew, store),
  })
  trial.expect(steps.length === 0, `${steps.length} steps of the upgrade were not reached in time`)
  return line
}
