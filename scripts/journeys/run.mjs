/** Runs the journeys in the browser that BROWSER names and BROWSER_PATH locates, each with a service of its own. */
import { writeFileSync } from 'node:fs'
import { Service, startDemo } from '../../e2e/support/processes.js'
import { reportFile } from '../tally.mjs'
import { drivers } from './drivers.mjs'
import { journeys } from './journeys.mjs'
import { surface } from './surface.mjs'

const LIMIT = 120_000
const { BROWSER, BROWSER_PATH } = process.env

const late = () =>
  new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`It took more than ${LIMIT / 1000} s.`)), LIMIT).unref()
  })

async function travel(journey) {
  const ends = []
  try {
    const service = new Service()
    ends.push(() => service.remove())
    await service.start()
    const demo = await startDemo(service)
    ends.push(demo.stop)
    const driver = await drivers[BROWSER](BROWSER_PATH)
    ends.push(driver.close)
    await driver.open(demo.origin)
    await Promise.race([journey({ lender: surface(driver, false), flow: surface(driver, true) }), late()])
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

const counts = { passed: 0, failed: 0, skipped: 0, failures: [] }
for (const [name, journey] of Object.entries(journeys)) {
  const began = performance.now()
  const took = () => `${((performance.now() - began) / 1000).toFixed(1)} s`
  try {
    await travel(journey)
    counts.passed += 1
    console.log(`  ok      ${name} (${took()})`)
  } catch (error) {
    counts.failed += 1
    counts.failures.push(`${BROWSER}, ${name}: ${error.message}`)
    console.log(`  FAILED  ${name} (${took()})\n${error.stack}`)
  }
}
const report = reportFile(`journeys-${BROWSER}`)
if (report) writeFileSync(report, JSON.stringify(counts))
process.exit(counts.failed > 0 ? 1 : 0)
