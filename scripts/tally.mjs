/**
 * Counts tests from the JSON that vitest, web-test-runner, Playwright, the journeys, the torture and the mutation run
 * leave in REPORT_DIR, so that the closing line of a pipeline run is a count and not a guess.
 *   node scripts/tally.mjs DIR EXIT_CODE    prints "passed failed skipped"
 * A step that counts no tests is one by itself; a step that failed without a failed test is one failure.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Where a runner leaves its counts, or undefined where nobody asked. */
export const reportFile = name => (process.env.REPORT_DIR ? join(process.env.REPORT_DIR, `${name}.json`) : undefined)

/** `{ passed, failed, skipped }` of one report, whoever wrote it. */
export function readReport(report) {
  if (report.stats) {
    const { expected, unexpected, flaky, skipped } = report.stats
    return { passed: expected, failed: unexpected + flaky, skipped }
  }
  if ('numTotalTests' in report) {
    const broken = report.testResults.filter(file => file.status === 'failed' && file.assertionResults.length === 0)
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + broken.length,
      skipped: report.numPendingTests + report.numTodoTests,
    }
  }
  return { passed: report.passed, failed: report.failed, skipped: report.skipped }
}

/** The sum over a folder of reports, with what the exit code of the step says about the rest. */
export function tally(reports, exitCode) {
  const sum = { passed: 0, failed: 0, skipped: 0 }
  for (const report of reports.map(readReport)) for (const key of Object.keys(sum)) sum[key] += report[key]
  if (exitCode !== 0 && sum.failed === 0) sum.failed = 1
  if (exitCode === 0 && sum.passed + sum.failed + sum.skipped === 0) sum.passed = 1
  return sum
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [dir, code] = process.argv.slice(2)
  const reports = readdirSync(dir).map(name => JSON.parse(readFileSync(join(dir, name), 'utf8')))
  const { passed, failed, skipped } = tally(reports, Number(code))
  console.log(passed, failed, skipped)
}
