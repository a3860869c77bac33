import { expect, it } from 'vitest'
import { runGroups } from './mutation-pool.mjs'
import { mutations } from './mutations.mjs'

const entry = mutations.find(({ promise }) => promise === 'An amount is whole cents')
const { test, file } = entry
const change = (find, replace) => ({ file, find, replace })

/** Returns the results of requests that run sequentially in one process. */
async function results(requests) {
  const all = []
  const work = async (group, run) => {
    for (const request of group)
      all.push(
        await run({ test, ...request }).then(
          ({ passed, failed, applied }) => ({ passed: passed > 0, failed, applied }),
          error => error.message,
        ),
      )
  }
  await runGroups([requests], work)
  return all
}

it('runs each request with only its own mutation, and reports whether the module was loaded', async () => {
  const mutation = change(entry.find, entry.replace)
  const elsewhere = { file: 'packages/contract/src/frame.ts', find: 'MAX_MESSAGE =', replace: 'MAX_MESSAGE = 2 *' }
  expect(
    await results([
      {},
      { mutation },
      {},
      { mutation: change(entry.find, `${entry.find} `) },
      { mutation: elsewhere },
      { name: 'a title that no test has', mutation },
    ]),
  ).toEqual([
    { passed: true, failed: 0, applied: false },
    expect.objectContaining({ failed: 1, applied: true }),
    { passed: true, failed: 0, applied: false },
    { passed: true, failed: 0, applied: true },
    { passed: true, failed: 0, applied: false },
    { passed: false, failed: 0, applied: true },
  ])
}, 120_000)

it('stops a run that does not end, counts no mutant as killed, and restarts for the next run', async () => {
  const endless = change(entry.find, `(() => { for (;;); })() || ${entry.find}`)
  expect(await results([{ mutation: endless, limit: 2_000 }, {}])).toEqual([
    'its test did not end within 2 seconds',
    { passed: true, failed: 0, applied: false },
  ])
}, 120_000)
