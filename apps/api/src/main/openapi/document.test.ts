import { codesOf, rulesOf } from '@causeway/contract/declaration/body-messages'
import { endpoints } from '@causeway/contract/endpoints/table'
import { errors } from '@causeway/contract/errors'
import { NEWEST_VERSION, type Version, versions } from '@causeway/contract/versions'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { rejectionOf } from '../../testing/contract/cases.js'
import { checkAnswer } from '../../testing/contract/contract.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'
import { type Document, describeApi, exampleOf, isServed, templateOf } from './document.js'
import { bodyAt, type Mount, type Schema } from './schemas.js'

const origin = 'https://api.example'
const mounts: Mount[] = ['root', 'enveloped']
const spoken = versions.flatMap(version =>
  mounts.map(mount => ({ version, mount, document: describeApi(origin, version, mount) })),
)
/** Returns the document for the root mount. */
const documentFor = (version: Version = NEWEST_VERSION) => spoken.find(each => each.version === version)!.document
const validator = new Validator()
const service = await testService()

describe.each(spoken)('the document for $version, $mount', ({ version, mount, document }) => {
  const served = endpoints.filter(endpoint => isServed(endpoint, version))

  it('is OpenAPI 3.1', async () => {
    const result = await validator.validate(structuredClone(document))
    expect(result.errors).toBeUndefined()
    expect(result.valid).toBe(true)
  })

  it('refers only to components that it contains', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)]
    expect(refs.length).toBeGreaterThan(50)
    for (const [, kind, name] of refs) expect(document.components[kind!]).toHaveProperty(name!)
  })

  it('lists every error that a body declares, and every rule between its fields', () => {
    for (const endpoint of served) {
      const body = bodyAt(endpoint, version)
      if (!body) continue
      const operation = document.paths[templateOf(endpoint.path)]![endpoint.method.toLowerCase()]!
      const described = JSON.stringify(
        Object.values(operation.responses).map(({ $ref, ...inline }) =>
          $ref ? document.components['responses']![$ref.split('/').at(-1)!] : inline,
        ),
      )
      for (const code of codesIn(body))
        expect([endpoint.id, described]).toEqual([endpoint.id, expect.stringContaining(`"${code}"`)])
      const { description = '' } = (operation['requestBody'] ?? {}) as { description?: string }
      for (const rule of rulesOf(body))
        expect([endpoint.id, description]).toEqual([endpoint.id, expect.stringContaining(rule)])
    }
  })

  it('has examples that match their schemas', () => {
    for (const endpoint of served.filter(({ shape, type }) => shape !== 'raw' && !type))
      checkAnswer({
        method: endpoint.method,
        path: `${mount === 'enveloped' ? '/enveloped' : ''}${endpoint.path}`,
        version,
        status: 200,
        body: exampleOf(endpoint, version, mount),
      })
  })
})

/** The time limit, in ms, for a test that sends a request to almost every endpoint. */
const LONG = 60_000

describe.each(versions)('requests in %s', version => {
  const document = documentFor(version)
  const examples = new Map<string, unknown>()
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, { requestBody }] of Object.entries(operations) as [string, Described][])
      if (requestBody) examples.set(`${method.toUpperCase()} ${path}`, requestBody.content['application/json'])

  it('have examples that match their schemas', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, code: { optimize: false } })
    expect(examples.size).toBeGreaterThan(50)
    for (const [name, { schema, example }] of examples as Map<string, { schema: Schema; example: unknown }>) {
      const validate = ajv.compile(schema)
      expect([name, validate(example), validate.errors]).toEqual([name, true, null])
    }
  })

  it('are accepted by the service as their examples show them, and their events match the webhook schemas', {
    timeout: LONG,
  }, async () => {
    const service = await testService()
    const { entity, accounts } = await lender(service).debts('+15121231111')
    const account = accounts[0]!.id
    const sessions = `/accounts/${account}/verification_sessions`
    const session = await service.call('POST', sessions, { type: 'pre_auth' })
    await service.call('PUT', `${sessions}/${session.body['id']}`, { pre_auth: { cvv: '878' } })
    const delivered = new Ajv2020({ strict: false, validateFormats: false, code: { optimize: false } })
    delivered.addSchema({ $id: 'openapi', ...document })
    // Endpoints that require more than an entity and an account have their own tests. Withdrawing consent would make
    // the other endpoints fail.
    const asked = [...examples].filter(([name]) => !/\{(?!ent_id|acc_id)|consent$/.test(name))
    expect(asked.length).toBeGreaterThan(35)
    const told = (await service.call('GET', '/events', undefined, { 'service-version': version })).body['data']
    for (const event of told as unknown as { type: string }[]) {
      const schema = `openapi#/webhooks/${event.type}/post/requestBody/content/application~1json/schema`
      const body = {
        webhook_id: 'whk_1',
        id: 'x',
        type: event.type,
        op: event.type.split('.').at(-1),
        event,
        refs: null,
      }
      // `compile` is slow, and it reuses an earlier result only for the same object.
      const validate = delivered.getSchema(event.type) ?? delivered.compile({ $id: event.type, $ref: schema })
      expect([event.type, validate(body), validate.errors]).toEqual([event.type, true, null])
      expect(validate({ ...body, type: 'payment.gone' })).toBe(false)
    }
    expect(new Set((told as unknown as { type: string }[]).map(({ type }) => type)).size).toBeGreaterThan(8)
    const refused: Record<string, string> = {}
    for (const [name, content] of asked) {
      const { example } = content as { example: unknown }
      const [method, path] = name.replace(/\{(\w+)\}/g, ':$1').split(' ') as [string, string]
      // PUT requests use a new entity with no details.
      const unknown = (await service.call('POST', '/entities', { type: 'individual', individual: {} })).body['id']
      const at = path.replace(':ent_id', method === 'PUT' ? unknown : entity).replace(':acc_id', account)
      const reply = await service.call(method, at, example, { 'service-version': version })
      if (reply.status !== 200 && rejectionOf(reply) === 'INVALID_REQUEST') refused[name] = reply.text
    }
    expect(refused).toEqual({})
  })

  it('include no endpoint that the version lacks', async () => {
    for (const endpoint of endpoints.filter(each => each.since !== undefined)) {
      const described = endpoint.method.toLowerCase() in (document.paths[templateOf(endpoint.path)] ?? {})
      const headers = { 'service-version': version }
      const body = endpoint.method === 'GET' ? undefined : {}
      const reply = await service.call(endpoint.method, endpoint.path.replace(/:\w+/g, 'x'), body, headers)
      expect(described).toBe(isServed(endpoint, version))
      if (!described) expect([endpoint.path, reply.status]).toEqual([endpoint.path, 404])
    }
  })
})

/**
 * Collects the error codes in a body's schema by calling its error functions. Unlike `codesOf`, it visits every part of
 * the schema.
 */
function codesIn(body: unknown, seen = new Set<unknown>()): Set<string> {
  if (typeof body !== 'object' || body === null || seen.has(body)) return new Set()
  seen.add(body)
  const { _zod, ...rest } = body as { _zod?: { def: object } }
  const def = _zod?.def ?? rest
  const { error } = def as { error?: (issue: object) => unknown }
  const message = typeof error === 'function' ? error({}) : undefined
  const inner = Object.values(def).flatMap(part => [...codesIn(part, seen)])
  return new Set([...(typeof message === 'string' && message in errors ? [message] : []), ...inner])
}

it('does not list an endpoint error that the body already declares', () => {
  const twice = endpoints.flatMap(({ id, body, errors = [] }) =>
    (body ? codesOf(body) : []).filter(code => errors.includes(code)).map(code => `${id} ${code}`),
  )
  expect(twice).toEqual([])
})

it('marks required query parameters', () => {
  const parameters = documentFor().paths['/timeline']!['get']!['parameters'] as { required?: true }[]
  expect(parameters.filter(parameter => parameter.required)).toEqual([
    { name: 'about', in: 'query', required: true, description: 'The id of a resource', schema: { type: 'string' } },
  ])
})

it("states a body's rules between fields in words", () => {
  const { description } = documentFor().paths['/payments']!['post']!['requestBody'] as { description: string }
  expect(description).toContain('fee.amount must be at most amount.')
  expect(description).toContain('`INVALID_TRANSFER`: source and destination must be different accounts.')
})

interface Described {
  requestBody?: { content: Record<string, { schema: Schema; example: unknown }> }
}

/** The names of fields whose values usually come from a fixed list. */
const listed = new Set(['type', 'sub_type', 'resource_type', 'status', 'method', 'products', 'subscriptions'])
/**
 * Fields without a fixed list of values. The service composes the values of the first two during a flow, and the team
 * chooses the values of the last two.
 */
const composed = [
  'TokenResults.events.items.type',
  'OpalEvent.type',
  'Team.contacts.items.type',
  'NewTeam.contacts.items.type',
]

it.each(versions)('lists every value of the fields that come from a list, in %s', version => {
  const free: string[] = []
  const visit = (schema: Schema, path: string): void => {
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const at = `${path}.${name}`
      const item = (field['items'] as Schema | undefined) ?? field
      if (listed.has(name.replace(/^.*_(?=products|subscriptions|status$)/, '')) && item.type === 'string')
        if (!item['enum'] && item['const'] === undefined) free.push(at)
      visit(field, at)
    }
    for (const part of (schema['anyOf'] ?? []) as Schema[]) visit(part, path)
    if (schema['items']) visit(schema['items'] as Schema, `${path}.items`)
    if (typeof schema['additionalProperties'] === 'object') visit(schema['additionalProperties'] as Schema, path)
  }
  const schemas = documentFor(version).components['schemas'] as Record<string, Schema>
  for (const [name, schema] of Object.entries(schemas)) visit(schema, name)
  expect(free.filter(each => !composed.includes(each))).toEqual([])
})

it('gives every operation a unique name', () => {
  const ids = Object.values(documentFor().paths).flatMap(path => Object.values(path).map(each => each.operationId))
  expect(new Set(ids).size).toBe(endpoints.length)
})

it('omits later additions from a version', () => {
  const payment = (version: (typeof versions)[number]) => {
    const schemas = documentFor(version).components['schemas'] as Record<string, Schema>
    return schemas['Payment']!
  }
  expect(payment('2026-03-30').properties).toHaveProperty('destination_posted_date')
  expect(payment('2025-12-01').properties).not.toHaveProperty('destination_posted_date')
  expect(payment('2025-12-01').properties).toHaveProperty('reversal_account')
  expect(payment('2024-04-04').properties).not.toHaveProperty('reversal_account')
  expect(payment('2024-04-04').required).not.toContain('reversal_account')
})

describe('GET /openapi.json', () => {
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const reply = await service.call('GET', path, undefined, { authorization: '', ...headers })
    return reply as unknown as {
      status: number
      body: Document & { info: { version: string }; servers: { url: string }[]; error: { sub_type: string } }
    }
  }

  it('requires no key and uses the latest version', async () => {
    const { status, body } = await ask('/openapi.json')
    expect(status).toBe(200)
    expect(body.info.version).toBe(NEWEST_VERSION)
  })

  it('uses the version in the query, or else in the header', async () => {
    expect((await ask('/openapi.json?version=2025-07-04')).body.info.version).toBe('2025-07-04')
    const header = { 'service-version': '2024-04-04' }
    expect((await ask('/openapi.json', header)).body.info.version).toBe('2024-04-04')
  })

  it('describes the mount that it is read from, without an envelope, or the one in the query', async () => {
    const root = ['http://127.0.0.1:4000', false]
    const enveloped = ['http://127.0.0.1:4000/enveloped', true]
    const described = async (path: string) => {
      const { servers, paths } = (await ask(path)).body
      const { schema } = paths['/entities']!['get']!.responses['200']!.content!['application/json']!
      return [servers[0]!.url, Object.hasOwn(schema.properties!, 'success')]
    }
    expect(await described('/openapi.json')).toEqual(root)
    expect(await described('/enveloped/openapi.json')).toEqual(enveloped)
    expect(await described('/openapi.json?mount=enveloped')).toEqual(enveloped)
    expect(await described('/enveloped/openapi.json?mount=root')).toEqual(root)
  })

  it('rejects an unknown version', async () => {
    const { status, body } = await ask('/openapi.json?version=1999-01-01')
    expect(status).toBe(400)
    expect(body.error.sub_type).toBe('INVALID_VERSION')
  })
})
