import { z } from 'zod'
import type { ErrorSubType } from '../errors.js'
import type { Version } from '../versions.js'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * One endpoint, as it is promised. The document, the reference page and the tests of every answer are made from it.
 * A path is written as the router reads it: `/entities/:ent_id`.
 */
export interface Endpoint {
  readonly method: Method
  readonly path: string
  readonly summary: string
  /** Markdown without headings: units, what else happens, where an answer may be slow. */
  readonly description?: string
  /** Query parameters by name. */
  readonly query?: Readonly<Record<string, z.ZodType>>
  readonly body?: z.ZodType
  /** The resource; of a list or a map, one of its items. */
  readonly answer: z.ZodType
  /**
   * How the answer stands in the body at the root: bare (the default), `{ data: [...] }`, `{ data: { name: … } }`,
   * `{ data: null }`, `{ success, data, message }`, or as it is on both mounts.
   */
  readonly shape?: 'one' | 'list' | 'map' | 'gone' | 'wrapped' | 'raw'
  /** Content type of a raw answer that is not JSON. */
  readonly type?: string
  /** Beside those that every endpoint of its kind has: see `errorsOf`. */
  readonly errors?: readonly ErrorSubType[]
  /** The first version that has it; left out: all. */
  readonly since?: Version
  readonly sandbox?: true
  /** Who may call: a secret key (the default), an Opal token, or anybody. */
  readonly auth?: 'secret' | 'opal' | 'none'
  readonly example: { readonly request?: unknown; readonly answer: unknown }
}

/** Endpoints that belong together. */
export interface Family {
  readonly name: string
  readonly about: string
  readonly endpoints: readonly Endpoint[]
}

/** What every list takes. Source: contract, pagination. */
export const paging = {
  page: z.int().min(1).describe('1-based. Counts the list; not together with page_cursor'),
  page_limit: z.int().min(1).describe('Rows of a page: 100 unless told, and at most'),
  page_cursor: z.string().describe('From Pagination-Page-Cursor-Next or -Prev: costs the same anywhere in the list'),
  from_date: z.iso.date().describe('First day of creation, UTC, inclusive'),
  to_date: z.iso.date().describe('Last day of creation, UTC, inclusive'),
} as const

/** The `expand[]` parameter of an endpoint. */
export const expand = (fields: readonly [string, ...string[]]) => ({
  'expand[]': z.array(z.enum(fields)).describe('Ids to replace by their objects, in this answer'),
})

/** The body of a consent. */
export const consentInput = (reason: string) =>
  z.object({ type: z.enum(['withdraw', 'grant']), reason: z.literal(reason).nullable().optional() })

/** Metadata of a request: less than 1,024 bytes of compact JSON. */
export const metadataInput = z
  .record(z.string(), z.unknown())
  .nullable()
  .optional()
  .describe('Kept and shown as it is: an object of less than 1,024 bytes of JSON')

/** The names of a path's parameters. */
export const paramsOf = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)

const anyone: readonly ErrorSubType[] = ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE', 'TOO_MANY_REQUESTS']
const caller: readonly ErrorSubType[] = ['INVALID_REQUEST', 'UNAUTHORIZED', 'FORBIDDEN', 'INVALID_VERSION']
const keyed: readonly ErrorSubType[] = ['IDEMPOTENCY_UNAVAILABLE', 'IDEMPOTENCY_KEY_IN_USE']

/** Every sub_type that an endpoint can be refused with. */
export function errorsOf(endpoint: Endpoint): ErrorSubType[] {
  const all = new Set<ErrorSubType>(anyone)
  const add = (names: readonly ErrorSubType[] = []) => {
    for (const name of names) all.add(name)
  }
  if (endpoint.auth !== 'none') add(caller)
  if (paramsOf(endpoint.path).length > 0) add(['NOT_FOUND'])
  if (endpoint.query?.['page_cursor']) add(['INVALID_SEARCH_PARAMETERS'])
  if (endpoint.method !== 'GET') add(['REQUEST_TOO_LARGE'])
  if (endpoint.method === 'POST') add(keyed)
  add(endpoint.errors)
  return [...all]
}
