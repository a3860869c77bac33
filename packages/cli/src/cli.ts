import { CausewayError, SDK_VERSION } from '@causeway/sdk'
import * as events from './events.js'
import { Failure, type Io, UsageError } from './io.js'
import * as listen from './listen.js'
import * as logs from './logs.js'
import * as migrate from './migrate/migrate.js'
import * as tail from './tail.js'
import * as trigger from './trigger.js'

const commands = { listen, tail, logs, trigger, events, migrate }

const help = `causeway: work with the events and requests of a Causeway service from your terminal.

  causeway listen --to <url>       Forward events to a local URL, signed like webhooks.
  causeway tail                    Show events as they happen.
  causeway logs tail               Show requests as they are made.
  causeway trigger <event>         Trigger an event in the sandbox.
  causeway events resend <id>      Send an event to your webhooks again.
  causeway migrate check <file>    List what will differ for recorded requests.
  causeway --version               Show the version of this command.

Run causeway <command> --help to see its options. The secret key is read from CAUSEWAY_KEY.`

/**
 * Runs a command to completion.
 * @returns the exit code: 0 for success, 1 for a failure, 2 for an invalid command line
 */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = args
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    io.out(help)
    return name === undefined ? 2 : 0
  }
  if (name === '--version' || name === '-v') {
    // All packages in a release share the same version.
    io.out(SDK_VERSION)
    return 0
  }
  const command = Object.hasOwn(commands, name) ? commands[name as keyof typeof commands] : null
  try {
    if (!command) throw new UsageError(`${name} is not a command.`)
    await command.run(rest, io)
    return 0
  } catch (error) {
    if (io.signal.aborted) return 0
    if (isUsage(error)) {
      io.err(`${error.message}\nTry: causeway ${command ? `${name} ` : ''}--help`)
      return 2
    }
    if (error instanceof CausewayError) io.err(explain(error))
    else if (error instanceof Failure) io.err(error.message)
    else throw error
    return 1
  }
}

/** True for a command-line error, whether reported by this package or by node:util. */
const isUsage = (error: unknown): error is Error =>
  error instanceof UsageError ||
  (error instanceof TypeError && /^ERR_PARSE_ARGS/.test(String(Reflect.get(error, 'code'))))

function explain({ message, code, sub_type, request_id }: CausewayError): string {
  if (code === 0) return `${message} Check that it is running and that --url is correct.`
  return `${message} (${sub_type}${request_id === null ? '' : `, ${request_id}`})`
}
