import { showInSet } from '../encryption/service-keys.js'
import { type Route, wrapped } from '../http/route.js'

export const systemRoutes: Route[] = [
  { method: 'GET', path: '/ping', auth: 'none', handle: async () => wrapped(null, 'pong') },
  {
    method: 'GET',
    path: '/.well-known/jwks.json',
    auth: 'none',
    async handle({ deps }) {
      const { keys } = deps.keys.publicKeys
      return {
        shape: 'raw',
        body: JSON.stringify({ keys: [...keys, showInSet(await deps.encryption.serviceKeys.active())] }),
        type: 'application/json',
        headers: { 'Cache-Control': 'public, max-age=3600' },
      }
    },
  },
]
