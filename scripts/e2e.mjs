/**
 * The end-to-end tests: a Chromium that starts, everything built, then Playwright. Arguments go to Playwright as they
 * are; `--no-build` first leaves the build as it is. The tests start their own servers, on free ports.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ensureBrowser } from './ensure-browser.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const args = process.argv.slice(2)
const noBuild = args.includes('--no-build')

const run = (command, list, env = {}) =>
  spawnSync(command, list, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1

function main() {
  const tests = readdirSync(`${root}e2e`, { recursive: true }).filter(name => /\.spec\.ts$/.test(name))
  if (tests.length === 0) {
    console.log('No e2e/**/*.spec.ts yet, so there are no end-to-end tests.')
    return 0
  }
  if (!noBuild && run('pnpm', ['build']) !== 0) return 1
  const cli = fileURLToPath(import.meta.resolve('@playwright/test/cli'))
  const rest = args.filter(arg => arg !== '--no-build')
  return run(process.execPath, [cli, 'test', '--config', 'e2e/playwright.config.ts', ...rest], {
    CHROMIUM_PATH: ensureBrowser(),
  })
}

process.exitCode = main()
