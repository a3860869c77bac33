import { prose, safe, slug } from './html.js'
import type { Schema } from './schemas.js'

/** Returns the anchor of a resource's description on the page. */
export const anchorOf = (name: string): string => `resource-${slug(name)}`

const nameOf = (ref: unknown) => String(ref).split('/').at(-1)!

/** Returns limits such as `, 100 to 500`, or nothing if there are none. */
function bounds({ minimum, maximum }: Schema): string {
  const from = Number(minimum ?? Number.MIN_SAFE_INTEGER)
  const to = Number(maximum ?? Number.MAX_SAFE_INTEGER)
  const said = (limit: number) => limit.toLocaleString('en')
  if (to < Number.MAX_SAFE_INTEGER) return `, ${said(from)} to ${said(to)}`
  return from > 0 ? `, from ${said(from)}` : ''
}

/** Describes a schema in a few words: `string or null`, `array of Account`. HTML. */
export function typeOf(schema: Schema): string {
  if (schema['$ref']) {
    const name = nameOf(schema['$ref'])
    return `<a href="#${anchorOf(name)}">${safe(name)}</a>`
  }
  const parts = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined
  if (parts) return [...new Set(parts.map(typeOf))].join(' or ')
  if (schema['const'] !== undefined) return `<code>${safe(String(schema['const']))}</code>`
  const values = schema['enum'] as unknown[] | undefined
  if (values && values.length <= 14) return values.map(value => `<code>${safe(String(value))}</code>`).join(' ')
  if (schema.type === 'array') {
    const items = schema['items'] as Schema | undefined
    return items && Object.keys(items).length > 0 ? `array of ${typeOf(items)}` : 'array'
  }
  if (schema.type === 'integer' || schema.type === 'number') return `${schema.type}${bounds(schema)}`
  return safe([schema.type ?? 'any'].flat().join(' or '))
}

/** Finds, within a schema, the object whose fields the page lists, one per row. */
function inner(schema: Schema): Schema | undefined {
  if (schema.properties) return schema
  const parts = (schema['anyOf'] ?? []) as Schema[]
  return (
    parts.find(part => part.properties) ??
    ((schema['items'] as Schema | undefined)?.properties ? (schema['items'] as Schema) : undefined)
  )
}

function rows(schema: Schema, prefix: string, depth: number): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const required = schema.required?.includes(name) ? '' : ' <small>optional</small>'
    const said = field['description'] ? `<br>${prose(String(field['description']))}` : ''
    const row = `<tr><th scope="row"><code>${safe(prefix + name)}</code>${required}</th><td>${typeOf(field)}${said}</td></tr>`
    const deeper = depth > 0 ? inner(field) : undefined
    return deeper ? [row, ...rows(deeper, `${prefix}${name}.`, depth - 1)] : [row]
  })
}

/** Returns an object's fields as an HTML table, or an empty string if the object has no fields. */
export function fields(caption: string, schema: Schema): string {
  const all = rows(schema, '', 2)
  return all.length === 0 ? '' : `<table><caption>${safe(caption)}</caption>${all.join('')}</table>`
}
