import type { Env, Hono } from 'hono'
import { routePath } from 'hono/route'
import { createRequestId } from '../crypto/random.js'
import { levelOf } from '../db/fault.js'
import { describeFault } from '../log.js'
import type { Deps } from '../scope.js'
import { safeHeaders } from './headers.js'
import { asServiceError } from './render.js'

type Observing = Pick<Deps, 'clock' | 'log' | 'metrics'>

/** Logs and measures a response. @param started the result of `performance.now()` */
function record(
  deps: Observing,
  {
    id,
    method,
    route,
    status,
    started,
  }: { id: string; method: string; route: string; status: number; started: number },
): void {
  const ms = performance.now() - started
  deps.metrics.request({ method, route, status, ms })
  deps.log('info', 'request', { request_id: id, method, route, status, ms: Math.round(ms) })
}

/**
 * Serves a request to a route outside the pipeline: logs and measures it, and adds the headers that every response of
 * the origin has.
 * @param path the route's template
 */
export async function observe(
  deps: Observing,
  origin: string,
  { method, path }: { method: string; path: string },
  handle: () => Response | Promise<Response>,
): Promise<Response> {
  const started = performance.now()
  const id = createRequestId(deps.clock())
  const response = await handle()
  const headers = new Headers({ ...safeHeaders(origin), 'Request-Id': id })
  for (const [name, value] of response.headers) headers.set(name, value)
  const { status } = response
  record(deps, { id, method, route: path, status, started })
  return new Response(response.body, { status, headers })
}

/**
 * Answers the errors that no handler of an app catches. Without this, Hono would print the error and answer without any
 * of the headers.
 */
export function answerFaults<E extends Env>(app: Hono<E>, deps: Observing, origin: string): void {
  app.onError((error, c) => {
    const started = performance.now()
    const id = createRequestId(deps.clock())
    const { method } = c.req
    const route = routePath(c, -1)
    const refused = asServiceError(error)
    if (refused !== error) deps.log(levelOf(error), 'fault', { request_id: id, route, ...describeFault(error) })
    record(deps, { id, method, route, status: refused.status, started })
    return new Response(JSON.stringify({ error: refused.body() }), {
      status: refused.status,
      headers: {
        ...safeHeaders(origin),
        'Content-Type': 'application/json',
        'Cache-Control': 'no-store',
        'Request-Id': id,
        ...refused.headers,
      },
    })
  })
}

/**
 * Gives every response of an app the headers that it lacks, and an id. Logs and measures each response that has no id
 * yet; a handler that sets the id does so itself.
 * @param headers the headers of every response
 * @param prefix precedes the routes in the log and the metrics
 */
export function observeAll<E extends Env>(
  app: Hono<E>,
  deps: Observing,
  headers: Readonly<Record<string, string>>,
  prefix = '',
): void {
  const added = Object.entries(headers)
  app.use(async (c, next) => {
    const started = performance.now()
    await next()
    for (const [name, value] of added) if (!c.res.headers.has(name)) c.res.headers.set(name, value)
    if (c.res.headers.has('Request-Id')) return
    const id = createRequestId(deps.clock())
    c.res.headers.set('Request-Id', id)
    const { status } = c.res
    record(deps, { id, method: c.req.method, route: `${prefix}${routePath(c, -1)}`, status, started })
  })
}
