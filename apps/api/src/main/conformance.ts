import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { checkConnector } from '@causeway/connector/conformance/conformance'
import { readSharedKeys } from '@causeway/connector/http/signature'
import { exampleInputs } from '../sandbox/connector-inputs.js'
import { readSecretFiles } from './hardening.js'
import { exitOnClosedPipe } from './output.js'

/**
 * Runs the conformance test from the command line. Prints one line per rule; exits with 1 if any rule is violated.
 */
const usage = `CONNECTOR_KEY=... node apps/api/dist/main/conformance.js --url https://connector.example [--inputs FILE | --sandbox] [--timeout MS]
  --inputs   inputs by method, as JSON: {"rail/submit": {...}}. An action is tested only if it is listed.
  --sandbox  the inputs of the example connector`

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}

exitOnClosedPipe()
const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    inputs: { type: 'string' },
    sandbox: { type: 'boolean', default: false },
    timeout: { type: 'string', default: '8000' },
  },
})
const { url } = values
if (!url || !URL.canParse(url)) fail(usage)
const keys = readSharedKeys(readSecretFiles(process.env, process.cwd())['CONNECTOR_KEY'] ?? '')
if (!keys) fail(`CONNECTOR_KEY must be at least 32 bytes in base64.\n${usage}`)
const inputs = values.inputs ? JSON.parse(readFileSync(values.inputs, 'utf8')) : values.sandbox ? exampleInputs : {}

const count = { ok: 0, failed: 0, skipped: 0 }
const deps = { url, keys, inputs, timeout: Number(values.timeout), fetch, clock: Date.now, id: randomUUID }
for await (const { rule, problem, skipped } of checkConnector(deps)) {
  count[skipped ? 'skipped' : problem === null ? 'ok' : 'failed'] += 1
  const line = skipped
    ? `-- ${rule}: skipped, because --inputs has no input for it`
    : problem === null
      ? `ok ${rule}`
      : `NO ${rule}: ${problem}`
  process.stdout.write(`${line}\n`)
}
process.stdout.write(`${count.ok} passed, ${count.failed} failed, ${count.skipped} skipped\n`)
process.exitCode = count.failed === 0 ? 0 : 1
