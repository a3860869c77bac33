import { escapeHtml, renderProse, slug } from './html.js'
import type { Schema } from './schemas.js'

/** Returns the anchor of a resource's description on the page. */
export const anchorOf = (name: string): string => `resource-${slug(name)}`

const nameOf = (ref: unknown) => String(ref).split('/').at(-1)!

/** Returns limits such as `, 100 to 500`, or nothing if there are none. */
function formatRange({ minimum, maximum }: Schema): string {
  const from = Number(minimum ?? Number.MIN_SAFE_INTEGER)
  const to = Number(maximum ?? Number.MAX_SAFE_INTEGER)
  const format = (limit: number) => limit.toLocaleString('en')
  if (to < Number.MAX_SAFE_INTEGER) return `, ${format(from)} to ${format(to)}`
  return from > 0 ? `, from ${format(from)}` : ''
}

/** Describes a schema in a few words: `string or null`, `array of Account`. HTML. */
export function renderType(schema: Schema): string {
  if (schema['$ref']) {
    const name = nameOf(schema['$ref'])
    return `<a href="#${anchorOf(name)}">${escapeHtml(name)}</a>`
  }
  const parts = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined
  if (parts) return [...new Set(parts.map(renderType))].join(' or ')
  if (schema['const'] !== undefined) return `<code>${escapeHtml(String(schema['const']))}</code>`
  const values = schema['enum'] as unknown[] | undefined
  if (values && values.length <= 14) return values.map(value => `<code>${escapeHtml(String(value))}</code>`).join(' ')
  if (schema.type === 'array') {
    const items = schema['items'] as Schema | undefined
    return items && Object.keys(items).length > 0 ? `array of ${renderType(items)}` : 'array'
  }
  if (schema.type === 'integer' || schema.type === 'number') return `${schema.type}${formatRange(schema)}`
  return escapeHtml([schema.type ?? 'any'].flat().join(' or '))
}

/** Finds, within a schema, the object whose fields the page lists, one per row. */
function findInnerObject(schema: Schema): Schema | undefined {
  if (schema.properties) return schema
  const parts = (schema['anyOf'] ?? []) as Schema[]
  return (
    parts.find(part => part.properties) ??
    ((schema['items'] as Schema | undefined)?.properties ? (schema['items'] as Schema) : undefined)
  )
}

function renderRows(schema: Schema, prefix: string, depth: number): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const required = schema.required?.includes(name) ? '' : ' <small>optional</small>'
    const description = field['description'] ? `<br>${renderProse(String(field['description']))}` : ''
    const row = `<tr><th scope="row"><code>${escapeHtml(prefix + name)}</code>${required}</th><td>${renderType(field)}${description}</td></tr>`
    const deeper = depth > 0 ? findInnerObject(field) : undefined
    return deeper ? [row, ...renderRows(deeper, `${prefix}${name}.`, depth - 1)] : [row]
  })
}

/** Returns an object's fields as an HTML table, or an empty string if the object has no fields. */
export function renderFields(caption: string, schema: Schema): string {
  const all = renderRows(schema, '', 2)
  return all.length === 0 ? '' : `<table><caption>${escapeHtml(caption)}</caption>${all.join('')}</table>`
}
