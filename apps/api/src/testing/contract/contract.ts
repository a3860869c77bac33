/** Test helper that checks every API response against the OpenAPI document for its version. */
import type { Endpoint } from '@causeway/contract/declaration/endpoint'
import { endpoints } from '@causeway/contract/endpoints/table'
import type { Version } from '@causeway/contract/versions'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { type Document, describeApi, isServed, templateOf } from '../../main/openapi/document.js'
import type { Mount } from '../../main/openapi/schemas.js'
import { noteHit } from './hits.js'

/** A response and its request. */
export interface CheckedResponse {
  method: string
  /** The path, including the mount but not the query. */
  path: string
  version: Version
  status: number
  body: unknown
}

const patterns = endpoints.map(endpoint => ({
  endpoint,
  pattern: new RegExp(`^${endpoint.path.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}$`),
}))

/** Finds the endpoint for a request. If two endpoints match, prefers the one without path parameters. */
export function endpointFor(method: string, path: string): Endpoint | undefined {
  const matches = patterns.filter(({ endpoint, pattern }) => endpoint.method === method && pattern.test(path))
  return (matches.find(({ endpoint }) => !endpoint.path.includes(':')) ?? matches[0])?.endpoint
}

const MOUNT = '/enveloped'
const mountOf = (path: string): Mount => (path === MOUNT || path.startsWith(`${MOUNT}/`) ? 'enveloped' : 'root')

/** Closes a schema, so that the tests reject fields that the schema doesn't list. */
function closeSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closeSchema)
  if (typeof value !== 'object' || value === null) return value
  const inner = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, closeSchema(part)]))
  const isOpen = inner['type'] === 'object' && inner['properties'] !== undefined && !('additionalProperties' in inner)
  return isOpen ? { ...inner, additionalProperties: false } : inner
}

const pointer = (...parts: string[]) =>
  `api#/${parts.map(part => encodeURIComponent(part.replace(/~/g, '~0').replace(/\//g, '~1'))).join('/')}`

function createChecker(version: Version, mount: Mount) {
  const document = closeSchema(describeApi('http://127.0.0.1:4000', version, mount)) as Document
  // Each schema is used only a few times per test file, so optimizing the generated code or inlining references would
  // take more time than it saves.
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    inlineRefs: false,
    validateFormats: false,
    code: { optimize: false },
  })
  ajv.addSchema({ $id: 'api', ...document })
  const validators = new Map<string, ValidateFunction>()
  return ({ path, method }: Endpoint, status: number): ValidateFunction | undefined => {
    const template = templateOf(path)
    const response = document.paths[template]?.[method.toLowerCase()]?.responses[status]
    if (!response) return undefined
    const name = response.$ref?.split('/').at(-1)
    const parts = name
      ? ['components', 'responses', name]
      : ['paths', template, method.toLowerCase(), 'responses', String(status)]
    const ref = pointer(...parts, 'content', 'application/json', 'schema')
    const validate = validators.get(ref) ?? ajv.compile({ $ref: ref })
    validators.set(ref, validate)
    return validate
  }
}

const checkers = new Map<string, ReturnType<typeof createChecker>>()

/** Records a response that is not JSON and therefore has no schema. */
export function noteDocument(method: string, path: string): void {
  const endpoint = endpointFor(method, path)
  if (endpoint) noteHit(`${method} ${endpoint.path}`)
}

/** Throws if a response contains a status, sub_type or field that the document does not declare. */
export function checkAnswer({ method, path, version, status, body }: CheckedResponse): void {
  const mount = mountOf(path)
  const rootPath = mount === 'root' ? path : path.slice(MOUNT.length) || '/'
  const endpoint = endpointFor(method, rootPath)
  // An endpoint that the version doesn't serve must respond with a 4xx status.
  if (!endpoint || !isServed(endpoint, version)) {
    if (status >= 400 && status < 500) return
    throw new Error(`${method} ${path} returned ${status}, but no such endpoint exists in this version`)
  }
  const key = `${version} ${mount}`
  const checker = checkers.get(key) ?? createChecker(version, mount)
  checkers.set(key, checker)
  const validate = checker(endpoint, status)
  const description = `${method} ${endpoint.path} ${status} (${mount}, ${version})`
  if (!validate) throw new Error(`${description} is not a documented status: ${JSON.stringify(body)}`)
  if (validate(body)) {
    if (status === 200) noteHit(`${method} ${endpoint.path}`)
    return
  }
  const violations = validate.errors!.map(
    ({ instancePath, message, params }) => `  at ${instancePath || '/'}: ${message} ${JSON.stringify(params)}`,
  )
  throw new Error(
    `${description} does not match the document:\n${violations.join('\n')}\nThe response: ${JSON.stringify(body)}`,
  )
}
