/**
 * Takes screenshots of every screen and state in the flow and the demo, including those for the README. Builds the
 * project and then runs e2e/shots/screens.ts. The pipeline does not run this script. Passes its arguments to Playwright.
 * `--no-build` as the first argument skips the build.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const e2e = fileURLToPath(new URL('../test/e2e.mjs', import.meta.url))
const args = [e2e, ...process.argv.slice(2), '--config', 'e2e/shots/shots.config.ts']
process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1
