import { ServiceError } from '@causeway/contract/errors'
import { type Context, Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import { createRequestId } from '../platform/crypto/random.js'
import { levelOf } from '../platform/db/fault.js'
import { checkType, readBytes, readObject } from '../platform/http/body.js'
import { safeHeaders } from '../platform/http/headers.js'
import { answerFaults, observeAll } from '../platform/http/observe.js'
import type { User as Signed } from '../platform/http/pipeline.js'
import { asServiceError } from '../platform/http/render.js'
import { isKeyless, scopeOfPath } from '../platform/http/scopes.js'
import { checkQuery } from '../platform/http/url-text.js'
import { describeFault } from '../platform/log.js'
import { type Deps, depsFor } from '../platform/scope.js'
import { match, type Own } from './console-endpoints.js'
import { asLink, hideTokens, makesToken, onlyLink, refusePhone } from './links.js'
import { mask } from './mask.js'
import { operatorRoutes } from './operator.js'
import { revealRoutes } from './reveal.js'
import { needsKey, refusalOf, scopesFor } from './roles.js'
import { countSearch } from './searches.js'
import { sessionRoutes } from './sessions.js'
import { actorOf, consoleUserOf, counted, readUser, showUser, signIn, signOut, type User } from './users.js'

/** Connection details that the listener provides. */
export interface ConsoleEnv {
  Bindings: { incoming?: { socket?: { remoteAddress?: string } } }
}
type C = Context<ConsoleEnv>

export interface ConsoleOptions {
  readonly deps: Deps
  /** The console's own origin, as browsers see it. */
  readonly origin: string
  /** Makes an API request on behalf of a user. */
  readonly api: (request: Request, user: Signed) => Response | Promise<Response>
  /** The HTML page served for every app URL. */
  readonly page: string
  /**
   * Serves one of the app's files.
   * @param accepted the `Accept-Encoding` header
   */
  readonly asset: (path: string, accepted: string | undefined) => Response
}

const MAX_SIGN_IN = 4_096
/** The maximum size of a request body, in bytes, for endpoints that exist only in the console. */
const MAX_OWN = 16_384
/** The path for signing in, signing out and retrieving the signed-in user. */
const SESSION = '/api/session'
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types lit-html',
].join('; ')
/** Request headers that are forwarded to the API. */
const passed = ['content-type', 'idempotency-key', 'service-version']
/** Response headers that are forwarded to the browser. */
const returned = [
  'content-type',
  'request-id',
  'retry-after',
  'idem-status',
  'idempotency-replayed',
  'idempotency-mismatch',
  'pagination-page',
  'pagination-page-limit',
  'pagination-page-count',
  'pagination-total-count',
  'pagination-page-cursor-next',
  'pagination-page-cursor-prev',
  'service-unknown-fields',
]

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Endpoints that exist only in the console. Their responses are not masked. */
export const consoleRoutes = [...revealRoutes, ...sessionRoutes, ...operatorRoutes]

/** Creates the console's listener, which serves the app, sign-in and sign-out, and the API for the signed-in user. */
export function createConsole({ deps, origin, api, page, asset }: ConsoleOptions): Hono<ConsoleEnv> {
  const app = new Hono<ConsoleEnv>()
  const isSecure = origin.startsWith('https:')
  // Browsers accept the `__Host-` prefix only over HTTPS. The sandbox on a local machine uses HTTP, where browsers send
  // a cookie to every port, so consoles on different ports use different names.
  const name = isSecure ? '__Host-console' : `console-${new URL(origin).port || '80'}`
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  const headers = {
    ...safeHeaders(origin),
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  }
  observeAll(app, deps, headers, '/console')
  answerFaults(app, deps, origin)

  /** Throws FORBIDDEN if a request does not come from the console's own pages. */
  function checkSite(c: C): void {
    const site = c.req.header('sec-fetch-site')
    const from = c.req.header('origin')
    const isWrite = c.req.method !== 'GET'
    // mutant: console-own-pages-only (drop 1)
    if ((site !== undefined && site !== 'same-origin') || (from === undefined ? isWrite : from !== origin))
      throw new ServiceError('FORBIDDEN', `Requests to the console must come from its own pages at ${origin}.`)
    if (isWrite) checkType(c.req.header('content-type') ?? 'none', c.req.header('content-encoding'))
  }

  /**
   * Responds to one request from the app. Counts a client without a session before any other work. Returns errors in
   * the API's format, and logs every request that the API does not log itself.
   * @param enter counts the client, or returns the signed-in user
   */
  async function answer<T>(
    c: C,
    route: string,
    enter: () => T | Promise<T>,
    work: (entered: T, requestId: string) => Promise<Response>,
  ): Promise<Response> {
    const started = performance.now()
    const requestId = createRequestId(deps.clock())
    const response = await respond(c, route, requestId, enter, work)
    if (!response.headers.has('Request-Id')) response.headers.set('Request-Id', requestId)
    if (response.headers.get('Request-Id') !== requestId) return response
    const ms = performance.now() - started
    const fields = { method: c.req.method, route: `/console${route}`, status: response.status }
    deps.metrics.request({ ...fields, ms })
    deps.log('info', 'request', { request_id: requestId, ...fields, ms: Math.round(ms) })
    return response
  }

  async function respond<T>(
    c: C,
    route: string,
    requestId: string,
    enter: () => T | Promise<T>,
    work: (entered: T, requestId: string) => Promise<Response>,
  ): Promise<Response> {
    try {
      const entered = await enter()
      checkSite(c)
      checkQuery(c.req.url)
      return await work(entered, requestId)
    } catch (error) {
      const refused = asServiceError(error)
      if (refused !== error)
        deps.log(levelOf(error), 'fault', { request_id: requestId, route, ...describeFault(error) })
      return new Response(JSON.stringify({ error: refused.body() }), {
        status: refused.status,
        headers: { 'Content-Type': 'application/json', 'Request-Id': requestId, ...refused.headers },
      })
    }
  }

  const json = (body: unknown, headers: Record<string, string> = {}) =>
    new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json', ...headers } })

  /** Counts a request without a session toward the limit for its network address. Throws TOO_MANY_REQUESTS. */
  function countStranger(c: C): void {
    const remote = c.env?.incoming?.socket?.remoteAddress
    if (remote !== undefined) deps.limits.keyless(deps.addressOf(remote, c.req.header('x-forwarded-for')))
  }

  /** Returns the user who made a request. Throws UNAUTHORIZED. */
  async function userOf(c: C): Promise<User> {
    try {
      return await readUser(deps, getCookie(c, name))
    } catch (error) {
      // A store failure doesn't count against the client.
      if (error instanceof ServiceError && error.subType === 'UNAUTHORIZED') countStranger(c)
      throw error
    }
  }

  app.get(SESSION, c =>
    answer(
      c,
      SESSION,
      () => userOf(c),
      async user => json(await showUser(deps, user)),
    ),
  )
  app.post(SESSION, c =>
    answer(
      c,
      SESSION,
      () => countStranger(c),
      async () => {
        const { key, link } = readObject(await readBytes(c.req.raw, { most: MAX_SIGN_IN }))
        if ((typeof key === 'string') === (typeof link === 'string'))
          throw new ServiceError('INVALID_REQUEST', 'Send either key or link, as a string.')
        const given = typeof key === 'string' ? { key } : { link: link as string }
        const { user, cookie } = await signIn(deps, given, getCookie(c, name))
        return json(await showUser(deps, user), { 'Set-Cookie': `${name}=${cookie}; ${attributes}` })
      },
    ),
  )
  app.delete(SESSION, c =>
    answer(
      c,
      SESSION,
      () => userOf(c),
      async user => {
        await signOut(deps, user)
        return json({}, { 'Set-Cookie': `${name}=; Max-Age=0; ${attributes}` })
      },
    ),
  )

  async function asUser(c: C, user: User): Promise<Response> {
    const { pathname, search } = new URL(c.req.url)
    // The router matches the decoded path, but the API matches the raw path.
    if (!pathname.startsWith('/api/') || !methods.includes(c.req.method)) throw new ServiceError('NOT_FOUND')
    const path = pathname.slice('/api'.length)
    if (path === '/enveloped' || path.startsWith('/enveloped/')) throw new ServiceError('NOT_FOUND')
    const headers = new Headers()
    for (const each of passed) {
      const value = c.req.header(each)
      if (value !== undefined) headers.set(each, value)
    }
    const { method } = c.req
    if (user.session.key_id === null && needsKey(`${method} ${path}`))
      throw new ServiceError(
        'FORBIDDEN',
        'A user who signed in with a link cannot do this in the console. Use pnpm admin, or sign in with a key.',
      )
    const scopes = scopesFor(user.role, user.scopes, `${method} ${path}`)
    const scope = scopeOfPath(method, path)
    // These endpoints show nothing of a team, and masking a document as long as /openapi.json would be costly.
    if (isKeyless(method, path))
      throw new ServiceError('FORBIDDEN', 'The console serves only endpoints that need a secret key.')
    // If the user lacks the permission, the API rejects the request.
    const mayWrite = scope !== undefined && scope !== 'read' && scopes.has(scope)
    if (method === 'POST' && mayWrite && !headers.has('idempotency-key'))
      throw new ServiceError('INVALID_REQUEST', 'Idempotency-Key is required for this console request.')
    const isLink = mayWrite && makesToken(method, path)
    const sent = method === 'GET' ? undefined : await readBytes(c.req.raw)
    if (method === 'POST' && path === '/search') await countSearch(deps, user, sent ?? '')
    // mutant: console-sets-no-phone (remove)
    if (method === 'PUT') refusePhone(readObject(sent ?? ''))
    const body = isLink ? JSON.stringify(asLink(readObject(sent ?? ''))) : sent
    const answered = await api(
      new Request(`${deps.apiOrigin}${path}${search}`, { method, headers, body: body ?? null }),
      {
        user: counted(user),
        from: consoleUserOf(user.session),
        actor: actorOf(user.session),
        team: user.team,
        scopes,
      },
    )
    const shown = new Headers()
    for (const each of returned) {
      const value = answered.headers.get(each)
      if (value !== null) shown.set(each, value)
    }
    if (!/json/.test(answered.headers.get('content-type') ?? '')) {
      await answered.body?.cancel()
      throw new ServiceError('FORBIDDEN', 'The console does not show files from the API, because it cannot mask them.')
    }
    const shownBody = (await answered.json()) as { error?: { message: string } | null }
    // The API's message names the scope of a key, but a console user has a role instead.
    if (answered.status === 403 && shownBody.error && scope !== undefined && !scopes.has(scope))
      shownBody.error.message = refusalOf(user.role, scope)
    const masked = JSON.stringify(
      // mutant: console-masks-answers (argument 1)
      mask(isLink ? onlyLink(shownBody) : shownBody),
    )
    return new Response(hideTokens(masked, isLink), {
      status: answered.status,
      headers: shown,
    })
  }

  async function runOwn(
    c: C,
    { user, requestId }: { user: User; requestId: string },
    { route, run }: Own,
    params: Record<string, string>,
  ): Promise<Response> {
    deps.limits.request(counted(user), route)
    const body = c.req.method === 'GET' ? {} : readObject(await readBytes(c.req.raw, { most: MAX_OWN }))
    const shown = await run({
      deps: depsFor(deps, requestId, consoleUserOf(user.session)),
      user,
      params,
      query: new URL(c.req.url).searchParams,
      body,
    })
    return json(shown, { 'Request-Id': requestId })
  }

  app.on(methods, '/api/*', c => {
    const found = match(consoleRoutes, c.req.method, c.req.path.slice('/api'.length))
    return answer(
      c,
      found ? found.own.route.path : '/api/*',
      () => userOf(c),
      async (user, requestId) => {
        return found ? runOwn(c, { user, requestId }, found.own, found.params) : asUser(c, user)
      },
    )
  })

  app.get('/assets/*', c => asset(c.req.path, c.req.header('accept-encoding')))
  // The page needs no cookie, so it can be opened from a link in an email.
  app.get(
    '*',
    () =>
      new Response(page, {
        headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': POLICY },
      }),
  )
  return app
}
