/**
 * The component tests, in real browsers.
 *   node scripts/component.mjs [chromium] [firefox] [webkit] [options of web-test-runner]
 */
import { fileURLToPath } from 'node:url'
import { runLegs } from './browsers/legs.mjs'

const one = fileURLToPath(new URL('browsers/component.mjs', import.meta.url))
process.exitCode = await runLegs('component', 'The component tests', [one])
