import type { ClientOptions, Logger, RequestEvent, ResponseEvent } from './options.js'

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
