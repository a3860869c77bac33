import { ServiceError } from '@causeway/contract/errors'
import type { Hono } from 'hono'
import type { Pipeline } from './pipeline.js'
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

const unknown: Route = {
  method: 'POST',
  path: '*',
  handle: async () => {
    throw new ServiceError('NOT_FOUND')
  },
}

/** Puts routes onto an app; whatever is none of them is NOT_FOUND, for a caller with a key. */
export function mount(app: Hono, pipeline: Pipeline, routes: readonly Route[]): void {
  for (const route of routes)
    app.on(route.method, route.path, c =>
      pipeline.serve(route, {
        request: c.req.raw,
        path: c.req.path,
        params: c.req.param(),
        enveloped: isEnveloped(c.req.raw),
      }),
    )
  app.notFound(c => {
    const route: Route = c.req.method === 'GET' || c.req.method === 'HEAD' ? { ...unknown, method: 'GET' } : unknown
    return pipeline.serve(route, {
      request: c.req.raw,
      path: c.req.path,
      params: {},
      enveloped: isEnveloped(c.req.raw),
    })
  })
}
