import type { Body, Name, Query, Result } from './endpoints.js'
import type { WithResponse } from './last-response.js'
import type { RequestOptions } from './options.js'
import type { Pages } from './page.js'
import type { Verbs } from './verbs.js'

type CreatePath = Name extends infer N ? (N extends `POST ${infer P}` ? P : never) : never
/** The paths of records, which can be created for a holder, listed, and read individually. */
export type RecordsPath = CreatePath extends infer P
  ? P extends string
    ? `GET ${P}` extends Name
      ? `GET ${P}/:id` extends Name
        ? P
        : never
      : never
    : never
  : never

export interface Records<P extends RecordsPath> {
  create(
    holder: string,
    params?: Body<`POST ${P}`>,
    options?: RequestOptions,
  ): Promise<WithResponse<Result<`POST ${P}`>>>
  retrieve(holder: string, id: string, options?: RequestOptions): Promise<WithResponse<Result<`GET ${P}/:id`>>>
  list(holder: string, params?: Query<`GET ${P}`>, options?: RequestOptions): Pages<Result<`GET ${P}`>>
}

/** The methods for a generic path, without the types of an endpoint. */
interface Untyped {
  one(name: string, ids: readonly string[], params?: object, options?: RequestOptions): Promise<never>
  list(name: string, ids: readonly string[], params?: object, options?: RequestOptions): Pages<never>
}

/** Creates the methods that the records of all products have in common. */
export function createRecords<P extends RecordsPath>(verbs: Verbs, path: P): Records<P> {
  const { one, list } = verbs as unknown as Untyped
  return {
    create: (holder, params, options) => one(`POST ${path}`, [holder], params, options),
    retrieve: (holder, id, options) => one(`GET ${path}/:id`, [holder, id], {}, options),
    list: (holder, params, options) => list(`GET ${path}`, [holder], params, options),
  }
}
