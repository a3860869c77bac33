import { z } from 'zod'

interface JsonSchema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  items?: JsonSchema
  prefixItems?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: JsonSchema | boolean
  description?: string
}

export interface Describer {
  /** Returns a schema as a one-line type. */
  describeType(schema: z.ZodType): string
  /** Returns an object's fields. */
  fields(schema: z.ZodType): { name: string; type: string; what: string }[]
  /** The named types found so far. */
  namedTypes: Map<string, string>
}

/** Creates a describer for the schemas that one page shows. */
export function createDescriber(): Describer {
  const namedTypes = new Map<string, string>()

  function read(schema: z.ZodType): JsonSchema {
    const { $defs = {}, ...json } = z.toJSONSchema(schema, { io: 'input' }) as JsonSchema & {
      $defs?: Record<string, JsonSchema>
    }
    for (const [name, shape] of Object.entries($defs)) namedTypes.set(name, formatType(shape))
    return json
  }

  return {
    namedTypes,
    describeType: schema => formatType(read(schema)),
    fields: schema =>
      Object.entries(read(schema).properties ?? {}).map(([name, field]) => ({
        name,
        type: formatType(field),
        what: field.description ?? '',
      })),
  }
}

function formatType(schema: JsonSchema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1)!
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map(each => JSON.stringify(each)).join(' | ')
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return alternatives.map(formatType).join(' | ')
  if (schema.prefixItems) return `[${schema.prefixItems.map(formatType).join(', ')}]`
  if (schema.type === 'array') return formatList(formatType(schema.items ?? {}))
  if (schema.properties) return formatObject(schema.properties, schema.required ?? [])
  if (schema.type === 'object') {
    const { additionalProperties: rest } = schema
    return typeof rest === 'object' && Object.keys(rest).length > 0 ? `{ [name]: ${formatType(rest)} }` : 'object'
  }
  return [schema.type ?? 'anything'].flat().join(' | ')
}

const formatList = (item: string) => (item.includes(' | ') ? `(${item})[]` : `${item}[]`)

function formatObject(properties: Record<string, JsonSchema>, required: readonly string[]): string {
  const fields = Object.entries(properties).map(
    ([name, field]) => `${name}${required.includes(name) ? '' : '?'}: ${formatType(field)}`,
  )
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}
