import { type Endpoint, scopeOf as scopeOfEndpoint } from '@causeway/contract/declaration/endpoint'
import { endpoints } from '@causeway/contract/endpoints/table'
import { ServiceError } from '@causeway/contract/errors'
import type { KeyScope } from '@causeway/contract/fields/key-scopes'
import type { Route } from './route.js'

const needsKey = ({ auth = 'secret' }: Endpoint) => auth === 'secret'
const keyed = endpoints.filter(needsKey)
const scopes = new Map(keyed.map(endpoint => [`${endpoint.method} ${endpoint.path}`, scopeOfEndpoint(endpoint)]))

/** Returns the scope that a secret key must have for a route, or undefined if the route requires none. */
export const scopeOf = ({ method, path }: Route): KeyScope | undefined => scopes.get(`${method} ${path}`)

const patternOf = (path: string) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`)
const patterns = keyed.map(({ method, path, ...endpoint }) => ({
  method,
  isPlain: !path.includes(':'),
  pattern: patternOf(path),
  scope: scopeOfEndpoint({ method, ...endpoint }),
}))
const keyless = endpoints
  .filter(endpoint => !needsKey(endpoint))
  .map(({ method, path }) => ({ method, pattern: patternOf(path) }))

/** Returns true for a request path of an endpoint that accepts no secret key or needs none. */
export const isKeyless = (method: string, path: string): boolean =>
  keyless.some(each => each.method === method && each.pattern.test(path))

/**
 * Returns the scope required for a request path. Used for stored responses, whose rows include the path but not the
 * route.
 */
export function scopeOfPath(method: string, path: string): KeyScope | undefined {
  const fit = patterns.filter(each => each.method === method && each.pattern.test(path))
  return (fit.find(each => each.isPlain) ?? fit[0])?.scope
}

/** If the key lacks the scope, throws a FORBIDDEN error that names it. Pure. */
export function requireScope(has: ReadonlySet<KeyScope>, scope: KeyScope): void {
  if (!has.has(scope))
    throw new ServiceError(
      'FORBIDDEN',
      `This key lacks the ${scope} scope, which the request requires. To create a key with that scope, use POST /team/keys.`,
    )
}
