/**
 * Runs the component tests in real browsers.
 *   node scripts/test/component.mjs [chromium] [firefox] [webkit] [options of web-test-runner]
 */
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runLegs } from './browsers/legs.mjs'

const one = fileURLToPath(new URL('browsers/component.mjs', import.meta.url))
// Playwright does not report why a page crashed, but the browser's output does.
process.env.DEBUG ??= 'pw:browser'
process.env.DEBUG_FILE ??= join(tmpdir(), `causeway-chromium-${process.pid}.log`)
process.exitCode = await runLegs('component', 'The component tests', [one])
rmSync(process.env.DEBUG_FILE, { force: true })
