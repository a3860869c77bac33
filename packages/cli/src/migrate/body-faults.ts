/** Compares a recorded body with the JSON Schema of an endpoint. Names fields that the schema has, and never a value. */
import { isObject } from './recorded-request.js'

/** The parts of JSON Schema that the service's request bodies use. Other keywords are not compared. */
export interface BodySchema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly BodySchema[]
  readonly oneOf?: readonly BodySchema[]
  readonly items?: BodySchema
  readonly properties?: Readonly<Record<string, BodySchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: BodySchema | boolean
}

export interface BodyFault {
  /** False if the service ignores the field. */
  rejected: boolean
  /** A sentence about a field, without its value. */
  says: string
}

const MAX_ITEMS = 100
const MAX_OPTIONS = 12

const typeOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}
const articles: Readonly<Record<string, string>> = {
  integer: 'a whole number',
  array: 'a list',
  object: 'an object',
  null: 'null',
}
const typesOf = ({ type }: BodySchema): readonly string[] => (type === undefined ? [] : [type].flat())

/** Returns true if a name is too plain to be an id, a secret or a person's data. */
const isPlain = (name: string) => /^[a-z]{1,20}(?:_[a-z0-9]{1,3}|_[a-z]{1,20}){0,5}$/.test(name)
const fieldAt = (path: readonly string[]) => (path.length === 0 ? 'The body' : path.join('.'))
const rejected = (path: readonly string[], says: string): BodyFault => ({
  rejected: true,
  says: `${fieldAt(path)} ${says}.`,
})

/** Returns the choice that a value matches best: the one with the fewest faults. */
function bestOf(choices: readonly BodySchema[], value: unknown, path: readonly string[]): BodyFault[] {
  const ofItsType = choices.filter(choice => hasType(choice, value))
  const candidates = (ofItsType.length > 0 ? ofItsType : choices).map(choice => faultsOf(choice, value, path))
  const weigh = (faults: readonly BodyFault[]) =>
    faults.reduce((sum, fault) => sum + (fault.rejected ? MAX_ITEMS : 1), 0)
  return candidates.sort((a, b) => weigh(a) - weigh(b))[0] ?? []
}

function hasType(schema: BodySchema, value: unknown): boolean {
  const types = typesOf(schema)
  const type = typeOf(value)
  return types.length === 0 || types.includes(type) || (type === 'integer' && types.includes('number'))
}

function faultsOfObject(schema: BodySchema, value: Readonly<Record<string, unknown>>, path: readonly string[]) {
  const { properties, required = [], additionalProperties } = schema
  const faults: BodyFault[] = required
    .filter(name => value[name] === undefined)
    .map(name => rejected([...path, name], 'is required'))
  if (!properties) return faults
  for (const [name, part] of Object.entries(value)) {
    const inner = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (inner) faults.push(...faultsOf(inner, part, [...path, name]))
    else if (additionalProperties === false || additionalProperties === undefined) {
      const isRejected = additionalProperties === false
      const field = isPlain(name)
        ? fieldAt([...path, name])
        : `A field of ${path.length === 0 ? 'the body' : fieldAt(path)}`
      const says = `${field} is unknown. The service ${isRejected ? 'rejects the request' : 'ignores it'}.`
      faults.push({ rejected: isRejected, says })
    }
  }
  return faults
}

/** Returns how a value differs from a schema: unknown fields, missing fields, wrong types and unknown options. */
export function faultsOf(schema: BodySchema, value: unknown, path: readonly string[] = []): BodyFault[] {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return bestOf(choices, value, path)
  if (!hasType(schema, value))
    return [
      rejected(
        path,
        `must be ${typesOf(schema)
          .map(type => articles[type] ?? `a ${type}`)
          .join(' or ')}`,
      ),
    ]
  const options = schema.const === undefined ? schema.enum : [schema.const]
  if (options && !options.includes(value)) {
    const listed = options.slice(0, MAX_OPTIONS).map(String).join(', ')
    return [
      rejected(
        path,
        options.length > MAX_OPTIONS
          ? `must be one of ${options.length} values, such as ${listed}`
          : `must be one of: ${listed}`,
      ),
    ]
  }
  if (Array.isArray(value) && schema.items)
    return value.slice(0, MAX_ITEMS).flatMap(item => faultsOf(schema.items!, item, path))
  return isObject(value) ? faultsOfObject(schema, value, path) : []
}
