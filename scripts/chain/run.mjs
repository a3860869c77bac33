/**
 * Runs two services in a chain, each in its own process, and tests with the SDK that people, debts and payments pass
 * through both of them. See docs/guides/providers/upstream.md.
 *   node scripts/chain/run.mjs [--all] [text]    runs the cases whose title contains the text; `--all`: also the long ones
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { reportFile } from '../test/tally.mjs'
import { startChain } from './chain.mjs'
import { longCases as longPayments, cases as payments } from './payments.mjs'
import { cases as people } from './people.mjs'
import { longCases as longProducts, cases as products } from './products.mjs'

const { values, positionals } = parseArgs({ options: { all: { type: 'boolean' } }, allowPositionals: true })
const [text = ''] = positionals
const choose = cases => Object.entries(cases).filter(([title]) => title.includes(text))
/** The cases about people advance no clock, so they run at the same time. */
const together = choose(people)
const inOrder = choose({ ...products, ...payments, ...(values.all && { ...longProducts, ...longPayments }) })
const count = together.length + inOrder.length + 1
const failures = []
const began = performance.now()
const seconds = from => `${((performance.now() - from) / 1_000).toFixed(1)} s`

async function attempt(title, work) {
  const from = performance.now()
  try {
    await work()
    console.log(`ok      ${title} (${seconds(from)})`)
  } catch (error) {
    failures.push(`${title}: ${error.message}`)
    console.log(`FAILED  ${title} (${seconds(from)})\n${error.stack}`)
  }
}

const chain = await startChain()
await Promise.all(together.map(([title, run]) => attempt(title, () => run(chain))))
for (const [title, run] of inOrder) await attempt(title, () => run(chain))
await attempt('neither service logs an error', async () => {
  const [error] = await chain.stop()
  if (error) throw new Error(error)
})
const passed = count - failures.length
console.log(`${passed} of ${count} cases passed in ${seconds(began)}.`)
const counted = reportFile('chain')
if (counted) writeFileSync(counted, JSON.stringify({ passed, failed: failures.length, skipped: 0, failures }))
process.exitCode = failures.length === 0 && count > 1 ? 0 : 1
