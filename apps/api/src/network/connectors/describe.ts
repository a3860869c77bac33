import { z } from 'zod'

interface Json {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Json[]
  oneOf?: Json[]
  items?: Json
  prefixItems?: Json[]
  properties?: Record<string, Json>
  required?: string[]
  additionalProperties?: Json | boolean
  description?: string
}

export interface Describer {
  /** Returns a schema as a one-line type. */
  shown(schema: z.ZodType): string
  /** Returns an object's fields. */
  fields(schema: z.ZodType): { name: string; type: string; what: string }[]
  /** The named types found so far. */
  named: Map<string, string>
}

/** Creates a describer for the schemas that one page shows. */
export function createDescriber(): Describer {
  const named = new Map<string, string>()

  function read(schema: z.ZodType): Json {
    const { $defs = {}, ...json } = z.toJSONSchema(schema, { io: 'input' }) as Json & { $defs?: Record<string, Json> }
    for (const [name, shape] of Object.entries($defs)) named.set(name, typeOf(shape))
    return json
  }

  return {
    named,
    shown: schema => typeOf(read(schema)),
    fields: schema =>
      Object.entries(read(schema).properties ?? {}).map(([name, field]) => ({
        name,
        type: typeOf(field),
        what: field.description ?? '',
      })),
  }
}

function typeOf(schema: Json): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1)!
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map(each => JSON.stringify(each)).join(' | ')
  const either = schema.anyOf ?? schema.oneOf
  if (either) return either.map(typeOf).join(' | ')
  if (schema.prefixItems) return `[${schema.prefixItems.map(typeOf).join(', ')}]`
  if (schema.type === 'array') return listOf(typeOf(schema.items ?? {}))
  if (schema.properties) return objectOf(schema.properties, schema.required ?? [])
  if (schema.type === 'object') {
    const { additionalProperties: rest } = schema
    return typeof rest === 'object' && Object.keys(rest).length > 0 ? `{ [name]: ${typeOf(rest)} }` : 'object'
  }
  return [schema.type ?? 'anything'].flat().join(' | ')
}

const listOf = (item: string) => (item.includes(' | ') ? `(${item})[]` : `${item}[]`)

function objectOf(properties: Record<string, Json>, required: readonly string[]): string {
  const fields = Object.entries(properties).map(
    ([name, field]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(field)}`,
  )
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}
