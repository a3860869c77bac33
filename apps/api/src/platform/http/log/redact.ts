/**
 * Redacts bodies for the request log. Returns JSON text, because building objects would cost more. Keeps only flags,
 * ids, times, and the numbers and enum values that the endpoint declares. Replaces all other values, which may be
 * personal or secret.
 */
import { prefixes } from '@causeway/contract/ids'
import { z } from 'zod'

export const REDACTED = '[redacted]'
const REDACTED_JSON = JSON.stringify(REDACTED)
/** The maximum number of items to store per list. */
const MAX_ITEMS = 20
/** The maximum number of fields to store per object. */
const MAX_FIELDS = 60
const MAX_DEPTH = 12

/** Excludes tokens, which have prefixes, as ids do, but are credentials. */
const idPrefixes = Object.entries(prefixes).flatMap(([kind, prefix]) => (kind.endsWith('_token') ? [] : [prefix]))
const ID = new RegExp(`^(?:${idPrefixes.join('|')})[0-9A-Za-z]{13,20}$`)
const MAX_TIME = 24
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/

/**
 * The minimum and maximum length of an id. Most other strings are shorter or longer, and testing a length is cheaper
 * than matching a pattern.
 */
const MIN_ID = 13 + Math.min(...idPrefixes.map(prefix => prefix.length))
const MAX_ID = 20 + Math.max(...idPrefixes.map(prefix => prefix.length))
/** Returns true for a resource id. */
export const isId = (text: string): boolean => text.length >= MIN_ID && text.length <= MAX_ID && ID.test(text)

/** The resource ids found in bodies. Ids in outer fields come first. */
export class FoundIds {
  readonly #levels: string[][] = []

  add(depth: number, text: string): void {
    const level = this.#levels[depth]
    if (level) level.push(text)
    else this.#levels[depth] = [text]
  }

  /** Returns up to `most` distinct ids. */
  first(most: number): string[] {
    // The array has gaps at depths without ids.
    return [...new Set(this.#levels.flat())].slice(0, most)
  }
}

/** Returns the schemas inside optional, nullable, union and pipe schemas. */
export function schemasIn(schema: z.ZodType): z.ZodType[] {
  if (schema instanceof z.ZodUnion) return (schema.options as z.ZodType[]).flatMap(schemasIn)
  const { innerType, in: input } = schema.def as { innerType?: z.ZodType; in?: z.ZodType }
  const inner = innerType ?? input
  return inner ? schemasIn(inner) : [schema]
}

/** The maximum length of a name that looks like that of a field. */
const MAX_NAME = 40
const FIELD_NAME = /^[A-Za-z_]\w*$/
/** Four digits in a row, which may be the end of a person's number. */
const LONG_NUMBER = /\d{4}/

/** Returns true for a name that looks like that of a field: letters, underscores and few digits. */
export const isFieldName = (name: string): boolean =>
  name.length <= MAX_NAME && FIELD_NAME.test(name) && !LONG_NUMBER.test(name)

/** Determines which parts of a value to keep, based on one or more schemas. Inner shapes are built on first use. */
interface Shape {
  readonly takesNumbers: boolean
  /** The strings that the schemas list, such as the values of an enum. */
  readonly texts: ReadonlySet<unknown>
  readonly isRecord: boolean
  /** The names listed in the key schemas of records. */
  readonly keys: ReadonlySet<unknown>
  items(): Shape
  values(): Shape
  /** Returns the shape of an object's field, or undefined if no schema has that field. */
  field(name: string): Shape | undefined
}

const textsOf = (schema: unknown): readonly unknown[] => {
  if (schema instanceof z.ZodEnum) return schema.options
  return schema instanceof z.ZodLiteral ? [...schema.values] : []
}

function once<T>(build: () => T): () => T {
  let built: { value: T } | undefined
  return () => {
    built ??= { value: build() }
    return built.value
  }
}

function shapeOf(schemas: readonly z.ZodType[]): Shape {
  const all = schemas.flatMap(schemasIn)
  const objects = all.filter(each => each instanceof z.ZodObject)
  const records = all.filter(each => each instanceof z.ZodRecord)
  const fields = new Map(
    objects
      .flatMap(each => Object.keys(each.shape))
      .map(name => {
        const known = objects.flatMap(each => (Object.hasOwn(each.shape, name) ? [each.shape[name] as z.ZodType] : []))
        return [name, once(() => shapeOf(known))]
      }),
  )
  return {
    takesNumbers: all.some(each => each instanceof z.ZodNumber || each instanceof z.ZodLiteral),
    texts: new Set(all.flatMap(textsOf)),
    isRecord: records.length > 0,
    keys: new Set(records.flatMap(each => textsOf(each.keyType))),
    items: once(() => shapeOf(all.flatMap(each => (each instanceof z.ZodArray ? [each.element as z.ZodType] : [])))),
    values: once(() => shapeOf(records.map(each => each.valueType as z.ZodType))),
    field: name => fields.get(name)?.(),
  }
}

const unknownShape = shapeOf([])
const shapes = new WeakMap<z.ZodType, Shape>()

/**
 * Returns a schema's shape. Builds each shape only once, because reading a schema costs much more than redacting a
 * value.
 */
function shapeFor(schema: z.ZodType | undefined): Shape {
  if (!schema) return unknownShape
  let shape = shapes.get(schema)
  if (!shape) {
    shape = shapeOf([schema])
    shapes.set(schema, shape)
  }
  return shape
}

/** Redacts a value and collects the ids in it, including those in parts that are not stored. */
function redact(shape: Shape, value: unknown, depth: number, found: FoundIds): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (typeof value === 'number') return shape.takesNumbers ? JSON.stringify(value) : REDACTED_JSON
  if (typeof value === 'string') {
    if (isId(value)) {
      found.add(depth, value)
      return `"${value}"`
    }
    if (shape.texts.has(value)) return JSON.stringify(value)
    return value.length <= MAX_TIME && TIME.test(value) ? `"${value}"` : REDACTED_JSON
  }
  if (depth === MAX_DEPTH) return REDACTED_JSON
  if (Array.isArray(value)) return redactItems(shape.items(), value, depth + 1, found)
  let text = ''
  let count = 0
  for (const name in value) {
    const inner = (value as Record<string, unknown>)[name]
    count += 1
    const isStored = count <= MAX_FIELDS
    // The keys of `allocations` are account ids.
    const isNamedById = isId(name)
    if (isNamedById) found.add(depth, name)
    const known = shape.field(name) ?? (shape.isRecord && (isNamedById || shape.keys.has(name)) ? shape.values() : null)
    let shown: string | undefined
    if (known && isStored) shown = redact(known, inner, depth + 1, found)
    else {
      collect(inner, depth + 1, found)
      // The customer may have chosen this name. Omits the keys of records, and names that don't look like field names.
      if (isStored && !shape.isRecord && isFieldName(name)) shown = REDACTED_JSON
    }
    if (shown !== undefined) text += `${text && ','}${JSON.stringify(name)}:${shown}`
  }
  return `{${text}}`
}

function redactItems(shape: Shape, items: readonly unknown[], depth: number, found: FoundIds): string {
  const stored = items.slice(0, MAX_ITEMS).map(item => redact(shape, item, depth, found))
  for (let index = MAX_ITEMS; index < items.length; index += 1) collect(items[index], depth, found)
  return `[${stored.join()}]`
}

/** Collects the ids in a value that is not stored. */
function collect(value: unknown, depth: number, found: FoundIds): void {
  if (typeof value === 'string') {
    if (isId(value)) found.add(depth, value)
  } else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH)
    for (const [name, inner] of Object.entries(value)) {
      if (isId(name)) found.add(depth, name)
      collect(inner, depth + 1, found)
    }
}

/** Redacts a request body according to the schema for the request's version. */
export const redactRequest = (schema: z.ZodType | undefined, body: unknown, found: FoundIds): string =>
  redact(shapeFor(schema), body, 0, found)

const errorFields = ['type', 'code', 'sub_type', 'message']

/** Redacts a response body. Error fields are stored unchanged, because errors contain no personal data. */
export function redactAnswer(answer: z.ZodType | undefined, body: unknown, found: FoundIds): string {
  if (typeof body !== 'object' || body === null) return redact(unknownShape, body, 0, found)
  const { success, data, error } = body as Record<string, unknown>
  if (typeof success === 'boolean') return `{"success":${success},"data":${redactAnswer(answer, data, found)}}`
  if (typeof error === 'object' && error !== null && Object.keys(body).length === 1)
    return JSON.stringify({
      error: Object.fromEntries(Object.entries(error).filter(([name]) => errorFields.includes(name))),
    })
  const shape = shapeFor(answer)
  if (Array.isArray(data) && Object.keys(body).length === 1) return `{"data":${redactItems(shape, data, 1, found)}}`
  return redact(shape, body, 0, found)
}
