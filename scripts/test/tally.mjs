/**
 * Counts tests from the JSON files that Vitest, web-test-runner, Playwright, the journey tests, the fault tests and the
 * mutation tests write to REPORT_DIR. The summary line of a run uses these counts.
 */
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** Returns the path to which a runner writes its counts, or undefined if REPORT_DIR is not set. */
export const reportFile = name => (process.env.REPORT_DIR ? join(process.env.REPORT_DIR, `${name}.json`) : undefined)

/** Joins parts into a single line, short enough to be shown at the end of a pipeline's log. */
const line = (...parts) =>
  stripVTControlCharacters(parts.filter(Boolean).join(': ')).replaceAll(/\s+/g, ' ').slice(0, 400)

/** Returns the specs in a Playwright suite and its nested suites. */
const specsOf = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(specsOf)]

/**
 * Returns `{ passed, failed, skipped }` for one report from any test runner, and `failures`, which has one line for
 * each failure that has a name.
 */
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

/**
 * Adds up the reports of a step. A step without tests counts as one test. If a step exits with an error but has no
 * failed tests, it counts as one failure.
 */
export function tally(reports, exitCode) {
  const sum = { passed: 0, failed: 0, skipped: 0 }
  for (const report of reports) for (const key of Object.keys(sum)) sum[key] += report[key]
  if (exitCode !== 0 && sum.failed === 0) sum.failed = 1
  if (exitCode === 0 && sum.passed + sum.failed + sum.skipped === 0) sum.passed = 1
  return sum
}
