/**
 * Sends random requests generated from the OpenAPI document, and checks that the document lists each response. Requests
 * share state, so each request's ids are chosen when it is sent. A failing request is identified by its number and is
 * not shrunk.
 */
import type { Endpoint } from '@causeway/contract/declaration/endpoint'
import { endpoints } from '@causeway/contract/endpoints/table'
import { versions } from '@causeway/contract/versions'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { idOf, marked, settle, valueFor } from '../../testing/contract/arbitrary.js'
import { endpointFor } from '../../testing/contract/contract.js'
import { places, replaceAt } from '../../testing/contract/input.js'
import { confirmed } from '../../testing/frame.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'
import { requestExampleOf } from './document.js'
import { schemasOf } from './schemas.js'

/** The number of requests. `pnpm fuzz` sends 20,000. */
const RUNS = Number(process.env['DOCUMENT_FUZZ_RUNS'] ?? 2_000)
const SEED = Number(process.env['DOCUMENT_FUZZ_SEED'] ?? 20_260_302)
/** The number of ids of each kind to remember. */
const REMEMBERED = 30

/** Excluded endpoints. Simulated faults have their own tests and would hide every real failure here. */
const left = new Set(['POST /simulate/faults'])

const known = new Map<string, string[]>()
const paths = new Map<string, string[]>()

const remember = (map: Map<string, string[]>, key: string, value: string) =>
  map.set(key, [...(map.get(key) ?? []).filter(each => each !== value), value].slice(-REMEMBERED))

const turnOf = (all: readonly string[], turn: number) => all[all.length - 1 - (turn % all.length)]
const idAt = (kind: string, turn: number): string =>
  turnOf(kind === '' ? [...known.values()].flat() : (known.get(kind) ?? []), turn) ?? `${kind}unknown`

/** Returns an id to put in a URL. Excludes tokens, because only a faulty client would put one in a URL. */
const idInUrl = (kind: string, turn: number): string => {
  const id = idAt(kind, turn)
  return id.startsWith('otkn_') || (kind === '' && /^(?:pk_elem|sk)_/.test(id)) ? 'unknown' : id
}

/** Remembers every id in a response, the accounts that can pay, and the path of a single resource. */
function harvest(path: string, body: unknown): void {
  const seen = JSON.stringify(body)
  for (const [, id, prefix] of seen.matchAll(/"(([a-z_]+_)[0-9A-Za-z]{3,60})"/g))
    if (id !== own) remember(known, prefix!, id!)
  const one = ((body as { data?: unknown } | null)?.data ?? body) as { id?: unknown; type?: unknown } | null
  if (typeof one?.id !== 'string') return
  if (one.type === 'ach') remember(known, 'ach_', one.id)
  const bare = path.replace(/^\/enveloped/, '')
  const found = bare.endsWith(`/${one.id}`) ? bare : `${bare}/${one.id}`
  const endpoint = endpointFor('GET', found)
  if (!endpoint) return
  for (const { path: other } of endpoints)
    for (const [stem, start] of [
      [endpoint.path, found],
      [`/simulate${endpoint.path}`, `/simulate${found}`],
    ] as const)
      if ((other === stem || other.startsWith(`${stem}/`)) && !other.slice(stem.length).includes(':'))
        remember(paths, other, start + other.slice(stem.length))
}

const service = await testService({ chance: true })
const { must, source, debts } = lender(service)
const look = async (path: string) => harvest(path, await must('GET', path))
/** The id of the key used for all requests. Revoking it would end the run. */
const own = ((await must('GET', '/team/keys'))['data'] as { id: string }[])[0]!.id
const account = await source()
const { entity, accounts } = await debts()
const { session, entity: other } = await confirmed(service, '+15125550100')
await must('PATCH', '/team', { default_source_account: account.id })
for (const { id } of accounts.filter(each => (each['products'] as string[]).includes('payment')))
  await look(
    `/payments/${(await must('POST', '/payments', { amount: 500, source: account.id, destination: id, description: 'Loan' })).id}`,
  )
for (const { id } of accounts) await look(`/accounts/${id}`)
await look(`/accounts/${account.id}`)
for (const id of [entity, other]) {
  await look(`/entities/${id}`)
  for (const list of ['connect', 'verification_sessions']) {
    const { data } = (await must('GET', `/entities/${id}/${list}`)) as unknown as { data: { id: string }[] }
    for (const one of data) await look(`/entities/${id}/${list}/${one.id}`)
  }
}
await look(`/opal/sessions/${session}`)
await look('/merchants')
const { id, parent_id, name, version, created_at, updated_at, ...rest } = await must('GET', '/team')
const settings: Record<string, unknown> = rest

const schemas = schemasOf('2026-03-30')
const strange = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    null,
    '',
    '\u0000',
    'x'.repeat(3_000),
    0,
    -1,
    1.5,
    1e300,
    [],
    {},
    true,
    '__proto__',
    "' or 1=1 --",
  ),
)

function bodyOf(endpoint: Endpoint): fc.Arbitrary<unknown> {
  const body = schemas.body(endpoint)
  if (!body) return fc.oneof(fc.constant(undefined), fc.jsonValue({ maxDepth: 1 }))
  const good = valueFor(body)
  const spoilt = fc.tuple(good, fc.nat(), strange).map(([body, turn, value]) => {
    const all = places(body)
    const place = all[turn % Math.max(1, all.length)]
    return place ? replaceAt(body, place, value) : value
  })
  const broken = fc.constantFrom<unknown>('{', '[]', 'null', '"text"', '{"a":1', undefined, ' ')
  const example = fc
    .tuple(fc.nat({ max: 50 }), fc.constantFrom(...versions))
    .map(([turn, version]) => marked(requestExampleOf(endpoint, version), turn))
  return fc.oneof(
    { weight: 8, arbitrary: example },
    { weight: 12, arbitrary: good },
    { weight: 6, arbitrary: spoilt },
    { weight: 1, arbitrary: broken },
  )
}

function queryOf(endpoint: Endpoint): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.fromEntries(
    Object.entries(endpoint.query ?? {}).map(([name, schema]) => [
      name,
      fc.oneof(
        { weight: 5, arbitrary: valueFor(schemas.parameter(schema), name) },
        { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
      ),
    ]),
  )
  return fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, fc.record(fields, { requiredKeys: [] }))
}

const named: Record<string, string> = { ':token': 'pk_elem_', ':id': '' }

/** Generates a path for the endpoint, either one that worked before or one with random ids. */
function pathOf(endpoint: Endpoint): fc.Arbitrary<(string | { seen: string; turn: number })[]> {
  const parts = endpoint.path.split('/').slice(1)
  const byChance = fc.tuple(
    ...parts.map(part =>
      part.startsWith(':')
        ? fc.oneof(
            {
              weight: 8,
              arbitrary: idOf(part.endsWith('_id') ? part.slice(1, -2) : (named[part] ?? '')),
            },
            { weight: 1, arbitrary: fc.stringMatching(/^[\w%.~-]{1,30}$/) },
          )
        : fc.constant(part),
    ),
  )
  const seen = fc.nat({ max: REMEMBERED }).map(turn => [{ seen: endpoint.path, turn }])
  return parts.some(part => part.startsWith(':')) ? fc.oneof({ weight: 3, arbitrary: seen }, byChance) : byChance
}

const headersOf = (endpoint: Endpoint) =>
  fc.record(
    {
      'service-version': fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom<string>(...versions) },
        fc.stringMatching(/^[ -~]{1,12}$/),
      ),
      'idempotency-key': fc.oneof(fc.uuid(), fc.constantFrom('one', 'two', 'x'.repeat(256))),
      prefer: fc.constant('respond-async'),
      authorization: fc.oneof(
        { weight: endpoint.auth === 'opal' ? 18 : 1, arbitrary: fc.nat({ max: 20 }).map(turn => `@otkn_:${turn}`) },
        { weight: endpoint.auth === 'opal' ? 0 : 17, arbitrary: fc.constant('the key') },
        { weight: 1, arbitrary: fc.constantFrom('Bearer sk_unknown', 'Basic abc') },
      ),
    },
    { requiredKeys: ['authorization'] },
  )

const requestOf = (endpoint: Endpoint) =>
  fc.record({
    endpoint: fc.constant(endpoint),
    mount: fc.constantFrom('', '', '/enveloped'),
    path: pathOf(endpoint),
    query: queryOf(endpoint),
    body: bodyOf(endpoint),
    headers: fc.oneof({ weight: endpoint.auth === 'opal' ? 0 : 2, arbitrary: fc.constant({}) }, headersOf(endpoint)),
  })

const requests = fc.oneof(...endpoints.filter(({ method, path }) => !left.has(`${method} ${path}`)).map(requestOf))

it(`answers ${RUNS} random requests as the document describes, without a server error`, async () => {
  const statuses = new Map<number, number>()
  let number = 0
  for (const request of fc.sample(requests, { numRuns: RUNS, seed: SEED })) {
    number += 1
    const { endpoint, mount } = request
    const path = request.path
      .map(part => {
        if (typeof part === 'string') return settle(part, idInUrl) as string
        const seen = turnOf(paths.get(part.seen) ?? [], part.turn) ?? part.seen.replace(/:\w+/g, 'unknown')
        return seen.slice(1)
      })
      .map(part => `/${part}`)
      .join('')
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(settle(request.query, idInUrl) as Record<string, unknown>))
      for (const item of [value].flat()) query.append(name, String(item))
    const headers = settle(request.headers, idAt) as Record<string, string>
    if (headers['authorization'] === 'the key') headers['authorization'] = `Bearer ${service.key}`
    if (headers['authorization']?.startsWith('otkn_')) headers['authorization'] = `Bearer ${headers['authorization']}`
    const asked = endpoint.method === 'GET' ? undefined : settle(request.body, idAt)
    const told = () =>
      `request ${number}: ${endpoint.method} ${mount}${path}?${query} ${JSON.stringify({ headers, asked })}`
    const url = `${mount}${path}${query.size > 0 ? `?${query}` : ''}`
    const reply = await service.call(endpoint.method, url, asked, headers).catch(error => {
      throw new Error(`${told()}\n${error instanceof Error ? error.stack : error}`)
    })
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
    expect(
      reply.status,
      `${told()}\n${reply.text}\n${service.lines.filter(line => line.includes('fault')).at(-1)}`,
    ).toBeLessThan(500)
    if (reply.status === 200 && typeof reply.body === 'object') harvest(path, reply.body)
    if (reply.status === 200 && endpoint.method === 'PATCH' && endpoint.path === '/team')
      await service.call('PATCH', '/team', settings)
    if (number % 25 === 0) {
      service.advance(60_000)
      await service.settle()
    }
  }
  expect(statuses.get(200), JSON.stringify([...statuses])).toBeGreaterThan(RUNS / 5)
}, 1_800_000)
