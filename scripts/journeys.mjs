/**
 * The main journeys from end to end, in every browser that people use. What is built must be up to date.
 *   node scripts/journeys.mjs [chromium] [firefox] [webkit]
 */
import { fileURLToPath } from 'node:url'
import { runLegs } from './browsers/legs.mjs'

const one = fileURLToPath(new URL('journeys/run.mjs', import.meta.url))
process.exitCode = await runLegs('journeys', 'The main journeys', ['--import', 'tsx', one])
