import { resolve } from 'node:path'
import { type Config, ConfigError, readConfig } from './config.js'
import { createProcessLog, fail, stopOnSignals } from './process.js'
import { run } from './run.js'
import { writePrivate } from './store-config.js'

/** The server's entry point. In the server's process, no other file reads the environment or exits. */
const NAME = 'causeway'
const log = createProcessLog()

let config: Config
try {
  config = readConfig(process.env)
} catch (error) {
  if (error instanceof ConfigError) fail(NAME, error)
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

const service = await run(config, log, saveKey, reach).catch(error => fail(NAME, error))
stopOnSignals(NAME, service.stop)

// Printed last, so a program that reads this line can immediately stop the servers that it lists.
process.stdout.write(`${JSON.stringify({ ready: true, ...service.origins, environment: config.environment })}\n`)
