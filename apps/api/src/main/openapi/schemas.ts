import type { Endpoint } from '@causeway/contract/endpoints/endpoint'
import { type Component, components, endpoints } from '@causeway/contract/endpoints/table'
import type { Version } from '@causeway/contract/versions'
import { z } from 'zod'
import { fieldsAfter, requestAt, schemaAt } from '../../versions/chain.js'

/** A JSON Schema in the 2020-12 dialect, limited to the features that this API uses. */
export interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  [keyword: string]: unknown
}

const refTo = (name: string) => `#/components/schemas/${name}`

/**
 * Generates schemas, keyed by name. Response schemas allow additional fields, so that a new field does not break
 * clients.
 */
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

/** All of an API version's schemas. */
export interface Schemas {
  readonly components: Record<string, Schema>
  /** Returns a reference to a component, or the schema itself if it is not a component. */
  answer(schema: z.ZodType): Schema
  body(endpoint: Endpoint): Schema | undefined
  parameter(schema: z.ZodType): Schema
}

/** Removes the fields that were added after a version. */
function without(schema: Schema, fields: readonly string[]): Schema {
  if (fields.length === 0 || !schema.properties) return schema
  const properties = Object.fromEntries(Object.entries(schema.properties).filter(([name]) => !fields.includes(name)))
  return { ...schema, properties, required: (schema.required ?? []).filter(name => !fields.includes(name)) }
}

/** Returns an endpoint's request body in a version. */
export const bodyAt = ({ method, path, body }: Endpoint, version: Version): z.ZodType | undefined =>
  requestAt(version, `${method} ${path}`).body ?? body

export function schemasOf(version: Version): Schemas {
  const names = new Map<z.ZodType, string>(components.map(({ schema, name }) => [schema, name]))
  const inline = (schema: z.ZodType | undefined, into: Map<z.ZodType, string>) => {
    if (schema && !into.has(schema)) into.set(schema, `inline ${into.size}`)
  }
  const formOf = ({ kind }: Component) => kind && schemaAt(version, kind)
  for (const component of components) {
    const form = formOf(component)
    if (form) names.set(form, `${component.name} of ${version}`)
  }
  const bodies = new Map<z.ZodType, string>()
  for (const endpoint of endpoints) {
    const { answer, query } = endpoint
    const asked = requestAt(version, `${endpoint.method} ${endpoint.path}`)
    inline(answer, names)
    inline(bodyAt(endpoint, version), bodies)
    for (const parameter of [...Object.values(query ?? {}), ...Object.values(asked.query ?? {})])
      inline(parameter, bodies)
  }
  const outputs = generate(names, 'output')
  const inputs = generate(bodies, 'input')
  const isComponent = new Set(components.map(({ name }) => name))
  return {
    components: Object.fromEntries(
      components.map(component => {
        const { name, kind } = component
        const form = formOf(component)
        if (form) return [name, outputs.get(names.get(form)!)!]
        return [name, without(outputs.get(name)!, kind === undefined ? [] : fieldsAfter(version, kind))]
      }),
    ),
    answer(schema) {
      const name = names.get(schema)!
      return isComponent.has(name) ? { $ref: refTo(name) } : outputs.get(name)!
    },
    body(endpoint) {
      const body = bodyAt(endpoint, version)
      return body && inputs.get(bodies.get(body)!)
    },
    parameter: schema => inputs.get(bodies.get(schema)!)!,
  }
}
