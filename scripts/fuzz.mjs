/**
 * Requests by chance against the service, made from its own description, in their full measure.
 *   pnpm fuzz                 20,000 at the fixed seed
 *   pnpm fuzz 50000 7         that many, at that seed
 */
import { runVitest } from './vitest.mjs'

const [runs = '20000', seed] = process.argv.slice(2)
const env = { DOCUMENT_FUZZ_RUNS: runs, ...(seed ? { DOCUMENT_FUZZ_SEED: seed } : {}) }
console.log(`${runs} requests by chance${seed ? ` at seed ${seed}` : ''}`)
if (!(await runVitest('fuzz', ['--project', 'api', 'apps/api/src/main/openapi/fuzz.test.ts'], env)))
  process.exitCode = 1
