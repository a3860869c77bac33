/**
 * Counts tests from the JSON that vitest, web-test-runner, Playwright, the journeys, the torture and the mutation run
 * leave in REPORT_DIR, so that the closing line of a pipeline run is a count and not a guess.
 *   node scripts/tally.mjs DIR EXIT_CODE    prints "passed failed skipped", then a line for each failure that has a name
 * A step that counts no tests is one by itself; a step that failed without a failed test is one failure.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

/** Where a runner leaves its counts, or undefined where nobody asked. */
export const reportFile = name => (process.env.REPORT_DIR ? join(process.env.REPORT_DIR, `${name}.json`) : undefined)

/** One line, short enough for the end of a pipeline's log. */
const line = (...parts) =>
  stripVTControlCharacters(parts.filter(Boolean).join(': ')).replaceAll(/\s+/g, ' ').slice(0, 400)

/** The specs of a suite of Playwright's and of the suites in it. */
const specsOf = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(specsOf)]

/** `{ passed, failed, skipped }` of one report, whoever wrote it, and `failures`: a line for each that it names. */
export function readReport(report) {
  if (report.stats) {
    const { expected, unexpected, flaky, skipped } = report.stats
    const failures = specsOf(report).flatMap(({ file, title, tests }) =>
      tests
        .filter(({ status }) => status === 'unexpected' || status === 'flaky')
        .map(({ status, results }) => line(status, file, title, results.find(({ error }) => error)?.error.message)),
    )
    return { passed: expected, failed: unexpected + flaky, skipped, failures }
  }
  if ('numTotalTests' in report) {
    const broken = report.testResults.filter(file => file.status === 'failed' && file.assertionResults.length === 0)
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + broken.length,
      skipped: report.numPendingTests + report.numTodoTests,
      failures: [
        ...broken.map(({ name, message }) => line(name, message)),
        ...report.testResults
          .flatMap(({ assertionResults }) => assertionResults)
          .filter(({ status }) => status === 'failed')
          .map(({ fullName, failureMessages }) => line(fullName, failureMessages[0])),
      ],
    }
  }
  const { passed, failed, skipped, failures = [] } = report
  return { passed, failed, skipped, failures: failures.map(text => line(text)) }
}

/** The sum over a folder of reports, with what the exit code of the step says about the rest. */
export function tally(reports, exitCode) {
  const sum = { passed: 0, failed: 0, skipped: 0 }
  for (const report of reports) for (const key of Object.keys(sum)) sum[key] += report[key]
  if (exitCode !== 0 && sum.failed === 0) sum.failed = 1
  if (exitCode === 0 && sum.passed + sum.failed + sum.skipped === 0) sum.passed = 1
  return sum
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [dir, code] = process.argv.slice(2)
  const reports = readdirSync(dir).map(name => readReport(JSON.parse(readFileSync(join(dir, name), 'utf8'))))
  const { passed, failed, skipped } = tally(reports, Number(code))
  console.log([`${passed} ${failed} ${skipped}`, ...reports.flatMap(({ failures }) => failures)].join('\n'))
}
