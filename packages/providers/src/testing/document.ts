/** Checks requests and answers against the structure of a provider's OpenAPI document, in `documents/`. */
import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

type Schema = { [key: string]: unknown }
type Content = Record<string, { schema: Schema }>
interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: Schema
}
interface Operation {
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { content?: Content }>
}
export interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

export interface CheckedOptions {
  /** The body of an error whose status the document leaves out. Without it, such an error is a violation. */
  error?: Schema
  /** True if members of answers may be null where the document leaves that out. */
  hasNulls?: boolean
  /** Receives each request and answer, with its operation, such as `POST /v2/Services`. */
  observe?(operation: string, request: Request, response: Response): Promise<void>
}

export type Answer = (request: Request) => Promise<Response>

const documentsByName = new Map<string, Document>()
const routesByDocument = new WeakMap<Document, ReturnType<typeof readRoutes>>()

/** Reads `documents/NAME.json`. */
export function readDocument(name: string): Document {
  const read = () => JSON.parse(readFileSync(new URL(`../../documents/${name}.json`, import.meta.url), 'utf8'))
  const document = documentsByName.get(name) ?? read()
  documentsByName.set(name, document)
  return document
}

/** Returns a function that computes a value on its first call. */
function once<Value>(compute: () => Value): () => Value {
  let value: Value | undefined
  return () => {
    value ??= compute()
    return value
  }
}

/** Wraps answers, and lists the violations of the documents. */
export function recordViolations(documents: readonly Document[], answer: Answer, options: CheckedOptions = {}) {
  const violations: string[] = []
  const calls = new Set<string>()
  const routes = documents.flatMap(document => {
    const read = routesByDocument.get(document) ?? readRoutes(document)
    routesByDocument.set(document, read)
    return read
  })
  const validateError = options.error && createAjv().compile(options.error)

  return {
    violations,
    calls,
    async answer(request: Request): Promise<Response> {
      const url = new URL(request.url)
      const route = routes
        .filter(({ method, pattern }) => method === request.method && pattern.test(url.pathname))
        .sort((a, b) => a.parameters - b.parameters)[0]
      if (!route) {
        violations.push(`${request.method} ${url.pathname} is not in the document`)
        return answer(request)
      }
      const copy = options.observe && request.clone()
      const report = (where: string, messages: string[]) =>
        violations.push(...messages.map(message => `${route.name} ${where}: ${message}`))
      report('request', await route.checkRequest(request.clone(), url))
      const response = await answer(request)
      calls.add(`${route.name} ${response.status}`)
      report(`answer ${response.status}`, await route.checkResponse(response.clone(), { ...options, validateError }))
      if (copy) await options.observe?.(route.name, copy, response.clone())
      return response
    },
  }
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

function readRoutes({ paths, components }: Document) {
  const requests = createAjv()
  const forms = createAjv({ coerceTypes: 'array' })
  const answers = createAjv()
  for (const ajv of [requests, forms]) ajv.addSchema(prepare({ components }, true) as Schema, 'document')
  answers.addSchema(prepare({ components }, false) as Schema, 'document')

  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => {
        const { parameters = [], requestBody, responses } = operation
        const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
        const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '([^/]+)')}$`)
        // Compiling takes most of the time, and a test calls few operations.
        const validators = once(() =>
          Object.fromEntries(
            (['path', 'query', 'header'] as const).map(where => [
              where,
              forms.compile(parametersSchema(parameters.filter(each => each.in === where))),
            ]),
          ),
        )
        const bodies = compileContent(requestBody?.content, type => (isForm(type) ? forms : requests), true)
        const results = new Map(
          Object.entries(responses).map(([status, { content }]) => [
            status,
            { isEmpty: !content, bodies: compileContent(content, () => answers, false) },
          ]),
        )

        async function checkRequest(request: Request, url: URL): Promise<string[]> {
          const values = pattern.exec(url.pathname)!.slice(1).map(decodeURIComponent)
          const given = {
            path: Object.fromEntries(names.map((name, i) => [name, values[i]])),
            query: readPairs(url.searchParams),
            header: Object.fromEntries(
              parameters
                .filter(each => each.in === 'header' && request.headers.has(each.name))
                .map(({ name }) => [name, request.headers.get(name)]),
            ),
          }
          return [
            ...Object.entries(given).flatMap(([where, value]) => messages(validators()[where]!, value, where)),
            ...checkBody(bodies, request.headers, await request.text(), requestBody?.required ?? false),
          ]
        }

        async function checkResponse(
          response: Response,
          { validateError, hasNulls }: ResponseOptions,
        ): Promise<string[]> {
          const result = results.get(String(response.status)) ?? results.get('default')
          const body = await response.text()
          const text = hasNulls && body !== '' ? dropNulls(body) : body
          if (result) return checkBody(result.bodies, response.headers, text, !result.isEmpty)
          if (!validateError || response.status < 400) return ['the document has no such status']
          return checkBody(new Map([['application/json', () => validateError]]), response.headers, text, true)
        }

        return {
          name: `${method.toUpperCase()} ${path}`,
          method: method.toUpperCase(),
          pattern,
          parameters: names.length,
          checkRequest,
          checkResponse,
        }
      }),
  )
}

const isForm = (type: string) => type === 'application/x-www-form-urlencoded'

function createAjv(options: { coerceTypes?: 'array' } = {}): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, strict: false, ...options })
  formats.default(ajv)
  // Formats that ajv-formats lacks.
  ajv.addFormat('phone-number', /^\+[1-9]\d{1,14}$/)
  ajv.addFormat('iso-country-code', /^[A-Z]{2}$/)
  ajv.addFormat('uri-map', true)
  return ajv
}

const parametersSchema = (parameters: Parameter[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, prepare(schema, true)])),
  required: parameters.filter(({ required }) => required).map(({ name }) => name),
  additionalProperties: false,
})

function compileContent(content: Content | undefined, ajvOf: (type: string) => Ajv2020, isRequest: boolean) {
  return new Map(
    Object.entries(content ?? {}).map(([type, { schema }]) => [
      type,
      once(() => ajvOf(type).compile(prepare(schema, isRequest) as Schema)),
    ]),
  )
}

/**
 * Turns a schema of OpenAPI 3.0 or 3.1 into JSON Schema. In a request, an object has no members other than those that
 * are named.
 */
function prepare(value: unknown, isRequest: boolean): unknown {
  if (Array.isArray(value)) return value.map(each => prepare(each, isRequest))
  if (typeof value !== 'object' || value === null) return value
  const { nullable, ...schema } = Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, prepare(each, isRequest)]),
  )
  if (typeof schema['$ref'] === 'string') schema['$ref'] = schema['$ref'].replace(/^#/, 'document#')
  if (nullable === true && typeof schema['type'] === 'string') schema['type'] = [schema['type'], 'null']
  if (nullable === true && Array.isArray(schema['enum'])) schema['enum'] = [...schema['enum'], null]
  const { type, properties } = schema
  const isObject = type === 'object' || (Array.isArray(type) && type.includes('object'))
  if (isRequest && isObject && properties) schema['unevaluatedProperties'] ??= schema['additionalProperties'] ?? false
  return schema
}

/** Reads a form or a query. A name that occurs more than once has a list. */
function readPairs(pairs: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(pairs.keys())].map(name => {
      const values = pairs.getAll(name)
      return [name, values.length > 1 ? values : values[0]!]
    }),
  )
}

interface ResponseOptions extends CheckedOptions {
  validateError: ValidateFunction | undefined
}

/** Drops the members of objects that are null. */
function dropNulls(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), (_, value) =>
      isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null)) : value,
    )
  } catch {
    return json
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Bodies = Map<string, () => ValidateFunction>

function checkBody(bodies: Bodies, headers: Headers, text: string, isRequired: boolean) {
  if (text === '') return isRequired ? ['the body is missing'] : []
  const type = (headers.get('content-type') ?? 'none').split(';')[0]!.trim()
  const validate = bodies.get(type)
  if (!validate) return [`a body of the type ${type} is not in the document`]
  let value: unknown
  try {
    value = isForm(type) ? readPairs(new URLSearchParams(text)) : JSON.parse(text)
  } catch {
    return ['the body is not JSON']
  }
  return messages(validate(), value, 'body')
}

function messages(validate: ValidateFunction, value: unknown, where: string): string[] {
  if (validate(value)) return []
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [`${where}${instancePath} ${message}`, params['additionalProperty'] ?? params['unevaluatedProperty']]
      .filter(Boolean)
      .join(': '),
  )
}
