import { query } from './address.js'
import { list, type Page } from './page.js'
import type { RequestOptions, Send } from './transport.js'

/** Which ids come back as objects, for this answer only. */
export interface ExpandParams {
  /** Field names such as `connect` or `connect.accounts`. */
  expand?: readonly string[]
}

/** The few shapes that requests have, so that a resource is a list of its addresses. */
export interface Verbs {
  get<T>(path: string, params?: object, options?: RequestOptions): Promise<T>
  list<T>(path: string, params?: object, options?: RequestOptions): Promise<Page<T>>
  post<T>(path: string, body: unknown, options?: RequestOptions): Promise<T>
  put<T>(path: string, body: unknown, options?: RequestOptions): Promise<T>
  patch<T>(path: string, body: unknown, options?: RequestOptions): Promise<T>
  delete<T>(path: string, options?: RequestOptions): Promise<T>
}

export function createVerbs(send: Send): Verbs {
  const write =
    (method: 'POST' | 'PUT' | 'PATCH') =>
    async <T>(path: string, body: unknown, options?: RequestOptions) =>
      (await send<T>({ method, path, body, options })).body
  return {
    get: async <T>(path: string, params?: object, options?: RequestOptions) =>
      (await send<T>({ method: 'GET', path: path + query(params), options })).body,
    list: (path, params, options) => list(send, path, params, options),
    post: write('POST'),
    put: write('PUT'),
    patch: write('PATCH'),
    delete: async <T>(path: string, options?: RequestOptions) =>
      (await send<T>({ method: 'DELETE', path, options })).body,
  }
}
