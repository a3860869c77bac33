import { endpoints } from '@causeway/contract/endpoints/service'
import { implement } from '../../platform/http/endpoint/implement.js'
import { type Route, wrapped } from '../../platform/http/endpoint/route.js'
import { showKeySetMember } from '../../team/encryption/service-keys.js'

export const systemRoutes: Route[] = [
  implement(endpoints.ping, { handle: async () => wrapped(null, 'pong') }),
  implement(endpoints.listServiceKeys, {
    async handle({ deps }) {
      const { keys } = deps.keys.publicKeys
      return {
        shape: 'raw',
        // Clients that encrypt requests use the first key.
        body: JSON.stringify({ keys: [showKeySetMember(await deps.encryption.serviceKeys.active()), ...keys] }),
        type: 'application/json',
        headers: { 'Cache-Control': 'public, max-age=3600' },
      }
    },
  }),
]
