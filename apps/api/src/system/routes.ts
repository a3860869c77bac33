import { type Route, wrapped } from '../http/route.js'

export const systemRoutes: Route[] = [
  { method: 'GET', path: '/ping', auth: 'none', handle: async () => wrapped(null, 'pong') },
  {
    method: 'GET',
    path: '/.well-known/jwks.json',
    auth: 'none',
    handle: async ctx => ({
      shape: 'raw',
      body: JSON.stringify(ctx.deps.keys.publicKeys),
      type: 'application/json',
      headers: { 'Cache-Control': 'public, max-age=3600' },
    }),
  },
]
