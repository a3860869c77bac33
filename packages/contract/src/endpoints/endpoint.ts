import { z } from 'zod'
import type { ErrorSubType } from '../errors.js'
import type { KeyScope } from '../resources/team.js'
import type { Version } from '../versions.js'
import { codesOf } from './body-messages.js'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

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
   * The form of the answer in the body at the root: bare (the default), `{ data: [...] }`, `{ data: { name: … } }`, `{
   * data: null }`, `{ success, data, message }`, or the same on both mounts.
   */
  readonly shape?: 'one' | 'list' | 'map' | 'gone' | 'wrapped' | 'raw'
  /** Content type of a raw answer that is not JSON. */
  readonly type?: string
  /** Beside those that every endpoint of its kind has, and those that `body` names: see `errorsOf`. */
  readonly errors?: readonly ErrorSubType[]
  /** The first version that has it; left out: all. */
  readonly since?: Version
  readonly sandbox?: true
  /** Kept for older clients; the description says what to use. */
  readonly deprecated?: true
  /** Who may call: a secret key (the default), an Opal token, or anybody. */
  readonly auth?: 'secret' | 'opal' | 'none'
  /**
   * The scope that a secret key needs. Left out: `read` for a GET, `write` for the rest. `read` is for a POST that changes
   * nothing and keeps its input out of the address. See {@link scopeOf}.
   */
  readonly scope?: Exclude<KeyScope, 'write'>
  readonly example: { readonly request?: unknown; readonly answer: unknown }
}

/** Endpoints that belong together. */
export interface Family {
  readonly name: string
  readonly about: string
  /** By operation id, in the order that they are read. */
  readonly endpoints: Readonly<Record<string, Endpoint>>
}

/** Declares an endpoint, and keeps the types of its path, query, and body for its implementation. */
export const endpoint = <const E extends Endpoint>(declared: E): E => declared

/** The same endpoint at a path that clients of older libraries use. */
export const alias = <E extends Endpoint, const P extends string>(
  declared: E,
  path: P,
): E & { path: P; deprecated: true } => ({
  ...declared,
  path,
  deprecated: true,
})

/** The query of every list. Source: contract, pagination. */
export const paging = {
  page: z.int().min(1).describe('The page number, from 1. Counts the whole list. Do not send it with page_cursor'),
  page_limit: z.int().min(1).describe('Items per page. Default and maximum: 100'),
  page_cursor: z
    .string()
    .describe('A value of Pagination-Page-Cursor-Next or -Prev. Equally fast anywhere in the list'),
  from_date: z.iso.date().describe('First day of creation, UTC, inclusive'),
  to_date: z.iso.date().describe('Last day of creation, UTC, inclusive'),
} as const

/** The `expand[]` parameter of an endpoint. */
export const expand = (fields: readonly string[]) => ({
  'expand[]': z.array(z.enum(fields)).describe('Ids to replace with their objects in this response'),
})

/** The body of a consent. */
export const consentInput = (reason: string) =>
  z.object({ type: z.enum(['withdraw', 'grant']), reason: z.literal(reason).nullable().optional() })

/** Returns true for text without control characters. */
export const isPrintable = (text: string): boolean => !/\p{Cc}/u.test(text)

/** Returns true for a name without control characters, invisible characters, or characters that change the text's direction. */
export const isPlain = (text: string): boolean => !/[\p{Cc}\p{Bidi_Control}\u200b\u2060\ufeff]/u.test(text)

/** An address. Which ones are allowed depends on where the service runs, so a feature decides it. */
export const address = z.string().max(2_000).meta({ format: 'uri' })

/** Metadata of a request: less than 1,024 bytes of compact JSON. @param tooLarge the error of a longer one */
export const metadataInput = (tooLarge: ErrorSubType) =>
  z
    .record(z.string(), z.unknown(), { error: 'must be a JSON object' })
    .refine(value => bytes(JSON.stringify(value)) < 1_024, tooLarge)
    .nullable()
    .optional()
    .describe('Stored and returned unchanged: an object of less than 1,024 bytes of JSON')

/** The length of a text in UTF-8. */
function bytes(text: string): number {
  let sum = 0
  for (const character of text) {
    const point = character.codePointAt(0)!
    sum += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
  }
  return sum
}

/** The names of a path's parameters. */
export const paramsOf = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)

const anyone: readonly ErrorSubType[] = ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE', 'TOO_MANY_REQUESTS']
const caller: readonly ErrorSubType[] = ['INVALID_REQUEST', 'UNAUTHORIZED', 'FORBIDDEN', 'INVALID_VERSION']
const keyed: readonly ErrorSubType[] = ['IDEMPOTENCY_UNAVAILABLE', 'IDEMPOTENCY_KEY_IN_USE']

/** The scope that a secret key needs for an endpoint. */
export const scopeOf = ({ method, scope }: Pick<Endpoint, 'method' | 'scope'>): KeyScope =>
  scope ?? (method === 'GET' ? 'read' : 'write')

/** Returns true for an endpoint whose requests take an Idempotency-Key. */
export const isKeyed = ({ method, scope }: Pick<Endpoint, 'method' | 'scope'>): boolean =>
  method === 'POST' && scope !== 'read'

/** Every sub_type that an endpoint can be refused with. */
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
