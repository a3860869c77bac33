import type { IncomingHttpHeaders } from 'node:http'
import { insteadOf } from '@causeway/contract/endpoints/removed-endpoints'
import { ServiceError } from '@causeway/contract/errors'
import type { Context, Hono } from 'hono'
import type { Pipeline, User } from './pipeline.js'
import type { Route } from './route.js'

const MOUNT = '/enveloped'

/** Strips the second mount before routing, so that every guard stands on routes and holds for both. */
export function getPath(request: Request): string {
  const start = request.url.indexOf('/', 8)
  const end = request.url.indexOf('?', start)
  const path = start < 0 ? '/' : request.url.slice(start, end < 0 ? undefined : end)
  return path === MOUNT || path.startsWith(`${MOUNT}/`) ? path.slice(MOUNT.length) || '/' : path
}

const isEnveloped = (request: Request) => {
  const start = request.url.indexOf('/', 8)
  return request.url.startsWith(`${MOUNT}/`, start) || request.url.slice(start) === MOUNT
}

/** Endpoints that no listener serves. */
const unknown = (request: Request, path: string): Route => ({
  method: request.method === 'GET' || request.method === 'HEAD' ? 'GET' : 'POST',
  path: '*',
  handle: async () => {
    const instead = insteadOf(path)
    throw new ServiceError('NOT_FOUND', instead && `This endpoint was removed in version 2024-04-04. ${instead}`)
  },
})

/** The listener's facts about the connection. */
export interface ApiEnv {
  Bindings: {
    incoming?: { headers: IncomingHttpHeaders; socket: { remoteAddress?: string } }
    /** Only the console's listener sets it, in this process. */
    user?: User
  }
}

/** Reads a header where node:http parsed it already: the web form of all of them costs more than most answers. */
function headerOf(c: Context<ApiEnv>): (name: string) => string | undefined {
  const parsed = c.env?.incoming?.headers
  if (!parsed) return name => c.req.raw.headers.get(name) ?? undefined
  return name => {
    const value = parsed[name]
    return Array.isArray(value) ? value.join(', ') : value
  }
}

/** Puts routes onto an app; whatever is none of them is NOT_FOUND, for a caller with a key. */
export function mount(app: Hono<ApiEnv>, pipeline: Pipeline, routes: readonly Route[]): void {
  for (const route of routes)
    app.on(route.method, route.path, c =>
      pipeline.serve(route, {
        request: c.req.raw,
        header: headerOf(c),
        path: c.req.path,
        params: c.req.param(),
        enveloped: isEnveloped(c.req.raw),
        remote: c.env?.incoming?.socket.remoteAddress,
        user: c.env?.user,
      }),
    )
  app.notFound(c =>
    pipeline.serve(unknown(c.req.raw, c.req.path), {
      request: c.req.raw,
      header: headerOf(c),
      path: c.req.path,
      params: {},
      enveloped: isEnveloped(c.req.raw),
      remote: c.env?.incoming?.socket.remoteAddress,
      user: c.env?.user,
    }),
  )
}
