/**
 * Runs the journeys, each with its own service, in the browser specified by BROWSER and located at BROWSER_PATH. In
 * Chromium, it also measures the effort of the flow and fails if a visit takes a person too long. With `--quick`, the
 * journeys with the providers' emulators run only in Chromium, and those on migrated pages are left out.
 */
import { writeFileSync } from 'node:fs'
import { Service, startDemo } from '../../../e2e/support/processes.js'
import { reportFile } from '../tally.mjs'
import { consoleJourneys } from './console.mjs'
import { drivers } from './drivers.mjs'
import { LONGEST, measured, sumOf, sumOfAll } from './effort.mjs'
import { budgets, journeys, providerJourneys } from './journeys.mjs'
import { linkingJourneys } from './linking.mjs'
import { migrateJourneys } from './migrate.mjs'
import { startWithoutSandbox, startWithProviders } from './providers.mjs'
import { surface } from './surface.mjs'

const LIMIT = 120_000
const { BROWSER, BROWSER_PATH } = process.env

const late = () =>
  new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`It took more than ${LIMIT / 1000} s.`)), LIMIT).unref()
  })

const atDemo = async (service, ends) => {
  const demo = await startDemo(service)
  ends.push(demo.stop)
  return demo.origin
}
const atConsole = async service => service.consoleOrigin
const withoutProviders = [
  ...Object.entries(journeys).map(([name, journey]) => ({ name, journey, start: atDemo })),
  ...Object.entries(consoleJourneys).map(([name, journey]) => ({ name, journey, start: atConsole })),
]
const onMigratedPages = Object.entries(migrateJourneys).map(([name, { serve, journey }]) => ({
  name,
  journey,
  async start(service, ends) {
    const host = await serve(service)
    ends.push(host.stop)
    return host.origin
  },
}))
const withProviders = [
  ...Object.entries(providerJourneys).map(([name, journey]) => ({
    ...{ name, journey, start: atDemo, startService: startWithProviders },
  })),
  ...Object.entries(linkingJourneys).map(([name, journey]) => ({
    ...{ name, journey, start: atDemo, startService: startWithoutSandbox },
  })),
]

async function startSandbox(ends) {
  const service = new Service()
  ends.push(() => service.remove())
  await service.start()
  return { service }
}

async function travel({ journey, start, startService = startSandbox }) {
  const ends = []
  try {
    const { service, ...outside } = await startService(ends)
    const origin = await start(service, ends)
    const driver = await drivers[BROWSER](BROWSER_PATH)
    ends.push(driver.close)
    await driver.open(origin)
    const { page, flow, visits } =
      BROWSER === 'chromium' && start === atDemo && startService === startSandbox
        ? measured(driver)
        : { page: surface(driver, false), flow: surface(driver, true), visits: [] }
    await Promise.race([journey({ page, flow, service, driver, ...outside }), late()])
    return visits
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

/**
 * Describes a visit in one line, followed by one line for each of its screens. Throws an error if the visit takes too
 * long.
 */
function effort(visit) {
  const { screens, taps, keystrokes, words, seconds } = sumOf(visit)
  const said = `${visit.opener}: ${screens} screens, ${taps} taps, ${keystrokes} keystrokes, ${words} words, ${seconds.toFixed(1)} s`
  const each = visit.screens.map(screen => `  ${screen.title}: ${screen.words} words`)
  if (seconds > LONGEST) throw new Error([`${said}, more than ${LONGEST} s.`, ...each].join('\n'))
  return [said, ...each]
}

/** Describes a journey as a whole. Throws an error if it takes more taps or keystrokes than its budget. */
function together(name, visits) {
  if (visits.length === 0) return []
  const { taps, keystrokes, seconds } = sumOfAll(visits)
  const said = `Together: ${taps} taps, ${keystrokes} keystrokes, ${seconds.toFixed(1)} s`
  const most = budgets[name]
  if (most && (taps > most.taps || keystrokes > most.keystrokes))
    throw new Error(`${said}, but the most are ${most.taps} taps and ${most.keystrokes} keystrokes.`)
  return [said]
}

const counts = { passed: 0, failed: 0, skipped: 0, failures: [] }
const args = process.argv.slice(2)
const isQuick = args.includes('--quick')
const isShort = isQuick && BROWSER !== 'chromium'
// A filter, for work on single journeys.
const filter = args.find(arg => !arg.startsWith('--')) ?? ''
const migrated = isQuick ? [] : onMigratedPages
const chosen = [...withoutProviders, ...migrated, ...(isShort ? [] : withProviders)]
for (const each of chosen.filter(({ name }) => name.includes(filter))) {
  const { name } = each
  const began = performance.now()
  const took = () => `${((performance.now() - began) / 1000).toFixed(1)} s`
  try {
    const visits = await travel(each)
    const efforts = [...visits.flatMap(effort), ...together(name, visits)]
    counts.passed += 1
    console.log(`  ok      ${name} (${took()})`)
    for (const line of efforts) console.log(`          ${line}`)
  } catch (error) {
    counts.failed += 1
    counts.failures.push(`${BROWSER}, ${name}: ${error.message}`)
    console.log(`  FAILED  ${name} (${took()})\n${error.stack}`)
  }
}
const report = reportFile(`journeys-${BROWSER}`)
if (report) writeFileSync(report, JSON.stringify(counts))
process.exit(counts.failed > 0 ? 1 : 0)
