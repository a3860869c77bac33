/** The options of a client and of its calls, and what its hooks and logger receive. */

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

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

export interface ClientOptions {
  /** The team's secret key, `sk_…`. Keep it on your server and never send it to a browser. */
  apiKey: string
  /** The service's URL, such as `https://api.example.com`. Include a path if a proxy adds one. */
  baseUrl: string | URL
  /**
   * Allows `http://` in `baseUrl` for a host other than this machine. Set it only on a private network that encrypts
   * connections, because every request contains the secret key.
   */
  allowInsecureHttp?: boolean
  /** The service's public origin, which is the issuer of signed results. Default: the origin of `baseUrl`. */
  issuer?: string
  /** Used instead of the global `fetch`. */
  fetch?: typeof globalThis.fetch
  /** Returns the current time, in epoch milliseconds. Default: `Date.now`. */
  now?: () => number
  /** Waits between attempts. If the signal is aborted, rejects with the signal's reason. Default: `setTimeout`. */
  sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /**
   * Returns a random number, at least 0 and less than 1, to spread out the retries of many clients. Default:
   * `Math.random`.
   */
  random?: () => number
  /** The timeout for each attempt, in milliseconds. Default: 30,000. */
  timeout?: number
  /** Called before each attempt to send a request, for example to start a span. */
  onRequest?: (event: RequestEvent) => unknown
  /**
   * Called after each attempt, for example to record metrics. An error in a hook is logged and never causes a call to
   * fail.
   */
  onResponse?: (event: ResponseEvent) => unknown
  /**
   * Receives attempts (debug), retries (info), ignored fields (warn) and failed calls (error). Never receives keys or
   * bodies.
   */
  logger?: Logger
  /**
   * Receives warnings for developers, for example about an unknown field. Default: `logger.warn`. Without a logger,
   * warnings go to `console.warn` unless `NODE_ENV` is `production`.
   */
  warn?: (message: string) => void
  /** The maximum number of retries after the first attempt. Default: 2. Set it to 0 to disable retries. */
  maxRetries?: number
  /**
   * Allows a client to be created in an environment with a `window`, such as a test that simulates a browser. In a real
   * browser, anyone could read the key.
   */
  dangerouslyAllowBrowser?: boolean
}

/** The last argument of each call. */
export interface RequestOptions {
  /**
   * The API version for this call. Default: `VERSION`, which the types describe. Another version can return different
   * fields.
   */
  version?: string
  /**
   * The idempotency key for a POST, up to 255 characters. Default: one random key for all attempts. If null, no key is
   * sent, and the request is retried only if it was not processed.
   */
  idempotencyKey?: string | null
  signal?: AbortSignal
  timeout?: number
  maxRetries?: number
}
