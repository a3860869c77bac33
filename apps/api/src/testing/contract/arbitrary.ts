/** Test helper that generates random values for a JSON schema. */
import fc from 'fast-check'
import type { Schema } from '../../main/openapi/schemas.js'

/** Placeholder for the id of a resource that will exist by the time the value is used. See `settle`. */
const mark = (kind: string, turn: number) => `@${kind}:${turn}`

/** Fields that contain ids, each mapped to the id prefix of its kind of resource. */
const kinds: Readonly<Record<string, string>> = {
  entity_id: 'ent_',
  holder_id: 'ent_',
  source: 'ach_',
  destination: 'acc_',
  reversal_account: 'acc_',
  default_source_account: 'ach_',
  accounts: 'acc_',
  allocations: 'acc_',
  acc_id: 'acc_',
  session_id: 'osess_',
  mch_id: 'mch_',
  mch_ids: 'mch_',
  'liability.mch_id': 'mch_',
  page_cursor: '',
}

/** Generates an id of this kind or, occasionally, of another kind. */
export const idOf = (kind: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 9, arbitrary: fc.nat({ max: 50 }).map(turn => mark(kind, turn)) },
    { weight: 1, arbitrary: fc.nat({ max: 50 }).map(turn => mark('', turn)) },
  )

function text(schema: Schema, name: string): fc.Arbitrary<unknown> {
  const kind = kinds[name]
  if (kind !== undefined) return fc.oneof({ weight: 9, arbitrary: idOf(kind) }, { weight: 1, arbitrary: fc.string() })
  const { format, pattern, minLength = 0, maxLength = 40 } = schema as Record<string, never>
  if (format === 'date')
    return fc.date({ noInvalidDate: true, min: new Date(0) }).map(at => at.toISOString().slice(0, 10))
  if (format === 'date-time') return fc.date({ noInvalidDate: true, min: new Date(0) }).map(at => at.toISOString())
  if (format === 'email') return fc.stringMatching(/^[a-z]{1,8}@[a-z]{1,8}\.com$/)
  if (format === 'uri') return fc.stringMatching(/^https:\/\/[a-z]{1,8}\.example\/[a-z]{0,8}$/)
  // fast-check can't follow lookaheads, which exclude few strings.
  if (pattern) return fc.stringMatching(new RegExp((pattern as string).replaceAll(/\(\?![^)]*\)/g, '')))
  return fc.string({ minLength, maxLength: Math.min(maxLength, 60) })
}

function object(schema: Schema, name: string): fc.Arbitrary<unknown> {
  const { properties, additionalProperties: rest } = schema
  if (!properties) {
    const key = kinds[name] === undefined ? fc.string({ maxLength: 10 }) : idOf(kinds[name])
    return fc.dictionary(key, rest && rest !== true ? valueFor(rest as Schema) : fc.jsonValue({ maxDepth: 1 }), {
      maxKeys: 4,
    })
  }
  const fields = Object.fromEntries(Object.entries(properties).map(([key, field]) => [key, valueFor(field, key)]))
  return fc.record(fields, { requiredKeys: schema.required ?? [] })
}

/**
 * Generates values that a schema allows. `name` is the field's name. `settle` later replaces strings such as `@acc_:3`.
 */
export function valueFor(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  const parts = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined
  if (parts) return fc.oneof(...parts.map(part => valueFor(part, name)))
  if ('const' in schema) return fc.constant(schema['const'])
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]))
  const { minimum, maximum, minItems = 0, maxItems = 4, items } = schema as Record<string, never>
  switch (schema.type) {
    case 'string':
      return text(schema, name)
    case 'integer':
      return fc.oneof(
        fc.integer({ min: Math.max(minimum ?? 0, -1e9), max: Math.min(maximum ?? 1e9, 2e9) }),
        fc.integer({ min: Math.max(minimum ?? 0, 0), max: Math.min(maximum ?? 1e9, 200_000) }),
      )
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      if (items && 'not' in (items as Schema)) return fc.constant([])
      return fc.array(valueFor((items ?? {}) as Schema, name), {
        minLength: minItems,
        maxLength: Math.min(maxItems, 4),
      })
    case 'object':
      return object(schema, name)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

/** Replaces every placeholder in a value, both in keys and in values, with an id. */
export function settle(value: unknown, idAt: (kind: string, turn: number) => string): unknown {
  if (typeof value === 'string')
    return value.replace(/^@([a-z_]*):(\d+)$/, (_, kind: string, turn: string) => idAt(kind, Number(turn)))
  if (Array.isArray(value)) return value.map(item => settle(item, idAt))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [settle(key, idAt) as string, settle(inner, idAt)]),
  )
}

/** Replaces the ids in an example with placeholders. */
export function marked(value: unknown, turn: number, name = ''): unknown {
  if (typeof value === 'string') {
    const prefix = /^([a-z_]+_)[0-9A-Za-z]{13}$/.exec(value)?.[1]
    return prefix ? mark(kinds[name] ?? prefix, turn) : value
  }
  if (Array.isArray(value)) return value.map((item, index) => marked(item, turn + index, name))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [marked(key, turn, name) as string, marked(inner, turn, key)]),
  )
}
