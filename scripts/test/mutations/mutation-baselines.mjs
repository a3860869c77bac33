/**
 * Uses the Node test reports to determine whether a mutation's test passes without the mutation, which makes a separate
 * run unnecessary. mutate.mjs gets the report folder from UNIT_REPORT_DIR. Reports may be in subfolders. A report
 * covers entire files, so only a separate run can detect a test that passes after other tests in its file but fails on
 * its own.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const reports = { sqlite: 'unit-sqlite.json', postgres: 'unit-postgres.json' }

/**
 * Returns the verdict of a run for the selected tests: `failed` if any test failed, `passed` if at least one passed and
 * none failed, and `none` otherwise.
 */
export const verdict = ({ passed, failed }) => (failed > 0 ? 'failed' : passed > 0 ? 'passed' : 'none')

/**
 * Returns a function that takes `{ test, title, engine }` and returns the verdict, or undefined if no report contains
 * such a test.
 */
export function readBaselines(folder) {
  const paths = folder ? readdirSync(folder, { recursive: true }) : []
  const files = Object.fromEntries(
    Object.entries(reports).map(([engine, report]) => {
      const path = paths.find(each => basename(each) === report)
      return [engine, path ? JSON.parse(readFileSync(join(folder, path), 'utf8')).testResults : []]
    }),
  )
  return ({ test, title, engine = 'sqlite' }) => {
    const pattern = new RegExp(title ?? '')
    const counts = { passed: 0, failed: 0 }
    for (const file of files[engine].filter(each => each.name.endsWith(`/${test}`)))
      for (const { ancestorTitles, title: own, status } of file.assertionResults)
        if (status in counts && pattern.test([...ancestorTitles, own].join(' '))) counts[status] += 1
    const found = verdict(counts)
    return found === 'none' ? undefined : found
  }
}
