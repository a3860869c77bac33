/** Endpoints that exist only on the console's listener, not in the API. */
import type { Endpoint } from '@causeway/contract/endpoints/endpoint'
import type { z } from 'zod'
import { parse } from '../platform/http/body.js'
import type { Params } from '../platform/http/implement.js'
import type { Route } from '../platform/http/route.js'
import type { Deps } from '../platform/scope.js'
import type { User } from './users.js'

/** A request from a signed-in user. */
export interface Given {
  readonly deps: Deps
  readonly user: User
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The parsed body, or `{}` if there is none. */
  readonly body: Record<string, unknown>
}

export interface Own {
  readonly method: Endpoint['method']
  readonly pattern: RegExp
  /** The route name for limits and logs. */
  readonly route: Route
  run(given: Given): Promise<unknown>
}

type ParamsOf<E extends Endpoint> = Readonly<Record<Params<E['path']>, string>>
type BodyOf<E> = E extends { body: infer Body extends z.ZodType } ? z.output<Body> : undefined

/** Implements a declared endpoint and validates the body before the handler runs. */
export function own<E extends Endpoint>(
  { method, path, body }: E,
  run: (given: Given & { params: ParamsOf<E> }, body: BodyOf<E>) => Promise<z.input<E['answer']>>,
): Own {
  return {
    method,
    pattern: new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>\\w+)')}$`),
    route: { method, path, handle: () => Promise.reject(new Error('The API does not serve this endpoint.')) },
    // The casts are safe: the pattern has a group for each path parameter, and the schema determines the body's type.
    run: given =>
      run({ ...given, params: given.params as ParamsOf<E> }, (body && parse(body, given.body)) as BodyOf<E>),
  }
}

/** Finds the endpoint and path parameters for a request. */
export function match(all: readonly Own[], method: string, path: string) {
  for (const each of all) {
    const found = each.method === method ? each.pattern.exec(path) : null
    if (found) return { own: each, params: { ...found.groups } }
  }
  return undefined
}
