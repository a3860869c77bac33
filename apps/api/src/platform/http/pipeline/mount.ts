import type { IncomingHttpHeaders } from 'node:http'
import { ServiceError } from '@causeway/contract/errors'
import { replacementOf } from '@causeway/contract/removed-endpoints'
import type { Context, Hono } from 'hono'
import type { Route } from '../endpoint/route.js'
import type { User } from './api-exchange.js'
import type { Pipeline } from './pipeline.js'

const MOUNT = '/enveloped'

/** Strips the `/enveloped` prefix before routing, so that routes and their checks apply to both mounts. */
export function getPath(request: Request): string {
  const start = request.url.indexOf('/', 8)
  const end = request.url.indexOf('?', start)
  const path = start < 0 ? '/' : request.url.slice(start, end < 0 ? undefined : end)
  return path === MOUNT || path.startsWith(`${MOUNT}/`) ? path.slice(MOUNT.length) || '/' : path
}

export const isEnveloped = (request: Request) => {
  const start = request.url.indexOf('/', 8)
  return request.url.startsWith(`${MOUNT}/`, start) || request.url.slice(start) === MOUNT
}

/** The route for requests that match no endpoint. */
const unknown = (request: Request, path: string): Route => ({
  method: request.method === 'GET' || request.method === 'HEAD' ? 'GET' : 'POST',
  path: '*',
  handle: async () => {
    if (path.includes('//'))
      throw new ServiceError('NOT_FOUND', 'The path contains //. Remove the slash at the end of the base URL.')
    const instead = replacementOf(path)
    throw new ServiceError('NOT_FOUND', instead && `This endpoint was removed in version 2024-04-04. ${instead}`)
  },
})

/** Connection information that the listener provides. */
export interface ApiEnv {
  Bindings: {
    incoming?: { headers: IncomingHttpHeaders; socket: { remoteAddress?: string } }
    /** The signed-in user. Set only by the console's listener in this process. */
    user?: User
  }
}

/**
 * Returns a reader of the headers that node:http has already parsed, because converting all headers to a Headers object
 * costs more than handling most requests.
 */
function headerOf(c: Context<ApiEnv>): (name: string) => string | undefined {
  const parsed = c.env?.incoming?.headers
  if (!parsed) return name => c.req.raw.headers.get(name) ?? undefined
  return name => {
    const value = parsed[name]
    return Array.isArray(value) ? value.join(', ') : value
  }
}

/** Adds routes to an app. For any other path, a caller with a key gets NOT_FOUND. */
export function mount(app: Hono<ApiEnv>, pipeline: Pipeline, routes: readonly Route[]): void {
  const serve = (endpoint: Route, c: Context<ApiEnv>, params: Record<string, string>) =>
    pipeline({
      endpoint,
      request: c.req.raw,
      header: headerOf(c),
      path: c.req.path,
      params,
      enveloped: isEnveloped(c.req.raw),
      remote: c.env?.incoming?.socket.remoteAddress,
      user: c.env?.user,
    })
  for (const route of routes) app.on(route.method, route.path, c => serve(route, c, c.req.param()))
  app.notFound(c => serve(unknown(c.req.raw, c.req.path), c, {}))
}
