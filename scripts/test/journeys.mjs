/**
 * Runs the main user journeys end to end in every major browser. Requires an up-to-date build.
 *   node scripts/test/journeys.mjs [chromium] [firefox] [webkit] [--quick]
 */
import { fileURLToPath } from 'node:url'
import { runLegs } from './browsers/legs.mjs'

const one = fileURLToPath(new URL('journeys/run.mjs', import.meta.url))
process.exitCode = await runLegs('journeys', 'The main journeys', ['--import', 'tsx', one])
