/**
 * Runs the component tests in the browser named by BROWSER, and counts them. Passes its arguments to web-test-runner
 * unchanged.
 */
import { writeFileSync } from 'node:fs'
import { defaultReporter, startTestRunner } from '@web/test-runner'
import config from '../../../web-test-runner.config.mjs'
import { reportFile } from '../tally.mjs'

const counts = { passed: 0, failed: 0, skipped: 0, failures: [] }

function countSuite({ suites, tests }) {
  for (const test of tests) {
    counts[test.skipped ? 'skipped' : test.passed ? 'passed' : 'failed'] += 1
    if (!test.skipped && !test.passed)
      counts.failures.push(`${process.env.BROWSER}, ${test.name}: ${test.error?.message}`)
  }
  suites.forEach(countSuite)
}

/** Counts a file that did not load, or tests that were interrupted, as one failure. */
const counter = {
  onTestRunFinished({ sessions }) {
    for (const session of sessions) {
      const before = counts.failed
      if (session.testResults) countSuite(session.testResults)
      if (session.passed || counts.failed > before) continue
      counts.failed += 1
      const reasons = session.errors?.map(({ message }) => message).join(' ')
      counts.failures.push(`${process.env.BROWSER}, ${session.testFile}: ${reasons}`)
    }
  },
}

const runner = await startTestRunner({
  readFileConfig: false,
  autoExitProcess: false,
  config: { ...config, reporters: [defaultReporter({ reportTestProgress: Boolean(process.stdout.isTTY) }), counter] },
})
const passed = await new Promise(resolve => runner.on('stopped', resolve))
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
const report = reportFile(`component-${process.env.BROWSER}`)
if (report) writeFileSync(report, JSON.stringify(counts))
process.exit(passed ? 0 : 1)
