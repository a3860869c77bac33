/**
 * Checks a change in under a minute: runs `pnpm check`, then the tests next to each changed file, the tests that import
 * a changed file, and the tests that have themselves changed. `pnpm verify` runs the rest.
 *   node scripts/test/test-changed.mjs [BASE]    the change since BASE; `scripts/test/changed.mjs` documents the default
 */
import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { importsOf, readRepository, target } from '../check/guards/repository.mjs'
import { ensureBrowser } from './browsers/ensure-browser.mjs'
import { changedFiles } from './changed.mjs'
import { runVitest } from './vitest.mjs'

const isTestFile = path => /\.test\.(?:ts|mjs)$/.test(path)
/**
 * True for component tests, which run in a browser. The docs and frameworks tests take minutes, so only `pnpm verify`
 * runs them.
 */
const isComponent = path =>
  /^(?:packages\/(?:elements|react)|apps\/flow)\/src\//.test(path) && !/\.node\.test\./.test(path)
const isDocs = path => /^(?:docs|frameworks)\//.test(path)
const bare = path => path.replace(/\.(?:ts|mjs|js)$/, '')

/**
 * Returns the test files to run for the changed files, as `{ node, browser }`.
 * @param files all files in the repository, as `[{ path, text }]`
 */
export function testsOf(changed, files) {
  const modules = new Set(changed.filter(path => /\.(?:ts|mjs|js)$/.test(path)).map(bare))
  const folders = new Set([...modules].map(dirname))
  const tests = files.filter(({ path, text }) => {
    if (!isTestFile(path) || isDocs(path)) return false
    if (modules.has(bare(path)) || folders.has(dirname(path))) return true
    return importsOf(text).some(({ from }) => modules.has(target(path, from)))
  })
  const paths = tests.map(({ path }) => path)
  return { node: paths.filter(path => !isComponent(path)), browser: paths.filter(isComponent) }
}

async function main() {
  const changed = changedFiles({ base: process.argv[2] })
  const { node, browser } = testsOf(changed, readRepository())
  console.log(`${changed.length} files changed: ${node.length} Node test files, ${browser.length} component test files`)
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const run = (command, args) => spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status === 0
  let passed = run('pnpm', ['check'])
  const projects = ['api', 'rest', 'isolated'].flatMap(name => ['--project', name])
  if (node.length > 0 && !(await runVitest('unit-changed', [...projects, ...node]))) passed = false
  if (browser.length > 0) {
    process.env.INSTALL_BROWSERS = 'no'
    try {
      ensureBrowser('chromium')
      if (!run(process.execPath, ['scripts/test/component.mjs', 'chromium', '--files', ...browser])) passed = false
    } catch (error) {
      console.log(`The component tests were skipped. ${error.message}`)
    }
  }
  process.exitCode = passed ? 0 : 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main()
