import { endpoints as declared } from '@causeway/contract/endpoints/table'
import { versions } from '@causeway/contract/versions'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { blank, endpoints, makePlaces } from '../testing/contract/endpoints.js'
import { testService } from '../testing/service.js'
import { requestAt } from './chain.js'

const service = await testService()
const at = await makePlaces(service)

/** Objects in requests that can contain fields of any name. The service stores or forwards all of them. */
const freeFormObjects = [
  'allocations',
  'bindings',
  'headers',
  'jwk',
  'metadata',
  'mx.account',
  'mx.transactions[]',
  'payload',
  'plaid.balances',
  'plaid.transactions[]',
  'teller.balances',
  'teller.transactions[]',
]

type Body = Record<string, unknown>
const isBody = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value)
const EXTRA = 'unlisted'

/** Adds a field to a body and to each object in it, except those in `kept`. Adds the paths of these fields to `into`. */
function extended(value: unknown, path: string, into: string[]): unknown {
  if (Array.isArray(value)) return value.map((item, index) => extended(item, `${path}[${index}]`, into))
  if (!isBody(value) || freeFormObjects.includes(path.replaceAll(/\[\d+\]/g, '[]'))) return value
  const under = (key: string) => (path ? `${path}.${key}` : key)
  into.push(under(EXTRA))
  return {
    ...Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, extended(inner, under(key), into)])),
    [EXTRA]: 1,
  }
}

/** Returns the paths in a schema at which a request can contain any field. */
function freeIn(schema: z.ZodType, path: string): string[] {
  if (schema instanceof z.ZodUnion) return (schema.options as z.ZodType[]).flatMap(each => freeIn(each, path))
  const { innerType } = schema.def as { innerType?: z.ZodType }
  if (innerType) return freeIn(innerType, path)
  if (schema instanceof z.ZodArray) return freeIn(schema.element as z.ZodType, `${path}[]`)
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([key, field]) =>
      freeIn(field as z.ZodType, path ? `${path}.${key}` : key),
    )
  const isFree = schema instanceof z.ZodRecord || schema instanceof z.ZodUnknown || schema instanceof z.ZodAny
  return isFree ? [path] : []
}

describe('a request', () => {
  it('can contain fields of any name only where all of them are stored or forwarded', () => {
    const free = new Set<string>()
    for (const { method, path, body } of declared)
      for (const version of versions)
        for (const enveloped of [false, true]) {
          const schema = requestAt(version, `${method} ${path}`, enveloped).body ?? body
          for (const place of schema ? freeIn(schema, '') : []) free.add(place)
        }
    expect([...free].sort()).toEqual(freeFormObjects)
  })

  it.each(endpoints(blank).map(({ name }, index) => ({ name, index })))(
    'reports each field that it does not read, on both mounts: $name',
    async ({ index }) => {
      const { path, body, method = 'POST' } = endpoints(at)[index]!
      const expected: string[] = []
      const extendedBody = extended(body, '', expected)
      for (const mount of ['', '/enveloped'])
        for (const version of versions) {
          const reply = await service.call(method, mount + path, extendedBody, { 'service-version': version })
          const headerFields = decodeURIComponent(reply.headers.get('service-unknown-fields') ?? '').split(',')
          expect([mount, version, headerFields.filter(each => each.endsWith(EXTRA)).sort()]).toEqual([
            mount,
            version,
            [...expected].sort(),
          ])
        }
    },
  )
})
