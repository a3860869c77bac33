import { readConfig } from './config.js'
import { operate } from './operator.js'

/** The operator's command line: one command, its answer as JSON on standard output. */
try {
  const answer = await operate(readConfig(process.env), process.argv.slice(2), Date.now())
  process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`)
  if ((answer as { ok?: boolean }).ok === false) process.exitCode = 1
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
