/**
 * Names the fields of bodies in error messages, which are stored and shown to other people. A message contains only
 * names of fields that the service chose, because a name that the sender chose may be personal data.
 */
import { endpoints } from '@causeway/contract/endpoints/table'
import { z } from 'zod'
import { isFieldName, isId, schemasIn } from '../log/redact.js'

/** Formats a field's path in the usual notation, such as `individual.address.zip` or `accounts[0]`. */
export function place(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text ? `${text}.${String(part)}` : String(part)),
    '',
  )
}

/** Returns true if the members of a schema's values have names that the sender chooses. */
const isFreeForm = (schema: z.ZodType): boolean =>
  schemasIn(schema).some(each => each instanceof z.ZodRecord || each instanceof z.ZodUnknown)

/** Returns true if a field contains such values, or a list of them. */
const holdsFreeForm = (schema: z.ZodType): boolean =>
  isFreeForm(schema) ||
  schemasIn(schema).some(each => each instanceof z.ZodArray && holdsFreeForm(each.element as z.ZodType))

/** Returns the schemas of a member or an item. */
const within = (schemas: readonly z.ZodType[], part: PropertyKey): z.ZodType[] =>
  schemas.flatMap(schemasIn).flatMap(each => {
    if (each instanceof z.ZodArray) return typeof part === 'number' ? [each.element as z.ZodType] : []
    if (each instanceof z.ZodRecord) return [each.valueType as z.ZodType]
    if (!(each instanceof z.ZodObject) || typeof part !== 'string' || !Object.hasOwn(each.shape, part)) return []
    return [each.shape[part] as z.ZodType]
  })

function collectFreeForm(schema: z.ZodType, into: Set<string>): void {
  for (const each of schemasIn(schema)) {
    if (each instanceof z.ZodArray) collectFreeForm(each.element as z.ZodType, into)
    if (!(each instanceof z.ZodObject)) continue
    for (const [name, inner] of Object.entries(each.shape as Record<string, z.ZodType>)) {
      if (holdsFreeForm(inner)) into.add(name)
      else collectFreeForm(inner, into)
    }
  }
}

let freeForm: ReadonlySet<string> | undefined
/** Returns the names of all fields of requests that contain members with names that the sender chooses. */
function freeFormFields(): ReadonlySet<string> {
  if (!freeForm) {
    const names = new Set<string>()
    for (const { body } of endpoints) if (body) collectFreeForm(body, names)
    freeForm = names
  }
  return freeForm
}

/**
 * Names a field in a message: `individual.dob`, or `A member of metadata` for a field whose name the sender chose.
 * Returns `The body` for an empty path.
 * @param schema the schema of the whole value, if it is known
 * @param under the name of the field that contains the whole value, if any
 */
export function nameInMessage(path: readonly PropertyKey[], schema?: z.ZodType, under = ''): string {
  const start: PropertyKey[] = under ? [under] : []
  let schemas = schema ? [schema] : []
  for (const [index, part] of path.entries()) {
    const outer = place([...start, ...path.slice(0, index)]) || 'the body'
    const isChosen = schema
      ? schemas.some(isFreeForm)
      : path.slice(0, index).some(each => freeFormFields().has(String(each)))
    if (typeof part !== 'number' && !isId(String(part)) && (isChosen || !isFieldName(String(part))))
      return `A member of ${outer}`
    if (schema) schemas = within(schemas, part)
  }
  return place([...start, ...path]) || 'The body'
}

/** The maximum number of unknown fields that a message names. */
const MAX_UNKNOWN = 5

/** Describes unknown fields: names the first few that look like fields, such as misspelled ones, and counts the rest. */
export function unknownInMessage(names: readonly string[]): string {
  const shown = names.filter(isFieldName).slice(0, MAX_UNKNOWN)
  const more = names.length - shown.length
  if (shown.length === 0) return more === 1 ? 'an unknown field' : `${more.toLocaleString('en')} unknown fields`
  return `an unknown field: ${shown.join(', ')}${more > 0 ? `, and ${more.toLocaleString('en')} more` : ''}`
}
