/**
 * Sends the service random requests, which are generated from its OpenAPI document. This script performs the full run.
 *   pnpm fuzz                 20,000 requests with the fixed seed
 *   pnpm fuzz 50000 7         the given number of requests (50,000) with the given seed (7)
 */
import { runVitest } from './vitest.mjs'

const [runs = '20000', seed] = process.argv.slice(2)
const env = { DOCUMENT_FUZZ_RUNS: runs, ...(seed ? { DOCUMENT_FUZZ_SEED: seed } : {}) }
console.log(`${runs} requests by chance${seed ? ` at seed ${seed}` : ''}`)
if (!(await runVitest('fuzz', ['--project', 'api', 'apps/api/src/main/openapi/fuzz.test.ts'], env)))
  process.exitCode = 1
