import { z } from 'zod'
import type { ErrorSubType } from '../errors.js'
import type { KeyScope } from '../fields/key-scopes.js'
import type { Version } from '../versions.js'
import { codesOf } from './body-messages.js'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * The contract of one endpoint. The OpenAPI document, the reference page and the response tests are generated from it.
 * The path uses the router's syntax: `/entities/:ent_id`.
 */
export interface Endpoint {
  readonly method: Method
  readonly path: string
  readonly summary: string
  /** Markdown without headings. Covers units, side effects and causes of slow responses. */
  readonly description?: string
  /** Query parameters by name. */
  readonly query?: Readonly<Record<string, z.ZodType>>
  /** The names of the required query parameters. Each parameter's description says what to send. */
  readonly required?: readonly string[]
  readonly body?: z.ZodType
  /** The resource's schema. For a list or a map, the schema of one item. */
  readonly answer: z.ZodType
  /**
   * The top-level shape of the response body: a bare resource (the default), `{ data: [...] }`, `{ data: { name: … }
   * }`, `{ data: null }`, `{ success, data, message }`, or the same body on both mounts.
   */
  readonly shape?: 'one' | 'list' | 'map' | 'gone' | 'wrapped' | 'raw'
  /** Content type of a raw response that is not JSON. */
  readonly type?: string
  /** Errors that `errorsOf` does not derive from `body` and the other fields. */
  readonly errors?: readonly ErrorSubType[]
  /** The first version that includes the endpoint. Default: all versions. */
  readonly since?: Version
  readonly sandbox?: true
  /** Kept for older clients. The description names the replacement. */
  readonly deprecated?: true
  /** The required credential: a secret key (the default), an Opal token, or none. */
  readonly auth?: 'secret' | 'opal' | 'none'
  /**
   * The scope that a secret key needs. Default: `read` for a GET, `write` for any other method. A POST uses `read` if
   * it changes nothing and is a POST only to keep its input out of the URL. See {@link scopeOf}.
   */
  readonly scope?: Exclude<KeyScope, 'write'>
  readonly example: { readonly request?: unknown; readonly answer: unknown }
}

/** A group of related endpoints. */
export interface Family {
  readonly name: string
  readonly about: string
  /** Endpoints by operation id, in the order of the reference. */
  readonly endpoints: Readonly<Record<string, Endpoint>>
}

/** Declares an endpoint and preserves the types of its path, query and body for its implementation. */
export const endpoint = <const E extends Endpoint>(declared: E): E => declared

/** Declares the same endpoint under a path that older client libraries use. */
export const aliasOf = <E extends Endpoint, const P extends string>(
  declared: E,
  path: P,
): E & { path: P; deprecated: true } => ({
  ...declared,
  path,
  deprecated: true,
})

/** The query parameters of every list. Source: contract, pagination. */
export const paging = {
  page: z
    .int()
    .min(1)
    .describe(
      'The page number, starting at 1. If you send it, the service counts the entire list, which is slower. Cannot be combined with page_cursor',
    ),
  page_limit: z.int().min(1).describe('The number of items per page. Default and maximum: 100'),
  page_cursor: z
    .string()
    .describe('A value from the Pagination-Page-Cursor-Next or -Prev header. Later pages are as fast as the first'),
  from_date: z.iso.date().describe('Only items created on or after this day, in UTC'),
  to_date: z.iso.date().describe('Only items created on or before this day, in UTC'),
} as const

/** The highest count that `count=capped` returns. */
export const MAX_COUNT = 10_000

/** The parameter with which a list counts its items at a limited cost. */
export const counting = {
  count: z
    .enum(['capped'])
    .describe(
      'Counts the matching items, up to 10,000, and returns the count in the Pagination-Total-Count header. If more items match, the Pagination-Total-Count-Capped header is `true`. Cannot be combined with page',
    ),
} as const

/** The parameter with which a list is sorted. Every list is sorted by ids, which sort by the time of creation. */
export const sorting = {
  sort: z
    .enum(['created_at', '-created_at'])
    .describe('`created_at` lists the oldest items first. Default: `-created_at`, the latest items first'),
} as const

/** The `expand[]` parameter of an endpoint. */
export const expand = (fields: readonly string[]) => ({
  'expand[]': z
    .array(z.enum(fields))
    .describe('The fields whose ids are replaced with the full objects in this response'),
})

/** The request body for granting or withdrawing consent. */
export const consentInput = (reason: string) =>
  z.object({ type: z.enum(['withdraw', 'grant']), reason: z.literal(reason).nullable().optional() })

/**
 * Matches the beginning of a URL that the service calls or displays. A host on this machine is accepted only in the
 * sandbox.
 */
export const urlStart = /^(https:\/\/|http:\/\/(localhost|127\.|\[::1\]|[a-z0-9.-]+\.localhost))/

/**
 * A URL. The allowed hosts depend on the deployment, so each feature checks the URL separately; the pattern only
 * describes it.
 */
export const address = z.string().max(2_000).meta({
  format: 'uri',
  pattern: urlStart.source,
  description: 'An HTTPS URL without a user name. The sandbox also accepts HTTP on localhost',
})

/**
 * A request's metadata: less than 1,024 bytes of compact JSON.
 * @param tooLarge the error for metadata that is too large
 */
export const metadataInput = (tooLarge: ErrorSubType) =>
  z
    .record(z.string(), z.unknown(), { error: 'must be a JSON object' })
    .refine(value => bytes(JSON.stringify(value)) < 1_024, tooLarge)
    .nullable()
    .optional()
    .describe('A JSON object of less than 1,024 bytes, stored and returned unchanged. Send long numbers as strings')

/** Returns a string's length in UTF-8 bytes. */
function bytes(text: string): number {
  let sum = 0
  for (const character of text) {
    const point = character.codePointAt(0)!
    sum += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
  }
  return sum
}

/** Returns the names of the parameters in a path. */
export const paramsOf = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)

const anyone: readonly ErrorSubType[] = ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE', 'TOO_MANY_REQUESTS']
const caller: readonly ErrorSubType[] = ['INVALID_REQUEST', 'UNAUTHORIZED', 'FORBIDDEN', 'INVALID_VERSION']
const keyed: readonly ErrorSubType[] = ['IDEMPOTENCY_UNAVAILABLE', 'IDEMPOTENCY_KEY_IN_USE']

/** Returns the scope that a secret key needs for an endpoint. */
export const scopeOf = ({ method, scope }: Pick<Endpoint, 'method' | 'scope'>): KeyScope =>
  scope ?? (method === 'GET' ? 'read' : 'write')

/** True for an endpoint that accepts an `Idempotency-Key` header. */
export const isKeyed = ({ method, scope }: Pick<Endpoint, 'method' | 'scope'>): boolean =>
  method === 'POST' && scope !== 'read'

/** Returns every `sub_type` with which an endpoint can reject a request. */
export function errorsOf(endpoint: Endpoint): ErrorSubType[] {
  const all = new Set<ErrorSubType>(anyone)
  const add = (names: readonly ErrorSubType[] = []) => {
    for (const name of names) all.add(name)
  }
  if (endpoint.auth !== 'none') add(caller)
  if (paramsOf(endpoint.path).length > 0) add(['NOT_FOUND'])
  if (endpoint.query?.['page_cursor']) add(['INVALID_SEARCH_PARAMETERS'])
  if (endpoint.method !== 'GET') add(['REQUEST_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'])
  if (isKeyed(endpoint)) add(keyed)
  if (endpoint.body) add(codesOf(endpoint.body))
  add(endpoint.errors)
  return [...all]
}
