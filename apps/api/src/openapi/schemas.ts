import { components, endpoints } from '@causeway/contract/endpoints/table'
import type { Version } from '@causeway/contract/versions'
import { z } from 'zod'
import { fieldsAfter } from '../versions/chain.js'

/** A JSON schema of the 2020-12 dialect, as far as this API uses it. */
export interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  [keyword: string]: unknown
}

const refTo = (name: string) => `#/components/schemas/${name}`

/** Schemas by name, without what belongs to a file of their own; and of answers open, so that a new field breaks nobody. */
function generate(named: ReadonlyMap<z.ZodType, string>, io: 'input' | 'output'): Map<string, Schema> {
  const registry = z.registry<{ id: string }>()
  for (const [schema, id] of named) registry.add(schema, { id })
  const made = z.toJSONSchema(registry, { io, uri: refTo }).schemas as unknown as Record<string, Schema>
  return new Map(
    Object.entries(made).map(([name, { $schema, $id, id, ...schema }]) => [
      name,
      io === 'output' ? (open(schema) as Schema) : schema,
    ]),
  )
}

function open(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(open)
  if (typeof value !== 'object' || value === null) return value
  const { additionalProperties, ...rest } = value as Schema
  const inner = Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, open(part)]))
  return additionalProperties === undefined || additionalProperties === false
    ? inner
    : { ...inner, additionalProperties: open(additionalProperties) }
}

/** All schemas of one version of the API. */
export interface Schemas {
  readonly components: Record<string, Schema>
  /** Where it is no component, the schema itself. */
  answer(schema: z.ZodType): Schema
  body(schema: z.ZodType): Schema
  parameter(schema: z.ZodType): Schema
}

/** A schema without the fields that came after a version. */
function without(schema: Schema, fields: readonly string[]): Schema {
  if (fields.length === 0 || !schema.properties) return schema
  const properties = Object.fromEntries(Object.entries(schema.properties).filter(([name]) => !fields.includes(name)))
  return { ...schema, properties, required: (schema.required ?? []).filter(name => !fields.includes(name)) }
}

export function schemasOf(version: Version): Schemas {
  const names = new Map<z.ZodType, string>(components.map(({ schema, name }) => [schema, name]))
  const inline = (schema: z.ZodType | undefined, into: Map<z.ZodType, string>) => {
    if (schema && !into.has(schema)) into.set(schema, `inline ${into.size}`)
  }
  const bodies = new Map<z.ZodType, string>()
  for (const { answer, body, query } of endpoints) {
    inline(answer, names)
    inline(body, bodies)
    for (const parameter of Object.values(query ?? {})) inline(parameter, bodies)
  }
  const outputs = generate(names, 'output')
  const inputs = generate(bodies, 'input')
  const isComponent = new Set(components.map(({ name }) => name))
  return {
    components: Object.fromEntries(
      components.map(({ name, kind }) => [
        name,
        without(outputs.get(name)!, kind === undefined ? [] : fieldsAfter(version, kind)),
      ]),
    ),
    answer(schema) {
      const name = names.get(schema)!
      return isComponent.has(name) ? { $ref: refTo(name) } : outputs.get(name)!
    },
    body: schema => inputs.get(bodies.get(schema)!)!,
    parameter: schema => inputs.get(bodies.get(schema)!)!,
  }
}
