import { fillPath, queryString } from './address.js'
import type { Endpoints } from './contract.gen.js'
import type { Ids, Name, Params, Query, Result, Shaped } from './endpoints.js'
import { type WithResponse, withLastResponse } from './last-response.js'
import type { Method, RequestOptions } from './options.js'
import { list, type Pages } from './page.js'
import type { Send } from './transport.js'

/** The value in a response's `data` field, by the endpoint's shape. */
type Inside<N extends Name> = Endpoints[N]['shape'] extends 'gone'
  ? undefined
  : Endpoints[N]['shape'] extends 'map'
    ? Record<string, Result<N>>
    : Result<N>

/**
 * One function for each response shape, so that a resource can be declared as a list of its endpoints. `beside`
 * contains the query parameters of a write that also has a body.
 */
export interface Verbs {
  /** Returns the body, which is the resource. */
  one<N extends Shaped<'one' | 'raw'>>(
    name: N,
    ids: Ids<N>,
    params?: Params<N>,
    options?: RequestOptions,
    beside?: Query<N>,
  ): Promise<WithResponse<Result<N>>>
  /** Returns `data` from a body of the form `{ data: … }`. */
  data<N extends Shaped<'wrapped' | 'map' | 'gone'>>(
    name: N,
    ids: Ids<N>,
    params?: Params<N>,
    options?: RequestOptions,
  ): Promise<WithResponse<Inside<N>>>
  list<N extends Shaped<'list'>>(name: N, ids: Ids<N>, params?: Params<N>, options?: RequestOptions): Pages<Result<N>>
  /** Returns the body, which is a file, as text. */
  text<N extends Shaped<'raw'>>(name: N, ids: Ids<N>, options?: RequestOptions): Promise<string>
  /** The same functions, authenticated with a holder's token instead of the team's key. */
  as(token: string): Verbs
}

export function createVerbs(send: Send, token?: string): Verbs {
  const call = <T>(
    name: Name,
    ids: readonly string[],
    params?: object,
    options?: RequestOptions,
    beside: object = {},
  ) => {
    const [method, template] = name.split(' ') as [Method, string]
    const path = fillPath(template, ids)
    const isRead = method === 'GET' || method === 'DELETE'
    return send<T>({
      method,
      route: template,
      path: path + queryString(isRead ? params : beside),
      body: isRead ? undefined : (params ?? {}),
      token,
      options,
    })
  }
  const get = (name: string, ids: readonly string[]) => {
    const route = name.slice('GET '.length)
    return { method: 'GET' as const, route, path: fillPath(route, ids) }
  }
  return {
    one: (name, ids, params, options, beside) =>
      call<Result<typeof name>>(name, ids, params, options, beside).then(({ body, response }) =>
        withLastResponse(body, response),
      ),
    data: (name, ids, params, options) =>
      call<{ data: Inside<typeof name> }>(name, ids, params, options).then(({ body, response }) =>
        withLastResponse((body.data ?? undefined) as Inside<typeof name>, response),
      ),
    list: (name, ids, params, options) => list(send, get(name, ids), params, options),
    text: (name, ids, options) =>
      send<string>({ ...get(name, ids), token, file: true, options }).then(({ body }) => body),
    as: other => createVerbs(send, other),
  }
}
