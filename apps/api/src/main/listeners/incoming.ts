import type { Hono } from 'hono'
import { addressOf, createPlainEnvelope, exchangeOf, type ListenerEnv } from '../../platform/http/pipeline/envelope.js'
import type { Deps } from '../../platform/scope.js'

/** Adds a route that receives signed messages from outside. */
export function addIncoming<E extends ListenerEnv>(
  listener: Hono<E>,
  deps: Pick<Deps, 'apiOrigin' | 'clock' | 'log' | 'metrics' | 'addressOf' | 'limits'>,
  path: string,
  receive: (request: Request, countRejected: () => void) => Promise<Response>,
): void {
  const serve = createPlainEnvelope(deps, deps.apiOrigin)
  listener.post(path, c =>
    serve(exchangeOf(deps, c, path), exchange => {
      // Reads the address before the body, because a body that is not read to its end detaches the socket.
      const address = addressOf(deps, exchange)
      return receive(c.req.raw, () => {
        if (address !== undefined) deps.limits.keyless(address)
      })
    }),
  )
}
