/**
 * Writes packages/sdk/src/contract.gen.ts: the parts of the contract that the SDK needs, as plain types, and the SDK's
 * version from its package.json. A customer's server therefore needs no schema library, either at run time or for type
 * checking.
 *   tsx --conditions=source scripts/build/sdk-types.ts            writes the file
 *   tsx --conditions=source scripts/build/sdk-types.ts --check    fails if the file is out of date
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
type Side = 'input' | 'output'

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

function objectOf(schema: Schema, side: Side): string {
  const { properties = {}, required = [], additionalProperties: rest } = schema
  const named = Object.entries(properties)
  if (named.length === 0 && typeof rest === 'object') return `Record<string, ${typeOf(rest, side)}>`
  const fields = named.map(([name, value]) => {
    const optional = !required.includes(name)
    return field({ name, type: typeOf(value, side), optional, about: value.description }, side)
  })
  return block(typeof rest === 'object' ? [...fields, '[name: string]: unknown'] : fields)
}

function typeOf(schema: Schema, side: Side): string {
  if (schema.$ref !== undefined)
    return schema.$ref.startsWith('inline') ? typeOf(schemas[side][schema.$ref]!, side) : schema.$ref
  if (schema.anyOf) return [...new Set(schema.anyOf.map(each => typeOf(each, side)))].join(' | ')
  if (schema.const !== undefined) return literal(schema.const)
  const known = schema.enum && lists.get(schema.enum.join())
  if (known) return known
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  if (Array.isArray(schema.type)) return schema.type.map(type => typeOf({ ...schema, type }, side)).join(' | ')
  if (schema.type === 'array') {
    const item = typeOf(schema.items ?? {}, side)
    // Callers may pass a read-only array in a request. An array in a response belongs to the caller, who can modify it.
    const kept = side === 'input' ? 'ReadonlyArray' : 'Array'
    return `${kept}<${item}>`
  }
  if (schema.type === 'object') return objectOf(schema, side)
  if (schema.type === 'integer') return 'number'
  return schema.type ?? 'unknown'
}

const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value))
const unionOf = (values: Iterable<string>) => [...values].map(value => `\n  | ${literal(value)}`).join('')

function declare(name: string, schema: Schema): string {
  if (!schema.enum) return `export interface ${name} ${objectOf(schema, 'output')}\n`
  return `${comment(schema.description)}export type ${name} =${unionOf(schema.enum.map(String))}\n`
}

const typeNamed = (names: Map<Zod.ZodType, string>, schema: Zod.ZodType, side: Side) =>
  typeOf({ $ref: names.get(schema)! }, side)

function endpoint({ method, path, shape, body, query, required, answer }: (typeof endpoints)[number]): string {
  const asked = Object.entries(query ?? {}).map(([name, schema]) => {
    const type = typeNamed(inputs, schema, 'input')
    const about = schemas.input[inputs.get(schema)!]?.description
    return field({ name: name.replace('[]', ''), type, optional: !required?.includes(name), about }, 'input')
  })
  const lines = [
    `shape: '${shape ?? 'one'}'`,
    ...(asked.length > 0 ? [`query: ${block(asked)}`] : []),
    ...(body ? [`body: ${typeNamed(inputs, body, 'input')}`] : []),
    `answer: ${typeNamed(answers, answer, 'output')}`,
  ]
  return `'${method} ${path}': ${block(lines)}`
}

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
export interface EventOf<Noun extends keyof EventResources> ${objectOf(schemas.output['Event']!, 'output')
  .replace('\n  type: EventType', `\n  type: Extract<EventType, \`\${Noun}.\${string}\`>`)
  .replace(/\n {2}resource_type: .*/, '\n  resource_type: Noun')
  .replace('\n  data: Record<string, unknown>', '\n  data: Partial<EventResources[Noun]> & Record<string, unknown>')}

/** A change to a resource. The \`type\` determines the resource in \`data\`. */
export type Event = { [Noun in keyof EventResources]: EventOf<Noun> }[keyof EventResources]

${components
  .filter(({ name }) => name !== 'Event' && name !== 'EventType')
  .map(({ name }) => declare(name, schemas.output[name]!))
  .join('\n')}
/** Every endpoint by method and path: the query, the body, and the response without its wrapper. */
export interface Endpoints ${block(endpoints.map(endpoint))}
`

if (!process.argv.includes('--check')) writeFileSync(file, text)
else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
  console.error('packages/sdk/src/contract.gen.ts is out of date: run scripts/build/sdk-types.ts')
  process.exitCode = 1
}
