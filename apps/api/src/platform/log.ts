/**
 * The fields that a log line may contain. No other fields are printed, so no path, body, token or personal data is
 * logged.
 */
interface LogFields {
  /** The id of the request that caused the event. */
  request_id?: string | undefined
  team_id?: string
  resource_id?: string | undefined
  actor?: string
  method?: string
  /** The route's template, never the actual path. */
  route?: string
  status?: number
  ms?: number
  sub_type?: string
  job?: string
  job_id?: string
  /** The number of jobs. */
  jobs?: number
  attempts?: number
  failures?: number
  takeovers?: number
  /**
   * An error's name, and the place where it was thrown. The message is never included, because driver messages can
   * contain values.
   */
  fault?: string
  at?: string
  origin?: string
  /** The provider's name, such as `increase`. */
  provider?: string
  /** The provider's id of an object, and its own status or code of it. */
  external_id?: string | undefined
  provider_status?: string | undefined
  provider_code?: string | undefined
}

export type Log = (level: 'info' | 'warn' | 'error', event: string, fields?: LogFields) => void

const loggedFields: readonly (keyof LogFields)[] = [
  'request_id',
  'team_id',
  'resource_id',
  'actor',
  'method',
  'route',
  'status',
  'ms',
  'sub_type',
  'job',
  'job_id',
  'jobs',
  'attempts',
  'failures',
  'takeovers',
  'fault',
  'at',
  'origin',
  'provider',
  'external_id',
  'provider_status',
  'provider_code',
]

/** Logs each event as a JSON object on one line. @param print prints a line, for example to standard error */
export function createLog(print: (line: string) => void, clock: () => number): Log {
  return (level, event, fields = {}) => {
    let line = `{"time":"${new Date(clock()).toISOString()}","level":"${level}","event":${JSON.stringify(event)}`
    for (const key of loggedFields) if (fields[key] !== undefined) line += `,"${key}":${JSON.stringify(fields[key])}`
    print(`${line}}`)
  }
}

/** The folder of our own code, in a line of a stack. */
const OWN_FOLDER = /\/apps\/api\/(?:src|dist)\//

/** Returns the parts of an unknown error that may be logged: its class, and the first stack frame in our code. */
export function describeFault(error: unknown): { fault: string; at?: string } {
  if (!(error instanceof Error)) return { fault: typeof error }
  const { code: plainCode, sqliteCodeName } = error as { code?: unknown; sqliteCodeName?: unknown }
  const code = sqliteCodeName ?? plainCode
  const fault = typeof code === 'string' && /^[A-Za-z0-9_]{1,40}$/.test(code) ? `${error.name} ${code}` : error.name
  const path = error.stack
    ?.split('\n')
    .map(line => line.split(OWN_FOLDER)[1])
    .find(part => part !== undefined)
  const at = /^[\w./-]+:\d+/.exec(path ?? '')?.[0]
  return at ? { fault, at } : { fault }
}
