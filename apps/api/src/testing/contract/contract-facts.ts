import type { Document } from '../../main/openapi/document.js'

interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

type Direction = 'request' | 'response'

interface Body {
  content?: Record<string, { schema: Schema }>
}

interface Parameter {
  $ref?: string
  name: string
  in: string
  required?: boolean
  schema: Schema
}

const nameOf = (ref: string) => ref.split('/').at(-1)!

/**
 * Returns everything that clients can rely on, one item per line: operations, parameters, fields with their types, the
 * values accepted in requests, and required fields. Omits descriptions, examples and limits.
 */
export function factsOf(document: Document): Set<string> {
  const facts = new Set<string>()
  const { schemas, parameters } = document.components as unknown as {
    schemas: Record<string, Schema>
    parameters: Record<string, Parameter>
  }
  const walked = new Set<string>()

  function walk(schema: Schema, at: string, direction: Direction): void {
    if (schema.$ref !== undefined) {
      const name = nameOf(schema.$ref)
      facts.add(`${at}: ${name}`)
      const place = `${name} ${direction}`
      if (walked.has(place)) return
      walked.add(place)
      walk(schemas[name]!, `${place} `, direction)
      return
    }
    for (const type of [schema.type ?? []].flat()) facts.add(`${at}: ${type}`)
    const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const])
    if (direction === 'request') for (const value of values) facts.add(`${at} = ${value}`)
    for (const part of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
      walk(part, at, direction)
    for (const [name, inner] of Object.entries(schema.properties ?? {})) walk(inner, `${at}.${name}`, direction)
    for (const name of schema.required ?? []) facts.add(`${at}.${name} required`)
    if (schema.items) walk(schema.items, `${at}[]`, direction)
    if (typeof schema.additionalProperties === 'object') walk(schema.additionalProperties, `${at}.*`, direction)
  }

  const walkBody = (body: Body | undefined, at: string, direction: Direction) => {
    for (const { schema } of Object.values(body?.content ?? {})) if (schema) walk(schema, at, direction)
  }

  const walkParameter = ({ schema, required }: Parameter, at: string) => {
    walk(schema, at, 'request')
    if (required) facts.add(`${at} required`)
  }

  for (const [name, parameter] of Object.entries(parameters)) walkParameter(parameter, `${name} request `)
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(operations)) {
      const name = `${method.toUpperCase()} ${path}`
      facts.add(name)
      for (const given of (operation['parameters'] ?? []) as Parameter[]) {
        if (given.$ref) {
          facts.add(`${name} request : ${nameOf(given.$ref)}`)
          continue
        }
        walkParameter(given, `${name} request ${given.in}.${given.name}`)
      }
      walkBody(operation['requestBody'] as Body | undefined, `${name} request `, 'request')
      walkBody(operation.responses['200'] as Body | undefined, `${name} response `, 'response')
    }
  for (const [type, { post }] of Object.entries(
    document['webhooks'] as Record<string, { post: Record<string, unknown> }>,
  )) {
    facts.add(`webhook ${type}`)
    // The service sends this body, so clients read it like a response.
    walkBody(post['requestBody'] as Body | undefined, `webhook ${type} response `, 'response')
  }
  return facts
}

const isRequired = (fact: string) => fact.endsWith(' required')
const isRequest = (fact: string) => fact.includes(' request ')

/**
 * Returns the changes that break clients: each item that was removed, and each newly required field of an existing
 * request object.
 */
export function breaksBetween(before: ReadonlySet<string>, after: ReadonlySet<string>): string[] {
  const gone = [...before].filter(fact => !after.has(fact) && !(isRequired(fact) && isRequest(fact)))
  const demanded = [...after].filter(fact => {
    if (before.has(fact) || !isRequired(fact) || !isRequest(fact)) return false
    const parent = fact.slice(0, fact.lastIndexOf('.'))
    return before.has(`${parent}: object`)
  })
  return [...gone.map(fact => `gone: ${fact}`), ...demanded.map(fact => `new: ${fact}`)]
}
