import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../check/guards/repository.mjs'
import { runGroups } from './mutation-pool.mjs'

const test = 'packages/contract/src/allocations.test.ts'
const find = '!Number.isSafeInteger(amount) || amount < 0'
/** Returns the mutation that replaces the condition for the amounts. */
const change = replace => {
  const file = 'packages/contract/src/allocations.ts'
  return { file, text: readFileSync(join(root, file), 'utf8').replace(find, replace) }
}

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
  const mutation = change('amount < 0')
  expect(
    await results([
      {},
      { mutation },
      {},
      { mutation: change(`${find} `) },
      { mutation: { file: 'packages/contract/src/frame.ts', text: '' } },
      { title: 'a title that no test has', mutation },
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
  const endless = change(`(() => { for (;;); })() || ${find}`)
  expect(await results([{ mutation: endless, limit: 2_000 }, {}])).toEqual([
    'its test did not end within 2 seconds',
    { passed: true, failed: 0, applied: false },
  ])
}, 120_000)
