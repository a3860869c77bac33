import { codesOf, rulesOf } from '@causeway/contract/declaration/body-messages'
import { type Endpoint, errorsOf, isKeyed, paramsOf, scopeOf } from '@causeway/contract/declaration/endpoint'
import { type Operation as Described, families } from '@causeway/contract/endpoints/table'
import { type ErrorSubType, errors, publicSubType } from '@causeway/contract/errors'
import { NEWEST_VERSION, VERSION_HEADER, type Version, versions } from '@causeway/contract/versions'
import { endpointAt, exampleAt, lackedParameters, requestAt } from '../../versions/chain.js'
import { bodyAt, type Mount, type Schema, type Schemas, schemasOf } from './schemas.js'
import { webhookHeaders, webhooksOf } from './webhooks.js'

export interface Document {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>>
  [field: string]: unknown
}

interface Operation {
  operationId: string
  responses: Record<string, { content?: Record<string, { schema: Schema }>; $ref?: string }>
  [field: string]: unknown
}

const objectSchema = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})
const wrap = (success: boolean, data: Schema, message: Schema): Schema =>
  objectSchema({ success: { const: success }, data, message })

/** Returns true if a version has an endpoint. */
export const isServed = (endpoint: Endpoint, version: Version) =>
  endpoint.since === undefined || versions.indexOf(endpoint.since) <= versions.indexOf(version)

/** Returns a path in OpenAPI's syntax. */
export const templateOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}')

/** Wraps a schema or an example in its endpoint's outer structure. */
function answerBody<T>(
  { shape = 'one' }: Endpoint,
  mount: Mount,
  data: T,
  make: { list(item: T): T; map(item: T): T; bare(data: T): T; wrapped(data: T): T },
): T {
  if (shape === 'raw') return data
  const whole = shape === 'list' ? make.list(data) : shape === 'map' ? make.map(data) : data
  if (mount === 'enveloped' || shape === 'wrapped') return make.wrapped(whole)
  return shape === 'one' ? whole : make.bare(whole)
}

const asSchema = {
  list: (items: Schema): Schema => ({ type: 'array', items }),
  map: (item: Schema): Schema => ({ type: 'object', additionalProperties: item }),
  bare: (data: Schema) => objectSchema({ data }),
  wrapped: (data: Schema) => wrap(true, data, { type: ['string', 'null'] }),
}

/** Returns a response example's body, for a version and a mount. */
export function exampleOf(endpoint: Endpoint, version: Version, mount: Mount): unknown {
  const message = endpoint.path === '/ping' ? 'pong' : null
  const versioned = endpointAt(version, endpoint)
  const { answer } = endpoint.example
  const example = versioned.shape === 'one' && Array.isArray(answer) ? answer[0] : answer
  return answerBody<unknown>(versioned, mount, exampleAt(version, example), {
    list: items => items,
    map: items => items,
    bare: data => ({ data }),
    wrapped: data => ({ success: true, data, message }),
  })
}

/** Returns a request example's body, for a version. */
export const requestExampleOf = ({ method, path, example }: Endpoint, version: Version): unknown =>
  requestAt(version, `${method} ${path}`).example ?? example.request

function errorResponse(mount: Mount, status: number, names: readonly ErrorSubType[]) {
  const error = objectSchema({
    type: { enum: [...new Set(names.map(name => errors[name].type))] },
    code: { const: status },
    sub_type: { enum: names.map(publicSubType) },
    message: { type: 'string' },
  })
  const body = mount === 'root' ? objectSchema({ error }) : wrap(false, objectSchema({ error }), { type: 'string' })
  return {
    description: names.map(name => `\`${publicSubType(name)}\`: ${errors[name].message}`).join('\n\n'),
    headers: { ...answerHeaders, ...(retryableStatuses.has(status) && { 'Retry-After': header('RetryAfter') }) },
    content: { 'application/json': { schema: body } },
  }
}

const header = (name: string) => ({ $ref: `#/components/headers/${name}` })
const answerHeaders = { 'Request-Id': header('RequestId'), 'Service-Unknown-Fields': header('UnknownFields') }
/** The statuses of errors that a retry can resolve. */
const retryableStatuses: ReadonlySet<number> = new Set([409, 429, 503])
const keyedHeaders = {
  'idem-status': header('IdemStatus'),
  'Idempotency-Replayed': header('IdempotencyReplayed'),
  'Idempotency-Mismatch': header('IdempotencyMismatch'),
}
const pageHeaders = ['Page-Limit', 'Page', 'Page-Cursor-Next', 'Page-Cursor-Prev', 'Page-Count', 'Total-Count']
/** The headers of lists that count their items up to a limit. */
const countHeaders = [...pageHeaders, 'Total-Count-Capped']

/** Returns the error responses by status. Endpoints share responses that contain a single error. */
function errorResponses(endpoint: Endpoint, version: Version, mount: Mount, shared: Map<string, unknown>) {
  const byStatus = new Map<number, ErrorSubType[]>()
  const body = bodyAt(endpoint, version, mount)
  for (const name of new Set([...errorsOf(endpoint), ...(body ? codesOf(body) : [])]))
    byStatus.set(errors[name].status, [...(byStatus.get(errors[name].status) ?? []), name])
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => {
      if (names.length > 1) return [String(status), errorResponse(mount, status, names)]
      const name = names[0]!
      shared.set(name, errorResponse(mount, status, names))
      return [String(status), { $ref: `#/components/responses/${name}` }]
    }),
  )
}

/** Returns an endpoint's query parameters by name, as they appear in a version. */
const queryAt = ({ method, path, query }: Endpoint, version: Version) => ({
  ...query,
  ...requestAt(version, `${method} ${path}`).query,
})

function parametersOf(endpoint: Endpoint, version: Version, schemas: Schemas) {
  const ref = (name: string) => ({ $ref: `#/components/parameters/${name}` })
  const path = paramsOf(endpoint.path).map(name => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
  const lacked = new Set(lackedParameters(version))
  const available = Object.entries(queryAt(endpoint, version)).filter(([name]) => !lacked.has(name))
  const query = available.map(([name, schema]) => {
    const { description, ...rest } = schemas.parameter(schema)
    const listNote = rest['enum'] && endpoint.auth !== 'none' ? `Several: \`${name}[]=a&${name}[]=b\`` : undefined
    const text = [description, listNote].filter(Boolean).join('. ')
    const required = endpoint.required?.includes(name) && { required: true }
    return { name, in: 'query', ...required, ...(text ? { description: text } : {}), schema: rest }
  })
  return [
    ...path,
    ...query,
    ...(endpoint.auth === 'none' ? [] : [ref('ServiceVersion')]),
    ...((endpoint.auth ?? 'secret') === 'secret' ? [ref('ServiceMle')] : []),
    ...(endpoint.method === 'POST' && endpoint.path.endsWith('/connect') && !endpoint.sandbox ? [ref('Prefer')] : []),
    ...(isKeyed(endpoint) ? [ref('IdempotencyKey')] : []),
  ]
}

function describeOperation(
  endpoint: Described,
  tag: string,
  version: Version,
  mount: Mount,
  schemas: Schemas,
  shared: Map<string, unknown>,
) {
  const { id, deprecated, summary, description, sandbox, auth = 'secret', type, query } = endpoint
  const scopeNote = auth === 'secret' && `Requires a key with the \`${scopeOf(endpoint)}\` scope.`
  const sentences = [description, sandbox && 'Available only in the sandbox.', scopeNote].filter(Boolean)
  const body = schemas.body(endpoint)
  const rules = body ? rulesOf(bodyAt(endpoint, version, mount)!) : []
  const schema = answerBody(endpointAt(version, endpoint), mount, schemas.answer(endpoint.answer), asSchema)
  const paged = query?.['page_cursor']
    ? Object.fromEntries(
        (query['count'] ? countHeaders : pageHeaders).map(name => [`Pagination-${name}`, header('Pagination')]),
      )
    : {}
  return {
    operationId: id,
    ...(deprecated && { deprecated }),
    tags: [tag],
    summary,
    ...(sentences.length > 0 ? { description: sentences.join(' ') } : {}),
    security: auth === 'none' ? [] : [{ [auth === 'opal' ? 'opalToken' : 'secretKey']: [] }],
    parameters: parametersOf(endpoint, version, schemas),
    ...(body
      ? {
          requestBody: {
            ...(rules.length > 0 && { description: rules.join('\n\n') }),
            required: true,
            content: { 'application/json': { schema: body, example: requestExampleOf(endpoint, version) } },
          },
        }
      : {}),
    responses: {
      200: {
        description: 'Success.',
        headers: {
          ...answerHeaders,
          ...paged,
          ...(isKeyed(endpoint) && keyedHeaders),
          ...(type === 'text/csv' && { 'Content-Disposition': header('ContentDisposition') }),
        },
        content: { [type ?? 'application/json']: { schema, example: exampleOf(endpoint, version, mount) } },
      },
      ...errorResponses(endpoint, version, mount, shared),
    },
  }
}

const apiDescription = `A consumer-permissioned financial account network. Bodies are JSON, money is whole cents, times are UTC with
milliseconds. Every response has a \`Request-Id\`; every error has a \`sub_type\` to branch on. With the
header \`Service-MLE: jwe\`, the bodies of the request and the response are encrypted. See “Encryption keys”.`

/** Describes an API version in OpenAPI 3.1. @param origin the API's public origin */
export function describeApi(origin: string, version: Version = NEWEST_VERSION, mount: Mount = 'root'): Document {
  const schemas = schemasOf(version, mount)
  const shared = new Map<string, unknown>()
  const paths: Document['paths'] = {}
  for (const { name, endpoints } of families)
    for (const endpoint of endpoints.filter(each => isServed(each, version))) {
      const path = templateOf(endpoint.path)
      paths[path] = {
        ...paths[path],
        [endpoint.method.toLowerCase()]: describeOperation(endpoint, name, version, mount, schemas, shared),
      }
    }
  const text = { schema: { type: 'string' } }
  const { webhooks, schemas: payloads } = webhooksOf(version, schemas.components)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Causeway',
      version,
      description: apiDescription,
      contact: { name: 'API reference', url: `${origin}/docs` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: mount === 'root' ? origin : `${origin}/enveloped` }],
    tags: families.map(family => ({ name: family.name, description: family.about })),
    paths,
    webhooks,
    components: {
      schemas: { ...schemas.components, ...payloads },
      responses: Object.fromEntries(shared),
      headers: {
        RequestId: { description: 'The id of this request. Include it when you report a problem.', ...text },
        UnknownFields: {
          description:
            'The unknown fields and query parameters that the endpoint ignored, percent-encoded and separated by commas. Absent if there are none.',
          ...text,
        },
        Pagination: {
          description: "This page's position in the list. Empty or absent if there is no value.",
          ...text,
        },
        RetryAfter: { description: 'The number of seconds to wait before retrying.', ...text },
        ContentDisposition: { description: "The attachment's file name.", ...text },
        IdemStatus: {
          description:
            '`stored`: the response was stored under the Idempotency-Key. `replayed`: this is the stored response. `bypassed`: the request has no key, or the response was not stored.',
          schema: { type: 'string', enum: ['stored', 'replayed', 'bypassed'] },
        },
        IdempotencyReplayed: {
          description: 'Present if this is a stored response.',
          schema: { type: 'string', const: 'true' },
        },
        IdempotencyMismatch: {
          description:
            'Present if the Idempotency-Key was used for a different request. If only the body differs, this is the response to that request; otherwise, it is an error.',
          schema: { type: 'string', const: 'true' },
        },
      },
      parameters: {
        ...webhookHeaders,
        ServiceVersion: {
          name: VERSION_HEADER,
          in: 'header',
          description: "The API version. Default: the team's version.",
          schema: { type: 'string', enum: [...versions] },
        },
        ServiceMle: {
          name: 'Service-MLE',
          in: 'header',
          description: 'Encrypts the request and response bodies inside the TLS connection. See “Encryption keys”.',
          schema: { type: 'string', const: 'jwe' },
        },
        Prefer: {
          name: 'Prefer',
          in: 'header',
          description: '`respond-async` returns the record immediately, before it is completed.',
          schema: { type: 'string' },
        },
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          description:
            'Makes retries safe. The service returns the first response to every request to the same path with the same key, even if the bodies differ. Equal copies of the header, also joined by a comma, are one key.',
          schema: { type: 'string', minLength: 1, maxLength: 255 },
        },
      },
      securitySchemes: {
        secretKey: {
          type: 'http',
          scheme: 'bearer',
          description: "The team's secret key, `sk_…`. Use it only on your servers.",
        },
        opalToken: { type: 'http', scheme: 'bearer', description: 'An Opal token, `otkn_…`.' },
      },
    },
  }
}
