/** Test helpers that open every listener of a service on sockets and send requests as bytes. */
import type { Server } from 'node:http'
import { connect } from 'node:net'
import type { Env, Hono } from 'hono'
import { createConsole } from '../console/app.js'
import { createLiveRows } from '../console/live/live-rows.js'
import { createApp } from '../main/app.js'
import { listen, portOf } from '../main/listeners/listen.js'
import { createOps } from '../main/listeners/ops.js'
import type { Metrics } from '../platform/metrics.js'
import { connectorKeys } from './connector/connector.js'
import type { TestService } from './service.js'

export const origins = {
  API: 'https://api.example',
  frame: 'https://frame.example',
  console: 'https://console.example',
  operations: '',
}
export type ListenerName = keyof typeof origins

export interface RouteName {
  method: string
  path: string
}

/** The open listeners, and the routes that their apps have registered. */
export interface Listeners extends Readonly<Record<ListenerName, Server>> {
  readonly registered: Readonly<Record<Exclude<ListenerName, 'operations'>, RouteName[]>>
}

/** The fields of a request in the log and in the metrics. */
export type RequestRecord = Partial<Parameters<Metrics['request']>[0]> & { request_id?: string | undefined }

export interface Recorder {
  log(fields: RequestRecord): void
  metric(fields: RequestRecord): void
}

/** The routes that an app has registered, without its middleware. */
const routesOf = <E extends Env>(app: Hono<E>): RouteName[] =>
  app.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => ({ method, path }))

const file = { body: Buffer.from('1'), type: 'text/javascript; charset=utf-8' }
const assets = {
  shell: '<title></title>',
  hosted: '<title></title>',
  early: null,
  flow: new Map([['/assets/app.js', file]]),
  kit: new Map([['/app.js', file]]),
  version: '1.2.3',
}

/** Opens all listeners of a service on a store. Close each of them. */
export async function openListeners(
  { deps: base }: TestService,
  record: Recorder,
  store = base.store,
): Promise<Listeners> {
  const { api, frame, deps } = createApp({
    ...base,
    store,
    log: (_level, event, fields) => {
      if (event === 'request') record.log(fields ?? {})
    },
    metrics: { ...base.metrics, request: record.metric },
    apiOrigin: origins.API,
    frameOrigin: origins.frame,
    assets,
    rateLimits: 0,
    trustedProxies: [],
    securityContact: 'mailto:security@example.com',
    pushes: { keys: connectorKeys, clock: Date.now },
    sleep: async () => {},
  })
  const live = createLiveRows(deps)
  // Otherwise, the responses of streams would not end.
  live.stop()
  const desk = createConsole({
    deps,
    origin: origins.console,
    allowsKeys: true,
    oidc: null,
    live,
    page: '<title></title>',
    asset: () => new Response('1', { headers: { 'Content-Type': 'text/javascript' } }),
    api: (request, user) => api.fetch(request, { user }),
  })
  const open = (name: ListenerName, fetch: (request: Request, env?: object) => Response | Promise<Response>) =>
    listen(fetch, '127.0.0.1', 0, { ...deps, origin: origins[name], isHostOptional: name === 'operations' })
  return {
    API: await open('API', api.fetch),
    frame: await open('frame', frame.fetch),
    console: await open('console', desk.fetch),
    operations: await open(
      'operations',
      createOps(deps, () => true),
    ),
    registered: { API: routesOf(api), frame: routesOf(frame), console: routesOf(desk) },
  }
}

/** Returns a store whose every read and write throws an error that names a canary. */
export function failingStore(store: TestService['store']): TestService['store'] {
  const fail = () => {
    throw new Error('the canary of a fault')
  }
  return Object.defineProperties(Object.create(store), { reader: { get: fail }, write: { get: fail } })
}

/** A response as it arrived. The names of its headers are in lowercase. */
export interface Reply {
  status: number
  headers: ReadonlyMap<string, string>
  text: string
}

/** Sends bytes over a connection of their own. */
export function send(server: Server, text: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    let reply = ''
    const socket = connect(portOf(server), '127.0.0.1')
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
