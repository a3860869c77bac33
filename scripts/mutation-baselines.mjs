/**
 * Reads from the reports of the Node tests if the test of a mutation passes without it, to save a separate run.
 * mutate.mjs gets the folder as UNIT_REPORT_DIR. The reports can be in subfolders. A report covers whole files: only a
 * separate run finds a test that passes after others in its file but fails alone.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const reports = { sqlite: 'unit-sqlite.json', postgres: 'unit-postgres.json' }

/** Returns the verdict of a run on the chosen tests: `failed` if one failed, `passed` if one passed, else `none`. */
export const verdict = ({ passed, failed }) => (failed > 0 ? 'failed' : passed > 0 ? 'passed' : 'none')

/** Returns a function of `{ test, name, engine }`: the verdict, or undefined if no report has such a test. */
export function readBaselines(folder) {
  const paths = folder ? readdirSync(folder, { recursive: true }) : []
  const files = Object.fromEntries(
    Object.entries(reports).map(([engine, report]) => {
      const path = paths.find(each => basename(each) === report)
      return [engine, path ? JSON.parse(readFileSync(join(folder, path), 'utf8')).testResults : []]
    }),
  )
  return ({ test, name, engine = 'sqlite' }) => {
    const pattern = new RegExp(name ?? '')
    const counts = { passed: 0, failed: 0 }
    for (const file of files[engine].filter(each => each.name.endsWith(`/${test}`)))
      for (const { ancestorTitles, title, status } of file.assertionResults)
        if (status in counts && pattern.test([...ancestorTitles, title].join(' '))) counts[status] += 1
    const found = verdict(counts)
    return found === 'none' ? undefined : found
  }
}
