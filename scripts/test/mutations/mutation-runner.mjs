/**
 * A process that loads Vitest once and runs test files one at a time, each with or without a mutation.
 * `mutation-pool.mjs` sends `{ test, title, mutation }`. The runner replies with `{ title, applied }` as soon as a test
 * fails, and with `{ done }` at the end: the test counts, and `applied`, which is true if the mutated module was
 * loaded. After an error, it replies with `{ error }`.
 */
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { createVitest } from 'vitest/node'
import { setMutation } from './mutation.mjs'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() })

let counts = { passed: 0, failed: 0 }
let state = null
const isApplied = () => (state?.applied ?? 0) > 0

const reporter = {
  onTestCaseResult(test) {
    const result = test.result().state
    if (result in counts) counts[result] += 1
    if (result === 'failed') process.send({ title: test.fullName, applied: isApplied() })
  },
}

/** `bail`: stops after one failed test. `cache`: prevents this run from changing the order of tests in later runs. */
const options = { root, watch: false, reporters: [reporter], maxWorkers: 1, bail: 1, cache: false }
const vitest = await createVitest('test', options, {}, { stdout: nowhere(), stderr: nowhere() })

async function run({ test, title, mutation }) {
  const file = join(root, test)
  const project = vitest.projects.find(each => each.matchesTestGlob(file))
  if (!project) throw new Error(`${test} is not a test file of vitest.config.ts`)
  const pattern = title === undefined ? {} : { testNamePattern: new RegExp(title) }
  const specifications = [project.createSpecification(file, pattern)]
  // The global setup runs once per process and loads modules itself, so it must run without a mutation.
  await vitest.initializeGlobalSetup(specifications)
  counts = { passed: 0, failed: 0 }
  state = setMutation(mutation)
  if (mutation) vitest.invalidateFile(join(root, mutation.file))
  try {
    await vitest.runTestSpecifications(specifications)
    return { ...counts, applied: isApplied() }
  } finally {
    setMutation(null)
    if (mutation) vitest.invalidateFile(join(root, mutation.file))
  }
}

process.on('message', request =>
  run(request).then(
    done => process.send({ done }),
    error => process.send({ error: error.message }),
  ),
)
/** Ends this process and its process group, including Vitest's workers and all processes that the tests started. */
const end = () => process.kill(-process.pid, 'SIGKILL')
process.on('disconnect', () => {
  setTimeout(end, 10_000)
  vitest.close().finally(end)
})
process.send({ ready: true })
