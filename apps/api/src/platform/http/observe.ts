import { createRequestId } from '../crypto/random.js'
import type { Deps } from '../scope.js'
import { safeHeaders } from './headers.js'

/**
 * Serves a request to a route outside the pipeline: logs and measures it, and adds the headers that every response of
 * the origin has.
 * @param path the route's template
 */
export async function observe(
  deps: Pick<Deps, 'clock' | 'log' | 'metrics'>,
  origin: string,
  { method, path }: { method: string; path: string },
  handle: () => Response | Promise<Response>,
): Promise<Response> {
  const started = performance.now()
  const requestId = createRequestId(deps.clock())
  const response = await handle()
  const headers = new Headers({ ...safeHeaders(origin), 'Request-Id': requestId })
  for (const [name, value] of response.headers) headers.set(name, value)
  const ms = performance.now() - started
  const { status } = response
  deps.metrics.request({ method, route: path, status, ms })
  deps.log('info', 'request', { request_id: requestId, method, route: path, status, ms: Math.round(ms) })
  return new Response(response.body, { status, headers })
}
