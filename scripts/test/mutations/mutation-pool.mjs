/** Runs test files, with and without mutations, in a small number of reusable `mutation-runner.mjs` processes. */
import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

const runner = fileURLToPath(new URL('mutation-runner.mjs', import.meta.url))

/** The time limit for one run, in milliseconds. A run that exceeds the limit is stopped, along with its process. */
const LIMIT = 300_000

/** Kills a runner's process group, including its workers and all processes that the tests started. */
function kill(child) {
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}

/**
 * Creates one runner. The runner's process starts with the first request, and restarts after any run that had to be
 * stopped.
 */
function createRunner(env) {
  let child
  let ready
  function start() {
    const { TEST_DATABASE_URL: _, ...inherited } = process.env
    child = fork(runner, {
      env: { ...inherited, ...env },
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    ready = new Promise((resolve, reject) => {
      child.once('message', resolve)
      child.once('exit', code => reject(new Error(`vitest did not start: it exited with code ${code}`)))
    })
    const started = child
    started.once('exit', () => {
      if (child === started) child = undefined
    })
  }
  function stop() {
    if (child) kill(child)
    child = undefined
  }
  return {
    stop,
    /** Gives Vitest time to run its global teardown. */
    async close() {
      const closing = child
      if (!closing) return
      await new Promise(resolve => {
        closing.once('exit', resolve)
        closing.disconnect()
      })
    },
    /**
     * Resolves to `{ passed, failed, applied }`: the test counts, and `applied`, which is true if the mutated module
     * was loaded.
     */
    async run({ limit = LIMIT, ...request }) {
      if (!child) start()
      await ready
      let failed = 0
      let applied = false
      return new Promise((resolve, reject) => {
        const running = child
        const end = (settle, value) => {
          clearTimeout(timer)
          running.off('message', hear)
          running.off('exit', crash)
          settle(value)
        }
        /** Handles a run that ended without a result. If a test had already failed, the run counts as failed. */
        const lost = why => {
          stop()
          if (failed > 0) end(resolve, { passed: 0, failed, applied })
          else end(reject, new Error(why))
        }
        const crash = code => lost(`its test process ended with code ${code}`)
        const timer = setTimeout(() => lost(`its test did not end within ${limit / 1000} seconds`), limit)
        function hear({ title, applied: loaded, done, error }) {
          if (title !== undefined) {
            failed += 1
            applied = loaded
          } else if (done) end(resolve, done)
          else end(reject, new Error(error))
        }
        running.on('message', hear)
        running.once('exit', crash)
        running.send(request)
      })
    },
  }
}

/**
 * Calls `work(group, run)` for each group, using one process per core. `run(request)` runs a test file on SQLite or, if
 * the request's `engine` is `postgres`, on the PostgreSQL server at `postgresUrl`. Within a group, runs are sequential.
 * `run` throws if the run exceeds the request's `limit` or its process ends before there is a result.
 */
export async function runGroups(groups, work, { postgresUrl } = {}) {
  const runners = []
  const stop = () => {
    for (const each of runners) each.stop()
  }
  process.once('exit', stop)
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))
  const queue = [...groups]
  async function take() {
    const engines = { sqlite: createRunner({}), postgres: createRunner({ TEST_DATABASE_URL: postgresUrl }) }
    runners.push(...Object.values(engines))
    for (let group = queue.shift(); group; group = queue.shift())
      await work(group, request => engines[request.engine ?? 'sqlite'].run(request))
  }
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), groups.length) }, take))
  await Promise.all(runners.map(each => each.close()))
  process.off('exit', stop)
}
