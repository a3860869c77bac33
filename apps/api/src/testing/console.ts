/** Test helper that acts as a browser using a service's console. */
import { randomUUID } from 'node:crypto'
import { keyScopes } from '@causeway/contract/fields/key-scopes'
import { type ConsoleOptions, createConsole } from '../console/app.js'
import { createLiveRows } from '../console/live/live-rows.js'
import { createLink, type LinkUser } from '../console/store.js'
import { createKey } from '../team/teams/keys.js'
import type { TestService } from './service.js'

export const origin = 'http://localhost:4400'

export interface Reply {
  status: number
  headers: Response['headers']
  text: string
  body: Record<string, unknown>
}

interface RequestOptions {
  body?: unknown
  cookie?: string | undefined
  headers?: Record<string, string>
}

export const cookieIn = (headers: Response['headers']) => headers.get('set-cookie')!.split(';')[0]!

export function consoleOf(service: TestService) {
  const live = createLiveRows(service.deps)
  const open = (more: Partial<ConsoleOptions> = {}) =>
    createConsole({
      deps: service.deps,
      origin,
      allowsKeys: true,
      oidc: null,
      live,
      page: '<!doctype html><title>Console</title>',
      asset: () => new Response('Not found', { status: 404 }),
      api: (request, user) => service.app.api.fetch(request, { user }),
      ...more,
    })
  async function send(
    method: string,
    path: string,
    { body, cookie, headers = {} }: RequestOptions = {},
    at = open(),
  ): Promise<Reply> {
    const defaultHeaders: Record<string, string> =
      method === 'GET' ? {} : { origin, 'content-type': 'application/json', 'idempotency-key': randomUUID() }
    if (cookie !== undefined) defaultHeaders['cookie'] = `other=1; ${cookie}`
    const init: RequestInit = { method, headers: { 'sec-fetch-site': 'same-origin', ...defaultHeaders, ...headers } }
    if (method !== 'GET') init.body = JSON.stringify(body ?? {})
    const response = await at.fetch(new Request(`${origin}${path}`, init))
    const text = await response.text()
    const parsed = /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : {}
    return { status: response.status, headers: response.headers, text, body: parsed as Record<string, unknown> }
  }
  const newKey = (scopes: readonly (typeof keyScopes)[number][] = keyScopes) =>
    service.store.write(tx => createKey(tx, service.team, service.deps.clock(), { scopes }))
  async function enter(body: object) {
    const reply = await send('POST', '/api/session', { body })
    if (reply.status !== 200) throw new Error(reply.text)
    return { cookie: cookieIn(reply.headers), user: reply.body['user'] as Record<string, unknown> }
  }
  return {
    open,
    send,
    newKey,
    /** Signs in with a new key. */
    async signedIn(scopes?: readonly (typeof keyScopes)[number][]) {
      const { row, value } = await newKey(scopes)
      return { ...(await enter({ key: value })), key: row.id, value }
    },
    /** Signs in with a link, by default as an operator. */
    async operator(user?: LinkUser) {
      const { secret } = await service.store.write(tx => createLink(tx, service.team, service.deps.clock(), user))
      return enter({ link: secret })
    },
  }
}
