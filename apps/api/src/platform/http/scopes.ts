import { scopeOf as scopeOfEndpoint } from '@causeway/contract/endpoints/endpoint'
import { endpoints } from '@causeway/contract/endpoints/table'
import { ServiceError } from '@causeway/contract/errors'
import type { KeyScope } from '@causeway/contract/resources/team'
import type { Route } from './route.js'

const keyed = endpoints.filter(({ auth = 'secret' }) => auth === 'secret')
const scopes = new Map(keyed.map(endpoint => [`${endpoint.method} ${endpoint.path}`, scopeOfEndpoint(endpoint)]))

/** The scope that a secret key needs for a route, as the contract declares it; undefined if it needs none. */
export const scopeOf = ({ method, path }: Route): KeyScope | undefined => scopes.get(`${method} ${path}`)

const patterns = keyed.map(({ method, path, ...endpoint }) => ({
  method,
  isPlain: !path.includes(':'),
  pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
  scope: scopeOfEndpoint({ method, ...endpoint }),
}))

/** Returns the same for a requested path. A stored response has only the path, not the route. */
export function scopeOfPath(method: string, path: string): KeyScope | undefined {
  const fit = patterns.filter(each => each.method === method && each.pattern.test(path))
  return (fit.find(each => each.isPlain) ?? fit[0])?.scope
}

/** Throws FORBIDDEN, naming the scope, if a key lacks one. Pure. */
export function requireScope(has: ReadonlySet<KeyScope>, scope: KeyScope): void {
  if (!has.has(scope))
    throw new ServiceError(
      'FORBIDDEN',
      `This key lacks the scope ${scope}, which the request requires. POST /team/keys creates a key with it.`,
    )
}
