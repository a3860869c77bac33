/**
 * The component tests, in a real browser: every `web-test-runner.config.mjs` of the repository in turn, with a Chromium
 * that is known to start. Arguments go to web-test-runner as they are.
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { defaultReporter, startTestRunner } from '@web/test-runner'
import { ensureBrowser } from './ensure-browser.mjs'
import { reportFile } from './tally.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const CONFIG = 'web-test-runner.config.mjs'
const workspaces = ['packages', 'apps'].flatMap(folder =>
  readdirSync(join(root, folder)).map(name => join(folder, name)),
)
const folders = ['.', ...workspaces].filter(folder => existsSync(join(root, folder, CONFIG)))

const counts = { passed: 0, failed: 0, skipped: 0 }

function countSuite({ suites, tests }) {
  for (const test of tests) counts[test.skipped ? 'skipped' : test.passed ? 'passed' : 'failed'] += 1
  suites.forEach(countSuite)
}

/** A file that did not load, or tests that were cut off, count as one failure. */
const counter = {
  onTestRunFinished({ sessions }) {
    for (const session of sessions) {
      const before = counts.failed
      if (session.testResults) countSuite(session.testResults)
      if (!session.passed && counts.failed === before) counts.failed += 1
    }
  },
}

/** Whether every test of one configuration passed. */
async function runFolder(folder) {
  process.chdir(join(root, folder))
  const { default: config } = await import(pathToFileURL(join(root, folder, CONFIG)).href)
  const reporters = [...(config.reporters ?? [defaultReporter()]), counter]
  const runner = await startTestRunner({
    readFileConfig: false,
    autoExitProcess: false,
    config: { ...config, reporters },
  })
  return new Promise(resolve => runner?.on('stopped', resolve))
}

if (folders.length === 0) console.log(`No ${CONFIG} yet, so there are no component tests.`)
else process.env.CHROMIUM_PATH = ensureBrowser()

let failed = false
for (const folder of folders) if (!(await runFolder(folder))) failed = true
const report = reportFile('component')
if (report && folders.length > 0) writeFileSync(report, JSON.stringify(counts))
process.exit(failed ? 1 : 0)
