/**
 * Sends a request to every route of every listener through a socket, and checks what every response must have. The
 * routes are those that the apps have registered, so that no new route can be left out.
 */
import type { Server } from 'node:http'
import { connect } from 'node:net'
import { endpoints } from '@causeway/contract/endpoints/table'
import type { Env, Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { consoleRoutes, createConsole } from '../console/app.js'
import { PUSHES } from '../network/connectors/pushes.js'
import { sign } from '../network/connectors/signature.js'
import { connectorKeys } from '../testing/connector.js'
import { type TestService, testService } from '../testing/service.js'
import { createApp } from './app.js'
import { close, listen, portOf } from './listen.js'
import { createOps, opsPaths } from './ops.js'

const origins = {
  API: 'https://api.example',
  frame: 'https://frame.example',
  console: 'https://console.example',
  operations: '',
}
type ListenerName = keyof typeof origins
interface Route {
  method: string
  path: string
}

let service: TestService
const servers = new Map<ListenerName, Server>()
const routes = new Map<ListenerName, Route[]>()
const logged: Record<string, unknown>[] = []
let cookie = ''

/** The routes that an app has registered, without its middleware. */
const routesOf = <E extends Env>(app: Hono<E>): Route[] =>
  app.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => ({ method, path }))

/** Sends bytes over a connection of their own. @returns the status and the headers of the response */
function exchange(name: ListenerName, text: string) {
  return new Promise<{ status: number; headers: Map<string, string>; text: string }>((resolve, reject) => {
    let reply = ''
    const socket = connect(portOf(servers.get(name)!), '127.0.0.1')
    socket.setEncoding('utf8').on('data', part => {
      reply += part
    })
    socket.on('error', reject)
    socket.on('close', () => {
      const [head = ''] = reply.split('\r\n\r\n')
      const [line = '', ...lines] = head.split('\r\n')
      const headers = new Map(
        lines.map(each => [each.slice(0, each.indexOf(':')).toLowerCase(), each.slice(each.indexOf(':') + 1).trim()]),
      )
      resolve({ status: Number(line.split(' ')[1]), headers, text: reply.slice(head.length + 4) })
    })
    socket.write(text, 'latin1')
  })
}

/** Formats a request with the credentials of its listener. */
function requestTo(
  name: ListenerName,
  method: string,
  path: string,
  more: readonly string[] = [],
  body?: string,
): string {
  const own =
    name === 'console'
      ? [`Cookie: ${cookie}`, `Origin: ${origins.console}`, 'Sec-Fetch-Site: same-origin']
      : name === 'API'
        ? [`Authorization: Bearer ${service.key}`]
        : []
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

/** Returns the number of requests that the metrics have counted. */
async function measured(): Promise<number> {
  const metric = service.deps.metrics.registry.getSingleMetric('causeway_http_request_duration_seconds')
  const { values } = (await metric!.get()) as { values: { metricName?: string; value: number }[] }
  return values.filter(({ metricName }) => metricName?.endsWith('_count')).reduce((sum, { value }) => sum + value, 0)
}

/** Sends a request and lists what its response lacks. */
async function problemsOf(name: ListenerName, what: string, text: string): Promise<string[]> {
  const [lines, count] = [logged.length, await measured()]
  const { status, headers } = await exchange(name, text)
  const id = headers.get('request-id')
  const own = logged.slice(lines).filter(fields => fields['request_id'] === id)
  const secure = origins[name].startsWith('https:') ? 'max-age=31536000' : undefined
  const checks: [string, boolean][] = [
    ['a status', status >= 200],
    ['Request-Id', /^req_\w+$/.test(id ?? '')],
    ['nosniff', headers.get('x-content-type-options') === 'nosniff'],
    ['a policy', headers.get('content-security-policy')?.includes("default-src 'none'") === true],
    ['the right Strict-Transport-Security', headers.get('strict-transport-security') === secure],
    ['one log line', own.length === 1],
    ['its status in the log', own[0]?.['status'] === status],
    ['its route in the log', typeof own[0]?.['route'] === 'string'],
    ['one metric', (await measured()) === count + 1],
  ]
  return checks.filter(([, holds]) => !holds).map(([lack]) => `${name}: ${what}: ${status} without ${lack}`)
}

beforeAll(async () => {
  service = await testService()
  const file = { body: Buffer.from('1'), type: 'text/javascript; charset=utf-8' }
  const { api, frame, deps } = createApp({
    ...service.deps,
    log: (level, event, fields) => {
      if (event === 'request') logged.push({ level, ...fields })
    },
    apiOrigin: origins.API,
    frameOrigin: origins.frame,
    assets: {
      shell: '<title></title>',
      hosted: '<title></title>',
      early: null,
      flow: new Map([['/assets/app.js', file]]),
      kit: new Map([['/kit.js', file]]),
      version: '1.2.3',
    },
    rateLimits: 0,
    trustedProxies: [],
    securityContact: 'mailto:security@example.com',
    pushes: { keys: connectorKeys, clock: Date.now },
    sleep: async () => {},
  })
  const desk = createConsole({
    deps,
    origin: origins.console,
    page: '<title></title>',
    asset: () => new Response('1', { headers: { 'Content-Type': 'text/javascript' } }),
    api: (request, user) => api.fetch(request, { user }),
  })
  const ops = createOps(deps, () => true)
  const { log, metrics } = deps
  const handlers = {
    API: (request: Request, env?: object) => api.fetch(request, env),
    frame: (request: Request, env?: object) => frame.fetch(request, env),
    console: (request: Request, env?: object) => desk.fetch(request, env),
    operations: ops,
  }
  for (const name of Object.keys(handlers) as ListenerName[]) {
    const options = { log, metrics, origin: origins[name], isHostOptional: name === 'operations' }
    servers.set(name, await listen(handlers[name], '127.0.0.1', 0, options))
  }
  routes.set('API', routesOf(api))
  routes.set('frame', routesOf(frame))
  const behindConsole = [...endpoints, ...consoleRoutes.map(({ route }) => route)].map(({ method, path }) => ({
    method,
    path: `/api${path}`,
  }))
  routes.set('console', [...routesOf(desk), ...behindConsole])
  routes.set(
    'operations',
    opsPaths.map(path => ({ method: 'GET', path })),
  )
  const signedIn = await exchange(
    'console',
    requestTo('console', 'POST', '/api/session', [], JSON.stringify({ key: service.key })),
  )
  cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!
})
afterAll(async () => {
  for (const server of servers.values()) await close(server)
  await service.stop()
})

const names = Object.keys(origins) as ListenerName[]
/** Replaces the parameters and wildcards of a route. */
const pathOf = (path: string) => path.replace(/:\w+/g, 'x'.repeat(16)).replace('*', 'app.js')

describe.each(names)('every response of the %s listener has its id, its headers, a log line and a metric', name => {
  it('for each route', async () => {
    const problems: string[] = []
    const own = routes.get(name)!
    expect(own.length).toBeGreaterThan(2)
    for (const { method, path } of own) {
      const keyed = name === 'console' && method === 'POST' ? [`Idempotency-Key: ${path}`] : []
      const body = method === 'GET' ? undefined : '{}'
      problems.push(
        ...(await problemsOf(name, `${method} ${path}`, requestTo(name, method, pathOf(path), keyed, body))),
      )
    }
    expect(problems).toEqual([])
  })

  it('for each route with a body that is too large, malformed or of another type', async () => {
    const problems: string[] = []
    for (const { method, path } of routes.get(name)!.filter(route => route.method === 'POST')) {
      const send = async (what: string, lines: string[], rest = '') => {
        const text = requestTo(name, method, pathOf(path), lines) + rest
        problems.push(...(await problemsOf(name, `${method} ${path}, ${what}`, text)))
      }
      await send('too large', ['Content-Length: 2000000'])
      await send(
        'too large, in chunks',
        ['Transfer-Encoding: chunked'],
        `${(1_100_000).toString(16)}\r\n${' '.repeat(1_100_000)}`,
      )
      await send('malformed', ['Idempotency-Key: malformed', 'Content-Length: 1'], '{')
      await send('not UTF-8', ['Idempotency-Key: bytes', 'Content-Length: 2'], '"\u00e9')
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

describe('every response of the API listener to a push', () => {
  it('has its id, its headers, a log line and a metric if the push is signed', async () => {
    const body = JSON.stringify({ id: 'p1', type: 'payment.changed', team_id: service.team, payment_id: 'pmt_x' })
    const signature = await sign(connectorKeys, body, { from: 'connector', about: 'push', id: 'p1' }, Date.now())
    const text = requestTo('API', 'POST', PUSHES, [`Connector-Signature: ${signature}`], body)
    expect(await problemsOf('API', 'a push', text)).toEqual([])
    expect((await exchange('API', text)).status).toBe(200)
  })

  it('is 413 if the push is too large, whether or not its length is declared', async () => {
    const whole = requestTo('API', 'POST', PUSHES, [], ' '.repeat(70_000))
    const chunked = requestTo('API', 'POST', PUSHES, ['Transfer-Encoding: chunked'])
    const chunk = `${(70_000).toString(16)}\r\n${' '.repeat(70_000)}\r\n0\r\n\r\n`
    for (const text of [whole, chunked + chunk]) expect((await exchange('API', text)).status).toBe(413)
  })
})

describe('a fault that no handler expects', () => {
  it('is a response like any other, and is not printed', async () => {
    const { store } = service
    const broken = Object.defineProperty(Object.create(store), 'reader', {
      get() {
        throw new Error('the canary of a fault')
      },
    })
    const given = { ...service.deps, store: broken, frameOrigin: origins.frame, rateLimits: 0, trustedProxies: [] }
    const { frame } = createApp({
      ...given,
      assets: { shell: '', hosted: '', early: null, flow: new Map(), kit: new Map(), version: '1' },
      sleep: async () => {},
    })
    const reply = await frame.fetch(new Request(`${origins.frame}/e/${'x'.repeat(16)}`))
    expect(reply.status).toBe(500)
    expect(reply.headers.get('request-id')).toMatch(/^req_/)
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await reply.text()).not.toContain('canary')
  })
})
