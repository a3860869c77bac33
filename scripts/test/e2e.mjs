/**
 * Runs the end-to-end tests: finds Chromium, builds everything, and starts Playwright. The tests start their own
 * servers on free ports.
 *   node scripts/test/e2e.mjs [--sweeps | --all] [--no-build] [--upstream] [Playwright options]
 * By default, runs all tests except the sweeps. The sweeps have the tag `@sweep` and repeat the screen checks at other
 * sizes and in other color schemes. `--sweeps` runs only the sweeps, and `--all` runs everything. `--no-build` uses the
 * existing build. With `--upstream`, each service has another one as its only provider, and the tests are those of
 * people and payments.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ensureBrowser } from './browsers/ensure-browser.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const flags = ['--no-build', '--sweeps', '--all', '--upstream']
const given = process.argv.slice(2)
const rest = given.filter(arg => !flags.includes(arg))

/** The selection of tests, as Playwright options. */
const chosen = given.includes('--all') ? [] : [given.includes('--sweeps') ? '--grep' : '--grep-invert', '@sweep']

/** The files that are about people and payments, which pass through an upstream. */
const upstreamFiles = ['consent', 'hosted', 'identity', 'journey', 'payments', 'tokens'].map(name => `${name}.spec`)
const isUpstream = given.includes('--upstream')

const run = (command, list, env = {}) =>
  spawnSync(command, list, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1

function main() {
  if (!given.includes('--no-build') && run('pnpm', ['build']) !== 0) return 1
  const cli = fileURLToPath(import.meta.resolve('@playwright/test/cli'))
  const files = isUpstream ? upstreamFiles : []
  return run(process.execPath, [cli, 'test', '--config', 'e2e/playwright.config.ts', ...files, ...chosen, ...rest], {
    CHROMIUM_PATH: ensureBrowser(),
    ...(isUpstream && { E2E_UPSTREAM: '1' }),
  })
}

process.exitCode = main()
