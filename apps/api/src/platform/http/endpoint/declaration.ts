/**
 * Checks a request against the parameters and body that its endpoint declares in the request's version. Rejects unknown
 * filter values, and lists the request's unknown fields.
 */
import type { Endpoint } from '@causeway/contract/declaration/endpoint'
import { endpoints } from '@causeway/contract/endpoints/table'
import { ServiceError } from '@causeway/contract/errors'
import type { Version } from '@causeway/contract/versions'
import { z } from 'zod'
import type { Versions } from '../../scope.js'
import { place } from '../request/field-place.js'
import type { Route } from './route.js'

/** Endpoints, keyed by method and path. */
const named = new Map<string, Endpoint>(endpoints.map(endpoint => [`${endpoint.method} ${endpoint.path}`, endpoint]))

/**
 * Returns the declared endpoint for a method and a computed path, such as a product's path. `Body` is the type of its
 * body, and `Path` contains the names of its parameters.
 */
export function declared<Body extends z.ZodType, const Path extends string = string>(
  method: Endpoint['method'],
  path: Path,
): Endpoint & { path: Path; body: Body } {
  const endpoint = named.get(`${method} ${path}`)
  if (!endpoint) throw new Error(`The contract does not declare ${method} ${path}.`)
  return endpoint as Endpoint & { path: Path; body: Body }
}

/** Removes the brackets at the end of a list parameter's name, if any. */
const bare = (name: string) => name.replace(/\[\]$/, '')

/** Parameters that every endpoint accepts. `expand[]` values are checked elsewhere. */
const common = ['expand', 'idempotency_key']

/** The names and allowed values of an endpoint's parameters in a given version. */
interface Parameters {
  readonly all: ReadonlySet<string>
  /** The allowed values of each parameter that declares them. */
  readonly known: ReadonlyMap<string, readonly string[]>
}

const parameters = new WeakMap<Versions, Map<string, Parameters>>()

function queryOf(versions: Versions, { method, path }: Route, version: Version): Parameters {
  const name = `${method} ${path}`
  const ofVersions = parameters.get(versions) ?? new Map<string, Parameters>()
  parameters.set(versions, ofVersions)
  const made = ofVersions.get(`${version} ${name}`)
  if (made) return made
  const lacked = versions.lackedParameters(version)
  const query = Object.entries({ ...named.get(name)?.query, ...versions.requestAt(version, name).query }).flatMap(
    ([key, schema]) => (lacked.includes(key) ? [] : [{ key: bare(key), schema }]),
  )
  const known = query.flatMap(({ key, schema }) =>
    schema instanceof z.ZodEnum ? [[key, schema.options.map(String)] as const] : [],
  )
  const found = { all: new Set(query.map(({ key }) => key)), known: new Map(known) }
  ofVersions.set(`${version} ${name}`, found)
  return found
}

/** Returns true if the endpoint declares the query parameter and a request can omit it. */
export const isOptional = (versions: Versions, route: Route, version: Version, name: string): boolean =>
  queryOf(versions, route, version).all.has(bare(name)) &&
  !named.get(`${route.method} ${route.path}`)?.required?.includes(bare(name))

/**
 * Returns the different values of a filter, which may be sent once or repeatedly, as in `status[]=a&status[]=b`. Returns
 * an empty list if the filter was not sent.
 */
export const valuesOf = (query: URLSearchParams, name: string): string[] => [
  ...new Set(sentFor(query, name).filter(value => value !== '')),
]

const sentFor = (query: URLSearchParams, name: string) => [...query.getAll(name), ...query.getAll(`${name}[]`)]

/** Rejects unknown filter values, because they would match nothing. */
export function checkKnown(query: URLSearchParams, name: string, known: readonly string[]): void {
  const values = sentFor(query, name)
  if (values.every(value => known.includes(value))) return
  const several = values.some(value => value.includes(',')) ? ` Send several as ${name}[]=a&${name}[]=b.` : ''
  throw new ServiceError('INVALID_REQUEST', `${name} must be one of: ${known.join(', ')}.${several}`)
}

/** Rejects unknown values of filters whose allowed values the endpoint declares. */
export function checkFilters(versions: Versions, route: Route, version: Version, query: URLSearchParams): void {
  if (query.size === 0) return
  for (const [name, known] of queryOf(versions, route, version).known) checkKnown(query, name, known)
}

const noFields = z.object({})
const MAX_PATHS = 20
const MAX_BYTES = 2_048

const unknownParameters = (known: ReadonlySet<string>, query: URLSearchParams): string[] =>
  [...new Set([...query.keys()].map(bare))]
    .filter(each => !known.has(each) && !common.includes(each))
    .map(each => `?${each}`)

/**
 * Returns the value of the `Service-Unknown-Fields` header: the percent-encoded paths of the query parameters and body
 * fields that the request contains but the endpoint doesn't have. Returns undefined if there are none.
 */
export function unknownFields(
  versions: Versions,
  route: Route,
  version: Version,
  query: URLSearchParams,
  body: Record<string, unknown>,
  enveloped: boolean,
): string | undefined {
  const name = `${route.method} ${route.path}`
  const endpoint = named.get(name)
  if (!endpoint) return undefined
  if (route.method === 'GET' && query.size === 0) return undefined
  const paths = query.size === 0 ? [] : unknownParameters(queryOf(versions, route, version).all, query)
  const schema = versions.requestAt(version, name, enveloped).body ?? endpoint.body
  if (route.method !== 'GET') collect([schema ?? noFields], body, [], paths)
  let header = ''
  for (const path of paths.slice(0, MAX_PATHS)) {
    if (path === '') continue
    const next = `${header}${header && ','}${encodeURIComponent(path)}`
    if (next.length > MAX_BYTES) break
    header = next
  }
  return header || undefined
}

/** Returns the schemas inside optional, nullable and union schemas. */
function unwrap(schema: z.ZodType): z.ZodType[] {
  if (schema instanceof z.ZodUnion) return (schema.options as z.ZodType[]).flatMap(unwrap)
  const { innerType } = schema.def as { innerType?: z.ZodType }
  return innerType ? unwrap(innerType) : [schema]
}

/**
 * Collects the paths of fields that are in none of the schemas. Schemas other than object and array schemas accept
 * anything.
 */
function collect(schemas: readonly z.ZodType[], value: unknown, path: (string | number)[], into: string[]): void {
  if (typeof value !== 'object' || value === null || into.length >= MAX_PATHS) return
  const all = schemas.flatMap(unwrap)
  if (Array.isArray(value)) {
    const items = all.flatMap(each => (each instanceof z.ZodArray ? [each.element as z.ZodType] : []))
    if (items.length > 0) for (const [index, item] of value.entries()) collect(items, item, [...path, index], into)
    return
  }
  const objects = all.filter(each => each instanceof z.ZodObject)
  if (objects.length === 0 || all.some(each => each instanceof z.ZodRecord || each instanceof z.ZodUnknown)) return
  for (const [key, inner] of Object.entries(value)) {
    const fields = objects.flatMap(each => (Object.hasOwn(each.shape, key) ? [each.shape[key] as z.ZodType] : []))
    if (fields.length === 0) into.push(place([...path, key]))
    else collect(fields, inner, [...path, key], into)
  }
}
