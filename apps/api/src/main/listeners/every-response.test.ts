/**
 * Sends a request to every route of every listener through a socket, and checks what every response must have. The
 * routes are those that the apps have registered, so that no new route can be left out.
 */
import { randomUUID } from 'node:crypto'
import { sign } from '@causeway/connector/http/signature'
import { endpoints } from '@causeway/contract/endpoints/table'
import { afterAll, describe, expect, it } from 'vitest'
import { PUSH_PATH } from '../../network/connectors/pushes.js'
import { connectorKeys } from '../../testing/connector/connector.js'
import { HOST, newToken } from '../../testing/frame.js'
import {
  failingStore,
  type ListenerName,
  openListeners,
  origins,
  type RequestRecord,
  type RouteName,
  send,
} from '../../testing/listeners.js'
import { testService } from '../../testing/service.js'
import { routes as apiRoutes } from '../app.js'
import { closeListener } from './listen.js'
import { opsPaths } from './ops.js'

const names = Object.keys(origins) as ListenerName[]

const routes = new Map<ListenerName, RouteName[]>()
const logged: RequestRecord[] = []
const measured: RequestRecord[] = []
let cookie = ''
let bearer = ''

/** The headers that identify the caller of each listener. */
const credentials: Readonly<Record<ListenerName, () => string>> = {
  API: () => `Authorization: Bearer ${service.key}`,
  frame: () => `Authorization: Bearer ${bearer}`,
  console: () => `Cookie: ${cookie}`,
  operations: () => 'Accept: */*',
}

/** Formats a request with the credentials of its listener. */
const requestTo = (name: ListenerName, method: string, path: string, more: readonly string[] = [], body?: string) =>
  anonymous(name, method, path, [credentials[name](), ...more], body)

/** Formats a request without credentials. */
function anonymous(
  name: ListenerName,
  method: string,
  path: string,
  more: readonly string[] = [],
  body?: string,
): string {
  const own = name === 'console' ? [`Origin: ${origins.console}`, 'Sec-Fetch-Site: same-origin'] : []
  const typed = method === 'GET' ? [] : ['Content-Type: application/json']
  const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    ...own,
    ...typed,
    ...length,
    ...more,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

/** The statuses of the responses to each route so far. */
const statuses = new Map<string, Set<number>>()
const statusesOf = (name: ListenerName, what: string) => statuses.get(`${name}: ${what}`) ?? new Set()

/** Sends a request and lists what its response lacks. @param what the route, and after a comma what differs from it */
async function problemsOf(name: ListenerName, what: string, text: string, listeners = open): Promise<string[]> {
  logged.length = 0
  measured.length = 0
  const { status, headers, text: body } = await send(listeners[name], text)
  const id = headers.get('request-id')
  const [line, metric] = [logged[0], measured[0]]
  const [route] = what.split(', ')
  statuses.set(`${name}: ${route}`, statusesOf(name, route!).add(status))
  const secure = origins[name].startsWith('https:') ? 'max-age=31536000' : undefined
  const checks: [string, boolean][] = [
    ['a status', status >= 200],
    ['Request-Id', /^req_\w+$/.test(id ?? '')],
    ['nosniff', headers.get('x-content-type-options') === 'nosniff'],
    ['a policy', headers.get('content-security-policy')?.includes("default-src 'none'") === true],
    ['the right Strict-Transport-Security', headers.get('strict-transport-security') === secure],
    ['a body that keeps faults secret', !body.includes('canary')],
    ['one log line', logged.length === 1],
    ['its id in the log', line?.request_id === id],
    ['its status in the log', line?.status === status],
    ['its route in the log', typeof line?.route === 'string'],
    ['one metric', measured.length === 1],
    ['its status and its route in the metric', metric?.status === status && metric.route === line?.route],
  ]
  if (/^(?:console: (?:POST|DELETE) \/api\/(?:console\/)?session|frame: .*exit)/.test(`${name}: ${what}`))
    await signIn()
  return checks.filter(([, holds]) => !holds).map(([lack]) => `${name}: ${what}: ${status} without ${lack}`)
}

/** Returns a body that a route accepts without credentials, or an empty object. */
async function bodyFor(path: string): Promise<string> {
  if (path === '/api/session') return JSON.stringify({ key: service.key })
  if (path !== '/s/redeem') return '{}'
  const token = await newToken(service)
  return JSON.stringify({ token, exchange_id: randomUUID(), origin: HOST, mode: null })
}

/** Signs in to the console and opens a session of the frame. Some routes end them. */
async function signIn(): Promise<void> {
  const session = await send(
    open.console,
    anonymous('console', 'POST', '/api/session', [], await bodyFor('/api/session')),
  )
  cookie = session.headers.get('set-cookie')!.split(';')[0]!
  const redeemed = await send(open.frame, anonymous('frame', 'POST', '/s/redeem', [], await bodyFor('/s/redeem')))
  bearer = (JSON.parse(redeemed.text) as { bearer: string }).bearer
}

const service = await testService()
const record = {
  log: (fields: RequestRecord) => logged.push(fields),
  metric: (fields: RequestRecord) => measured.push(fields),
}
const open = await openListeners(service, record)
/** The same listeners with a store whose every read and write fails. */
const failing = await openListeners(service, record, failingStore(service.store))
routes.set('API', open.registered.API)
routes.set('frame', open.registered.frame)
const forwarded = endpoints.map(({ method, path }) => ({ method, path: `/api${path}` }))
routes.set('console', [...open.registered.console, ...forwarded])
routes.set(
  'operations',
  opsPaths.map(path => ({ method: 'GET', path })),
)
await signIn()
afterAll(async () => {
  for (const name of names) for (const { [name]: server } of [open, failing]) await closeListener(server)
})

const hasBody = (method: string) => method !== 'GET' && method !== 'DELETE'
/** Replaces the parameters and wildcards of a route. */
const pathOf = (path: string) => path.replace(/:\w+/g, 'x'.repeat(16)).replace('*', 'app.js')

describe.each(names)('every response of the %s listener has its id, its headers, a log line and a metric', name => {
  it('for each route', async () => {
    const problems: string[] = []
    const own = routes.get(name)!
    expect(own.length).toBeGreaterThan(2)
    for (const { method, path } of own) {
      const keyed = name === 'console' && method === 'POST' ? [`Idempotency-Key: ${path}`] : []
      const body = method === 'GET' ? undefined : await bodyFor(path)
      problems.push(
        ...(await problemsOf(name, `${method} ${path}`, requestTo(name, method, pathOf(path), keyed, body))),
      )
    }
    expect(problems).toEqual([])
  })

  it('for each route with a body that is too large, malformed or of another type', async () => {
    const problems: string[] = []
    for (const { method, path } of routes.get(name)!.filter(({ method }) => hasBody(method))) {
      const check = async (what: string, lines: string[], rest = '') => {
        const text = requestTo(name, method, pathOf(path), lines) + rest
        problems.push(...(await problemsOf(name, `${method} ${path}, ${what}`, text)))
      }
      await check('too large', [`Idempotency-Key: large ${path}`, 'Content-Length: 2000000'])
      await check(
        'too large, in chunks',
        [`Idempotency-Key: chunks ${path}`, 'Transfer-Encoding: chunked'],
        `${(1_100_000).toString(16)}\r\n${' '.repeat(1_100_000)}`,
      )
      await check('malformed', ['Idempotency-Key: malformed', 'Content-Length: 1'], '{')
      await check('not UTF-8', ['Idempotency-Key: bytes', 'Content-Length: 2'], '"\u00e9')
    }
    expect(problems).toEqual([])
  })

  it('for each route without credentials', async () => {
    const problems: string[] = []
    for (const { method, path } of routes.get(name)!)
      problems.push(...(await problemsOf(name, `${method} ${path}`, anonymous(name, method, pathOf(path), [], '{}'))))
    expect(problems).toEqual([])
  })

  it('for each route while the store fails, and no response repeats the fault', async () => {
    const problems: string[] = []
    for (const { method, path } of routes.get(name)!) {
      const keyed = name === 'console' ? [`Idempotency-Key: ${path}`] : []
      const text = requestTo(name, method, pathOf(path), keyed, await bodyFor(path))
      problems.push(...(await problemsOf(name, `${method} ${path}`, text, failing)))
    }
    expect(problems).toEqual([])
  })

  it('for requests that no route answers', async () => {
    const problems: string[] = []
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])
      for (const path of ['/nowhere', '/', '//', '/%2e%2e/x', '/%ff', '/.well-known/nothing'])
        problems.push(...(await problemsOf(name, `${method} ${path}`, requestTo(name, method, path))))
    for (const { method, path } of routes.get(name)!.filter(route => route.method === 'GET'))
      problems.push(
        ...(await problemsOf(name, `not ${method} ${path}`, requestTo(name, 'PATCH', pathOf(path), [], '{}'))),
      )
    expect(problems).toEqual([])
  })

  it('for requests that are not read', async () => {
    const host = 'Host: localhost\r\nConnection: close'
    const malformed = {
      'an unknown method': `FROBNICATE / HTTP/1.1\r\n${host}\r\n\r\n`,
      'another protocol': 'SSH-2.0-OpenSSH\r\n\r\n',
      'two hosts': `GET / HTTP/1.1\r\n${host}\r\nHost: b\r\n\r\n`,
      'two types': `POST / HTTP/1.1\r\n${host}\r\nContent-Type: a/b\r\nContent-Type: c/d\r\n\r\n`,
      'long headers': `GET / HTTP/1.1\r\n${host}\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`,
      'a long URL': `GET /${'x'.repeat(17_000)} HTTP/1.1\r\n${host}\r\n\r\n`,
      'another expectation': `POST / HTTP/1.1\r\n${host}\r\nExpect: miracles\r\nContent-Length: 0\r\n\r\n`,
      'two lengths': `POST / HTTP/1.1\r\n${host}\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
      'an absolute URL of no host': `GET http:// HTTP/1.1\r\n${host}\r\n\r\n`,
      'a tunnel': `CONNECT a:1 HTTP/1.1\r\n${host}\r\n\r\n`,
    }
    const problems: string[] = []
    for (const [what, text] of Object.entries(malformed)) problems.push(...(await problemsOf(name, what, text)))
    expect(problems).toEqual([])
  })
})

describe('every response of the API listener', () => {
  it('has its id, its headers, a log line and a metric on the mount that wraps bodies', async () => {
    const problems: string[] = []
    for (const { method, path } of routes.get('API')!) {
      const body = method === 'GET' ? undefined : '{}'
      const text = requestTo('API', method, `/enveloped${pathOf(path)}`, [], body)
      problems.push(...(await problemsOf('API', `${method} ${path}, under /enveloped`, text)))
    }
    expect(problems).toEqual([])
  })
})

describe('every response of the API listener to a push', () => {
  it('has its id, its headers, a log line and a metric if the push is signed', async () => {
    const body = JSON.stringify({ id: 'p1', type: 'payment.changed', team_id: service.team, payment_id: 'pmt_x' })
    const signature = await sign(connectorKeys, body, { from: 'connector', about: 'push', id: 'p1' }, Date.now())
    const text = requestTo('API', 'POST', PUSH_PATH, [`Connector-Signature: ${signature}`], body)
    expect(await problemsOf('API', `POST ${PUSH_PATH}`, text)).toEqual([])
    expect((await send(open.API, text)).status).toBe(200)
  })

  it('is 413 if the push is too large, whether or not its length is declared', async () => {
    const whole = requestTo('API', 'POST', PUSH_PATH, [], ' '.repeat(70_000))
    const chunked = requestTo('API', 'POST', PUSH_PATH, ['Transfer-Encoding: chunked'])
    const chunk = `${(70_000).toString(16)}\r\n${' '.repeat(70_000)}\r\n0\r\n\r\n`
    for (const text of [whole, chunked + chunk]) expect((await send(open.API, text)).status).toBe(413)
  })
})

/** Returns the statuses with which a route must have answered in the tests above. */
function mustHaveAnswered(name: ListenerName, { method, path }: RouteName): number[] {
  const tooLarge = hasBody(method) ? [413] : []
  if (name === 'API') {
    const route = apiRoutes.find(each => each.method === method && each.path === path)
    if (path === PUSH_PATH) return [200, 401, 413]
    if (!route || route.auth === 'none') return []
    // An endpoint that the team's version does not have is 404, whatever the body.
    return route.auth === 'opal' ? [401] : [401, 500, ...(route.since ? [] : tooLarge)]
  }
  if (name === 'frame') {
    if (path === '/s/redeem') return [200, 413, 500]
    return path.startsWith('/s') ? [401, 500] : []
  }
  // Only these sign-in endpoints reach the store without credentials.
  if (name === 'console' && path.startsWith('/api/sign-in'))
    return method === 'GET' ? [200] : path.endsWith('/passkey/options') ? [200, 413, 500] : [413]
  if (name === 'console' && path.startsWith('/api/'))
    return path === '/api/session' && method === 'POST' ? [200, 413, 500] : [401, 500, ...tooLarge]
  return []
}

it.each([
  ['API', [200, 401, 404, 413, 500]],
  ['frame', [200, 401, 404, 413, 500]],
  ['console', [200, 401, 404, 413, 500]],
  ['operations', [200, 404, 500]],
] as const)('the tests above have seen these statuses of the %s listener: %j', (name, expected) => {
  const seen = new Set([...statuses].flatMap(([what, each]) => (what.startsWith(`${name}: `) ? [...each] : [])))
  expect(expected.filter(status => !seen.has(status))).toEqual([])
  const missing = routes.get(name)!.flatMap(route => {
    const what = `${route.method} ${route.path}`
    const lacked = mustHaveAnswered(name, route).filter(status => !statusesOf(name, what).has(status))
    return lacked.length > 0 ? [`${what}: ${lacked} of ${[...statusesOf(name, what)]}`] : []
  })
  expect(missing).toEqual([])
})
