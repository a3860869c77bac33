/**
 * A process that loads vitest once and runs one test file after another, each with or without a mutation.
 * `mutation-pool.mjs` sends `{ test, name, mutation }`. It receives `{ title, applied }` as soon as a test fails, and
 * at the end `{ done }`: the counts of tests, and true in `applied` if the mutated module was loaded. After an error it
 * receives `{ error }`.
 */
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { createVitest } from 'vitest/node'
import { setMutation } from './mutation.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
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

/** `bail`: one failed test is enough. `cache`: keep this run from changing the order of tests in later runs. */
const options = { root, watch: false, reporters: [reporter], maxWorkers: 1, bail: 1, cache: false }
const vitest = await createVitest('test', options, {}, { stdout: nowhere(), stderr: nowhere() })

async function run({ test, name, mutation }) {
  const file = join(root, test)
  const project = vitest.projects.find(each => each.matchesTestGlob(file))
  if (!project) throw new Error(`${test} is not a test file of vitest.config.ts`)
  const pattern = name === undefined ? {} : { testNamePattern: new RegExp(name) }
  const specifications = [project.createSpecification(file, pattern)]
  // The global setup runs once per process and loads modules itself, so it runs without a mutation.
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
/** Ends this process and its group, which includes the workers of vitest and all processes that the tests started. */
const end = () => process.kill(-process.pid, 'SIGKILL')
process.on('disconnect', () => {
  setTimeout(end, 10_000)
  vitest.close().finally(end)
})
process.send({ ready: true })
