/**
 * The envelope around every request and its response, on every listener. It replaces Hono's middleware: the router finds
 * one handler for each route, a listener counts and checks a request before it reads the body, pages replace the
 * content security policy that `secure-headers` would overwrite, and `body-limit` knows nothing of the memory that all
 * bodies share.
 */
import { type Env, Hono } from 'hono'
import { createRequestId } from '../../crypto/random.js'
import { levelOf } from '../../db/fault.js'
import { describeFault } from '../../log.js'
import type { Deps } from '../../scope.js'
import { SegmentRouter } from '../endpoint/router.js'
import { safeHeaders } from '../response/headers.js'
import { asServiceError } from '../response/render.js'

/** Connection details that a listener's socket provides. */
export interface ListenerEnv {
  Bindings: { incoming?: { socket?: { remoteAddress?: string } } }
}

/**
 * Creates a listener without routes. Each route's handler passes its requests through an envelope. Whatever an envelope
 * itself throws is answered by the server, because Hono would print it.
 */
export function createListener<E extends Env = ListenerEnv>(getPath?: (request: Request) => string): Hono<E> {
  const app = new Hono<E>({ router: new SegmentRouter(), ...(getPath && { getPath }) })
  app.onError(error => {
    throw error
  })
  return app
}

/** A request on its way through the stages. */
export class Exchange {
  /** The result of `performance.now()` at the start. */
  readonly started = performance.now()
  /** The time of the request, in epoch ms. */
  readonly at: number
  readonly id: string
  readonly request: Request
  readonly method: string
  /** The route's template in the log and in the metrics, such as `/payments/:pmt_id`. */
  readonly route: string
  /** The address at the other end of the connection, if the listener provides it. */
  readonly remote: string | undefined
  /** The time that the response took, in ms. Set after the response is complete. */
  ms = 0

  /** Returns a header by its lowercase name. */
  readonly header: (name: string) => string | undefined

  constructor(at: number, request: Request, route: string, remote: string | undefined, header = headerOf(request)) {
    this.at = at
    this.id = createRequestId(at)
    this.request = request
    this.method = request.method
    this.route = route
    this.remote = remote
    this.header = header
  }
}

/** Returns a reader of a request's headers. */
const headerOf = (request: Request) => (name: string) => request.headers.get(name) ?? undefined

/** Returns the address of a request's client. See {@link Deps.addressOf}. */
export const addressOf = (deps: Pick<Deps, 'addressOf'>, { remote, header }: Exchange): string | undefined =>
  remote === undefined ? undefined : deps.addressOf(remote, header('x-forwarded-for'))

/**
 * The stages of a listener, in the order in which they run. The request's id, time and address exist before the first
 * stage. `null` means that the listener does without a stage; its list says why.
 */
export interface Stages<X extends Exchange, Result> {
  /** Counts the request. Throws TOO_MANY_REQUESTS. */
  readonly limit: ((exchange: X) => void) | null
  /** Identifies the caller. Throws UNAUTHORIZED. */
  readonly access: ((exchange: X) => Promise<void> | void) | null
  /** Throws FORBIDDEN if the request comes from a page of another site. */
  readonly site: ((exchange: X) => void) | null
  /** Throws INVALID_REQUEST for a query that no route reads. */
  readonly url: ((exchange: X) => void) | null
  /** Turns an error of an earlier stage or of the handler into a response. */
  readonly error: (error: unknown, exchange: X) => Promise<Result> | Result
  /** Changes the body's form for the client. */
  readonly body: ((exchange: X, result: Result) => Promise<Result>) | null
  readonly metrics: (exchange: X, result: Result) => void
  readonly log: (exchange: X, result: Result) => void
  /** Adds the headers that every response has. */
  readonly headers: (exchange: X, result: Result) => Response
}

/** Passes a request through the stages. The handler runs between `url` and `error`. */
export type Serve<X extends Exchange, Result> = (
  exchange: X,
  handle: (exchange: X) => Promise<Result> | Result,
) => Promise<Response>

export function createEnvelope<X extends Exchange, Result>(stages: Stages<X, Result>): Serve<X, Result> {
  const { limit, access, site, url, error, body, metrics, log, headers } = stages
  return async (exchange, handle) => {
    let result: Result
    try {
      limit?.(exchange)
      if (access) await access(exchange)
      site?.(exchange)
      url?.(exchange)
      result = await handle(exchange)
    } catch (thrown) {
      result = await error(thrown, exchange)
    }
    if (body) result = await body(exchange, result)
    exchange.ms = performance.now() - exchange.started
    metrics(exchange, result)
    log(exchange, result)
    return headers(exchange, result)
  }
}

type Observing = Pick<Deps, 'clock' | 'log' | 'metrics'>

/** The parts of Hono's context that hold a request and its connection. */
interface Connected {
  readonly req: { readonly raw: Request }
  readonly env: ListenerEnv['Bindings']
}

/** Creates the exchange of a request to a listener other than the API. */
export const exchangeOf = ({ clock }: Pick<Deps, 'clock'>, c: Connected, route: string): Exchange =>
  new Exchange(clock(), c.req.raw, route, c.env?.incoming?.socket?.remoteAddress)

/** Logs a fault in the service, which is no fault of the request. */
export function logFault({ log }: Pick<Deps, 'log'>, { id, route }: Exchange, error: unknown): void {
  log(levelOf(error), 'fault', { request_id: id, route, ...describeFault(error) })
}

/**
 * Returns the stages that every listener other than the API has: errors as JSON, and responses that are complete except
 * for the headers of the origin.
 * @param added the headers of every response that doesn't have its own
 */
export function plainStages(
  deps: Observing,
  added: Readonly<Record<string, string>>,
): Pick<Stages<Exchange, Response>, 'error' | 'body' | 'metrics' | 'log' | 'headers'> {
  const names = Object.entries(added)
  return {
    error(error, exchange) {
      const serviceError = asServiceError(error)
      if (serviceError !== error) logFault(deps, exchange, error)
      const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...serviceError.headers }
      return new Response(JSON.stringify({ error: serviceError.body() }), { status: serviceError.status, headers })
    },
    body: null,
    metrics: ({ method, route, ms }, { status }) => deps.metrics.request({ method, route, status, ms }),
    log: ({ id, method, route, ms }, { status }) =>
      deps.log('info', 'request', { request_id: id, method, route, status, ms: Math.round(ms) }),
    headers({ id }, response) {
      const { headers } = response
      for (const [name, value] of names) if (!headers.has(name)) headers.set(name, value)
      if (!headers.has('Request-Id')) headers.set('Request-Id', id)
      return response
    },
  }
}

/**
 * Creates the envelope of public pages and files.
 * @param origin the origin under which clients reach the listener
 */
export const createPlainEnvelope = (deps: Observing, origin: string): Serve<Exchange, Response> =>
  createEnvelope<Exchange, Response>({
    limit: null, // The responses are the same for everyone and cost nothing.
    access: null, // They are public.
    site: null, // They are public.
    url: null, // They read no query.
    ...plainStages(deps, safeHeaders(origin)),
  })
