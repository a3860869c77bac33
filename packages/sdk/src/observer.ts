import type { ClientOptions, Method } from './transport.js'

/** One attempt to send a request. Contains no key, query or body. */
export interface RequestEvent {
  readonly method: Method
  /** The path with parameter names instead of ids, such as `/payments/:pmt_id`. Suitable for grouping. */
  readonly route: string
  /** The path with its actual ids. */
  readonly path: string
  /** The attempt number. 1 is the first attempt. */
  readonly attempt: number
}

/** The outcome of an attempt. */
export interface ResponseEvent extends RequestEvent {
  /** Null if there was no response. */
  readonly status: number | null
  /** The attempt's duration, in milliseconds. */
  readonly ms: number
  readonly request_id: string | null
  /** The error's `sub_type`, or `ABORTED` if your signal ended the attempt. Null if the attempt succeeded. */
  readonly sub_type: string | null
  /** Milliseconds until the next attempt. Null if this was the last attempt. */
  readonly retry_in: number | null
}

/** Receives a client's log messages. For example, pass `console`. */
export interface Logger {
  debug(message: string, fields?: object): void
  info(message: string, fields?: object): void
  warn(message: string, fields?: object): void
  error(message: string, fields?: object): void
}

export interface Observer {
  request(event: RequestEvent): void
  response(event: ResponseEvent): void
  /** Receives warnings for developers. Absent in production. */
  warn: ((message: string) => void) | undefined
}

/** Reports each attempt to a client's hooks and logger. An error thrown by a hook never causes a call to fail. */
export function createObserver({ logger, warn, onRequest, onResponse }: ClientOptions): Observer {
  const report = (name: string) => (error: unknown) => (logger ?? console).error(`Causeway: ${name} failed`, { error })
  const run = <E>(name: string, hook: ((event: E) => unknown) | undefined, event: E) => {
    if (!hook) return
    try {
      Promise.resolve(hook(event)).catch(report(name))
    } catch (error) {
      report(name)(error)
    }
  }
  const warnings = logger ? (message: string) => logger.warn(message) : undefined
  return {
    request: event => run('onRequest', onRequest, event),
    response(event) {
      log(logger, event)
      run('onResponse', onResponse, event)
    },
    warn: warn ?? warnings ?? (isProduction() ? undefined : message => console.warn(message)),
  }
}

function log(logger: Logger | undefined, event: ResponseEvent): void {
  const { method, route, status, ms, sub_type, retry_in, attempt } = event
  const call = `Causeway: ${method} ${route}`
  logger?.debug(`${call} ${status === null ? 'had no response' : `returned ${status}`} after ${ms} ms`, event)
  if (sub_type === null || sub_type === 'ABORTED') return
  if (retry_in !== null) logger?.info(`${call} will be retried in ${retry_in} ms (${sub_type})`, event)
  else if (status === null || status >= 500) logger?.error(`${call} failed in attempt ${attempt} (${sub_type})`, event)
}

const isProduction = () =>
  (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.['NODE_ENV'] === 'production'
