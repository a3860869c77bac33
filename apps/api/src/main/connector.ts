import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { noFaults } from '@causeway/connector/emulator/faults'
import { serveFaulty } from '@causeway/connector/emulator/server'
import { readSharedKeys } from '@causeway/connector/http/signature'
import { createExample } from '../sandbox/connector.js'
import { readSecretFiles } from './hardening.js'

/**
 * Runs the example connector as a process. The connector serves the sandbox through the contract described in
 * docs/connectors.md.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4600' },
    host: { type: 'string', default: '127.0.0.1' },
    slow: { type: 'string', default: '0' },
    twice: { type: 'string', default: '0' },
    silent: { type: 'string', default: '0' },
    broken: { type: 'string', default: '0' },
    row: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: 'example' },
    /** Makes the sandbox's slow institutions respond immediately. */
    hurry: { type: 'boolean', default: false },
  },
})

const keys = readSharedKeys(readSecretFiles(process.env, process.cwd())['CONNECTOR_KEY'] ?? '')
if (!keys) {
  process.stderr.write(
    'connector: set CONNECTOR_KEY to 32 bytes in base64. Generate one with: openssl rand -base64 32\n',
  )
  process.exit(1)
}

const example = createExample({
  keys,
  clock: Date.now,
  id: randomUUID,
  sleep: ms => sleep(ms),
  wait: ms => (values.hurry ? Promise.resolve() : sleep(ms)),
  faults: {
    ...noFaults,
    slow: Number(values.slow),
    twice: Number(values.twice),
    silent: Number(values.silent),
    broken: Number(values.broken),
    inARow: Number(values.row),
  },
  seed: values.seed,
})

const { url } = await serveFaulty(example.answer, { port: Number(values.port), host: values.host })
process.stdout.write(`${JSON.stringify({ ready: true, url })}\n`)
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => {
    // Prints the number of injected faults, for the tests that configure faults.
    process.stdout.write(`${JSON.stringify({ met: example.met })}\n`)
    process.exit(0)
  })
