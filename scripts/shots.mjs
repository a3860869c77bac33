/**
 * Takes screenshots of every screen and state of the flow and of the demo, and those in the README: builds, then runs
 * e2e/shots.ts. Not part of the pipeline. Arguments go to Playwright; `--no-build` as the first one skips the build.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const e2e = fileURLToPath(new URL('e2e.mjs', import.meta.url))
const args = [e2e, ...process.argv.slice(2), '--config', 'e2e/shots.config.ts']
process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1
