/** Functions that the entry points of long-running processes share. */
import { createLog, type Log } from '../platform/log.js'

/** Creates the log on standard error. */
export function createProcessLog(): Log {
  const lines: string[] = []
  /** Writes all lines from one turn of the event loop together, because each write blocks the process. */
  function flush(): void {
    if (lines.length > 0) process.stderr.write(lines.splice(0).join(''))
  }
  process.on('exit', flush)
  return createLog(line => {
    if (lines.push(`${line}\n`) === 1) setImmediate(flush)
  }, Date.now)
}

/** Ends the process with a message. @param name the process's name in the message */
export function fail(name: string, error: unknown): never {
  process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

/**
 * The maximum duration of a shutdown, in ms. After that, the process exits, and another process repeats or takes over
 * unfinished work.
 */
const STOP_TIMEOUT_MS = 30_000

/** Stops the process when it is asked to, and ends it at once when it is asked again. */
export function stopOnSignals(name: string, stop: () => Promise<void>): void {
  let stopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (stopping) fail(name, new Error(`The service received ${signal} a second time and is stopping immediately.`))
      stopping = true
      setTimeout(
        () => fail(name, new Error(`The shutdown took longer than ${STOP_TIMEOUT_MS / 1000} seconds.`)),
        STOP_TIMEOUT_MS,
      ).unref()
      stop().then(
        () => process.exit(0),
        error => fail(name, error),
      )
    })
}
