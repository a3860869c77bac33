import type { Endpoint } from '@causeway/contract/declaration/endpoint'
import { type Component, components, endpoints } from '@causeway/contract/endpoints/table'
import type { Version } from '@causeway/contract/versions'
import { z } from 'zod'
import { absentFields, fieldSchemasAt, requestAt, schemaAt } from '../../versions/chain.js'

/** The mount to describe. In the `enveloped` mount, every body is wrapped in an envelope. */
export type Mount = 'root' | 'enveloped'

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
function generate(names: ReadonlyMap<z.ZodType, string>, io: 'input' | 'output'): Map<string, Schema> {
  const registry = z.registry<{ id: string }>()
  for (const [schema, id] of names) registry.add(schema, { id })
  const generated = z.toJSONSchema(registry, { io, uri: refTo }).schemas as unknown as Record<string, Schema>
  return new Map(
    Object.entries(generated).map(([name, { $schema, $id, id, ...schema }]) => [
      name,
      io === 'output' ? (allowMoreFields(schema) as Schema) : schema,
    ]),
  )
}

function allowMoreFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(allowMoreFields)
  if (typeof value !== 'object' || value === null) return value
  const { additionalProperties, ...rest } = value as Schema
  const inner = Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, allowMoreFields(part)]))
  return additionalProperties === undefined || additionalProperties === false
    ? inner
    : { ...inner, additionalProperties: allowMoreFields(additionalProperties) }
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
function withoutFields(schema: Schema, fields: readonly string[]): Schema {
  if (fields.length === 0 || !schema.properties) return schema
  const properties = Object.fromEntries(Object.entries(schema.properties).filter(([name]) => !fields.includes(name)))
  return { ...schema, properties, required: (schema.required ?? []).filter(name => !fields.includes(name)) }
}

/** Returns an endpoint's request body in a version and a mount. */
export const bodyAt = (
  { method, path, body }: Endpoint,
  version: Version,
  mount: Mount = 'root',
): z.ZodType | undefined => requestAt(version, `${method} ${path}`, mount === 'enveloped').body ?? body

export function schemasOf(version: Version, mount: Mount = 'root'): Schemas {
  const names = new Map<z.ZodType, string>(components.map(({ schema, name }) => [schema, name]))
  const inline = (schema: z.ZodType | undefined, into: Map<z.ZodType, string>) => {
    if (schema && !into.has(schema)) into.set(schema, `inline ${into.size}`)
  }
  const forms = new Map<Component, z.ZodType>()
  for (const component of components) {
    const { kind, name, schema } = component
    const fields = kind ? fieldSchemasAt(version, kind) : {}
    const own = kind && schemaAt(version, kind)
    const form = own ?? (Object.keys(fields).length > 0 ? (schema as z.ZodObject).extend(fields) : undefined)
    if (!form) continue
    forms.set(component, form)
    names.set(form, `${name} of ${version}`)
  }
  const bodies = new Map<z.ZodType, string>()
  for (const endpoint of endpoints) {
    const { answer, query } = endpoint
    const request = requestAt(version, `${endpoint.method} ${endpoint.path}`)
    inline(answer, names)
    inline(bodyAt(endpoint, version, mount), bodies)
    for (const parameter of [...Object.values(query ?? {}), ...Object.values(request.query ?? {})])
      inline(parameter, bodies)
  }
  const outputs = generate(names, 'output')
  const inputs = generate(bodies, 'input')
  const componentNames = new Set(components.map(({ name }) => name))
  return {
    components: Object.fromEntries(
      components.map(component => {
        const { name, kind, schema } = component
        const output = outputs.get(names.get(forms.get(component) ?? schema)!)!
        const isWhole = kind === undefined || schemaAt(version, kind) !== undefined
        return [name, isWhole ? output : withoutFields(output, absentFields(version, kind))]
      }),
    ),
    answer(schema) {
      const name = names.get(schema)!
      return componentNames.has(name) ? { $ref: refTo(name) } : outputs.get(name)!
    },
    body(endpoint) {
      const body = bodyAt(endpoint, version, mount)
      return body && inputs.get(bodies.get(body)!)
    },
    parameter: schema => inputs.get(bodies.get(schema)!)!,
  }
}
