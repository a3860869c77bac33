import { resolve } from 'node:path'
import { createLog } from '../platform/log.js'
import { type Config, ConfigError, readConfig } from './config.js'
import { run } from './run.js'
import { writePrivate } from './store-config.js'

/** The server's entry point. In the server's process, no other file reads the environment or exits. */
const lines: string[] = []
/** Writes all lines from one turn of the event loop together, because each write blocks the process. */
function flush(): void {
  if (lines.length > 0) process.stderr.write(lines.splice(0).join(''))
}
const log = createLog(line => {
  if (lines.push(`${line}\n`) === 1) setImmediate(flush)
}, Date.now)
process.on('exit', flush)

function fail(error: unknown): never {
  process.stderr.write(`causeway: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

let config: Config
try {
  config = readConfig(process.env)
} catch (error) {
  if (error instanceof ConfigError) fail(error)
  throw error
}

/** Only the sandbox can be configured to exit at a named point, to test crash recovery. */
const crashAt = config.environment === 'sandbox' ? process.env['CRASH_AT'] : undefined
const reach = (point: string) => {
  if (point === crashAt) process.kill(process.pid, 'SIGKILL')
}

function saveKey(value: string): void {
  const file = resolve(config.dataFolder, 'bootstrap.key')
  writePrivate(file, value)
  process.stderr.write(`causeway: the first team's secret key is in ${file}. Only you can read it.\n`)
  if (process.stderr.isTTY) process.stderr.write(`causeway: ${value}\n`)
}

const service = await run(config, log, saveKey, reach).catch(fail)
/**
 * The maximum duration of a shutdown, in ms. After that, the process exits, and another process repeats or takes over
 * unfinished work.
 */
const STOP_TIMEOUT_MS = 30_000
let stopping = false
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => {
    if (stopping) fail(new Error(`The service received ${signal} a second time and is stopping immediately.`))
    stopping = true
    setTimeout(
      () => fail(new Error(`The shutdown took longer than ${STOP_TIMEOUT_MS / 1000} seconds.`)),
      STOP_TIMEOUT_MS,
    ).unref()
    service.stop().then(() => process.exit(0), fail)
  })

// Printed last, so a program that reads this line can immediately stop the servers that it lists.
process.stdout.write(`${JSON.stringify({ ready: true, ...service.origins, environment: config.environment })}\n`)
