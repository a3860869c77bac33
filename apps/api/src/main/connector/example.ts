import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { noFaults } from '@causeway/connector/emulator/faults'
import { serveFaulty } from '@causeway/connector/emulator/server'
import { createExample } from '../../sandbox/connector.js'
import { readSecretFiles } from '../hardening.js'
import { readConnectorKey } from '../variables.js'

/** The flags of the example connector. */
export const exampleFlags = {
  slow: { type: 'string', default: '0' },
  twice: { type: 'string', default: '0' },
  silent: { type: 'string', default: '0' },
  broken: { type: 'string', default: '0' },
  row: { type: 'string', default: 'Infinity' },
  seed: { type: 'string', default: 'example' },
  /** Makes the sandbox's slow institutions respond immediately. */
  hurry: { type: 'boolean', default: false },
} as const

type ExampleValues = {
  [Name in keyof typeof exampleFlags]: (typeof exampleFlags)[Name]['type'] extends 'boolean' ? boolean : string
} & { port: number; host: string }

/** Serves the sandbox through the contract described in docs/connectors.md, with the faults that the flags name. */
export async function runExample(env: NodeJS.ProcessEnv, values: ExampleValues): Promise<void> {
  const keys = readConnectorKey(readSecretFiles(env, process.cwd()), 'the service')
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

  const { url } = await serveFaulty(example.answer, { port: values.port, host: values.host })
  process.stdout.write(`${JSON.stringify({ ready: true, url })}\n`)
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      // Prints the number of injected faults, for the tests that configure faults.
      process.stdout.write(`${JSON.stringify({ met: example.met })}\n`)
      process.exit(0)
    })
}
