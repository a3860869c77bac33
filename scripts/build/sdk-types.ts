/**
 * Writes packages/sdk/src/contract.gen.ts: the parts of the contract that the SDK needs, as plain types, and the SDK's
 * version from its package.json. A customer's server therefore needs no schema library, either at run time or for type
 * checking. `pnpm types` and `pnpm build` run this script before they compile. Git ignores the file.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { z as Zod } from 'zod'
import { eventResources } from '../../packages/contract/src/endpoints/event-resources.js'
import { components, endpoints } from '../../packages/contract/src/endpoints/table.js'
import { errors } from '../../packages/contract/src/errors.js'
import { eventNouns, webhookTypes } from '../../packages/contract/src/events.js'
import { NEWEST_VERSION } from '../../packages/contract/src/versions.js'
import { nameOf, nested, type Side } from './sdk-type-names.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const file = `${root}packages/sdk/src/contract.gen.ts`
/** The contract's own schema library, which the root package does not list as a dependency. */
const contract = createRequire(`${root}packages/contract/package.json`)
const { z } = (await import(pathToFileURL(contract.resolve('zod')).href)) as { z: typeof Zod }

const { version } = JSON.parse(readFileSync(`${root}packages/sdk/package.json`, 'utf8')) as { version: string }

interface Schema {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  description?: string
  $ref?: string
}

/** Returns JSON schemas by name. A named schema inside another schema becomes a `$ref` to its name. */
function schemasOf(named: ReadonlyMap<Zod.ZodType, string>, io: Side): Record<string, Schema> {
  const registry = z.registry<{ id: string }>()
  for (const [schema, id] of named) registry.add(schema, { id })
  return z.toJSONSchema(registry, { io, uri: id => id }).schemas as Record<string, Schema>
}

const answers = new Map<Zod.ZodType, string>(components.map(({ schema, name }) => [schema, name]))
const inputs = new Map<Zod.ZodType, string>()
const add = (names: Map<Zod.ZodType, string>, schema: Zod.ZodType) => {
  if (!names.has(schema)) names.set(schema, `inline ${names.size}`)
}
for (const { answer, body, query = {} } of endpoints) {
  add(answers, answer)
  for (const schema of [...(body ? [body] : []), ...Object.values(query)]) add(inputs, schema)
}
const schemas = { output: schemasOf(answers, 'output'), input: schemasOf(inputs, 'input') }

/** The lists that have a named type in the SDK. */
const lists = new Map([
  [[...webhookTypes].join(), 'EventType'],
  [Object.keys(errors).join(), 'ErrorSubType'],
])

const indent = (text: string) => text.replaceAll('\n', '\n  ')
const plain = /^[a-z_$][\w$]*$/i
const comment = (text: string | undefined) => (text === undefined ? '' : `/** ${text.replaceAll('*/', '* /')} */\n`)

interface Field {
  name: string
  type: string
  optional: boolean
  about: string | undefined
}

const block = (fields: readonly string[]) =>
  fields.length === 0 ? 'Record<string, never>' : `{${fields.map(field => indent(`\n${field}`)).join('')}\n}`

function field({ name, type, optional, about }: Field, side: Side): string {
  // Callers may pass undefined for a field that they omit. A response never contains undefined.
  const none = optional && side === 'input' ? ' | undefined' : ''
  return `${comment(about)}${plain.test(name) ? name : `'${name}'`}${optional ? '?' : ''}: ${type}${none}`
}

/** Returns the fields of an object as TypeScript. @param place the path to the object, such as `Entity.address` */
function fieldsIn({ properties = {}, required = [], additionalProperties }: Schema, side: Side, place: string) {
  const fields = Object.entries(properties).map(([name, value]) => {
    const optional = !required.includes(name)
    return field({ name, type: typeOf(value, side, `${place}.${name}`), optional, about: value.description }, side)
  })
  return typeof additionalProperties === 'object' ? [...fields, '[name: string]: unknown'] : fields
}

function typeOf(schema: Schema, side: Side, place: string): string {
  if (schema.$ref !== undefined)
    return schema.$ref.startsWith('inline') ? typeOf(schemas[side][schema.$ref]!, side, place) : schema.$ref
  if (schema.anyOf) return [...new Set(schema.anyOf.map(each => typeOf(each, side, place)))].join(' | ')
  if (schema.const !== undefined) return literal(schema.const)
  const known = schema.enum && lists.get(schema.enum.join())
  if (known) return known
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  if (Array.isArray(schema.type)) return schema.type.map(type => typeOf({ ...schema, type }, side, place)).join(' | ')
  if (schema.type === 'array') {
    const item = typeOf(schema.items ?? {}, side, `${place}[]`)
    // Callers may pass a read-only array in a request. An array in a response belongs to the caller, who can modify it.
    const kept = side === 'input' ? 'ReadonlyArray' : 'Array'
    return `${kept}<${item}>`
  }
  if (schema.type === 'object') {
    const { properties = {}, additionalProperties: rest } = schema
    if (Object.keys(properties).length > 0) return nameOf(place, block(fieldsIn(schema, side, place)), side)
    return typeof rest === 'object' ? `Record<string, ${typeOf(rest, side, place)}>` : block([])
  }
  if (schema.type === 'integer') return 'number'
  return schema.type ?? 'unknown'
}

const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value))
const unionOf = (values: Iterable<string>) => [...values].map(value => `\n  | ${literal(value)}`).join('')

/** The fields of each declared resource. */
const fieldsOf = new Map<string, string[]>()

/** Declares a resource. One that adds fields to a resource extends it, as `NewKey` extends `Key`. */
function declare(name: string, schema: Schema): string {
  if (!schema.enum) {
    const fields = fieldsIn(schema, 'output', name)
    const parent = [...fieldsOf].find(
      ([other, own]) => name.includes(other) && own.every(each => fields.includes(each)),
    )
    fieldsOf.set(name, fields)
    const more = parent ? fields.filter(each => !parent[1].includes(each)) : fields
    return `export interface ${name} ${parent ? `extends ${parent[0]} ` : ''}${block(more)}\n`
  }
  return `${comment(schema.description)}export type ${name} =${unionOf(schema.enum.map(String))}\n`
}

const typeNamed = (names: Map<Zod.ZodType, string>, schema: Zod.ZodType, side: Side, place: string) =>
  typeOf({ $ref: names.get(schema)! }, side, place)

function endpoint({ method, path, shape, body, query, required, answer }: (typeof endpoints)[number]): string {
  const name = `${method} ${path}`
  const asked = Object.entries(query ?? {}).map(([param, schema]) => {
    const type = typeNamed(inputs, schema, 'input', `${name}.query.${param}`)
    const about = schemas.input[inputs.get(schema)!]?.description
    return field({ name: param.replace('[]', ''), type, optional: !required?.includes(param), about }, 'input')
  })
  const lines = [
    `shape: '${shape ?? 'one'}'`,
    ...(asked.length > 0 ? [`query: ${nameOf(`${name}.query`, block(asked), 'input')}`] : []),
    ...(body ? [`body: ${typeNamed(inputs, body, 'input', `${name}.body`)}`] : []),
    `answer: ${typeNamed(answers, answer, 'output', `${name}`)}`,
  ]
  return `'${name}': ${block(lines)}`
}

const resources = components
  .filter(({ name }) => name !== 'Event' && name !== 'EventType')
  .map(({ name }) => declare(name, schemas.output[name]!))
const operations = block(endpoints.map(endpoint))

const text = `/** Written by scripts/build/sdk-types.ts from the contract and package.json; do not edit. */

/** The version of this package. */
export const SDK_VERSION = '${version}'

/** The API version that the types of this SDK describe. The SDK sends it with every request. */
export const VERSION = '${NEWEST_VERSION}'

/** The \`type\` of an error: the general reason that a request was rejected. */
export type ErrorType =${unionOf(new Set(Object.values(errors).map(({ type }) => type)))}

/** The \`sub_type\` of an error: the exact reason that a request was rejected. */
export type ErrorSubType =${unionOf(Object.keys(errors))}

/** An event type that a webhook can subscribe to. */
export type EventType =${unionOf(webhookTypes)}

/** The resource of an event, by the first segment of the event type. */
export interface EventResources ${block(eventNouns.map(noun => `${noun}: ${eventResources[noun] ?? 'Record<string, unknown>'}`))}

/** An event about a resource: \`EventOf<'payment'>\`. */
export interface EventOf<Noun extends keyof EventResources> ${block(
  fieldsIn(schemas.output['Event']!, 'output', 'Event'),
)
  .replace('\n  type: EventType', `\n  type: Extract<EventType, \`\${Noun}.\${string}\`>`)
  .replace(/\n {2}resource_type: .*/, '\n  resource_type: Noun')
  .replace('\n  data: Record<string, unknown>', '\n  data: Partial<EventResources[Noun]> & Record<string, unknown>')}

/** A change to a resource. The \`type\` determines the resource in \`data\`. */
export type Event = { [Noun in keyof EventResources]: EventOf<Noun> }[keyof EventResources]

${resources.join('\n')}
/** Every endpoint by method and path: the query, the body, and the response without its wrapper. */
export interface Endpoints ${operations}

${[...nested].map(([name, fields]) => `export interface ${name} ${fields}\n`).join('\n')}`

// The compiler skips files that have not changed.
if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
