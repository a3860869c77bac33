import { ServiceError } from '@causeway/contract/errors'
import type { Context, Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import {
  addressOf,
  createEnvelope,
  createListener,
  type Exchange,
  exchangeOf,
  type ListenerEnv,
  plainStages,
  type Serve,
} from '../platform/http/pipeline/envelope.js'
import { checkType, readBytes, readObject } from '../platform/http/request/body.js'
import { checkQuery } from '../platform/http/request/url-text.js'
import { safeHeaders } from '../platform/http/response/headers.js'
import { type Deps, depsFor, type Within } from '../platform/scope.js'
import { hold, readReason } from './approvals/ask.js'
import { approvalRoutes } from './approvals/routes.js'
import type { Perform } from './approvals/run.js'
import { auditRoutes } from './audit.js'
import { institutionRoutes } from './connections/institution-routes.js'
import { paymentProviderRoutes } from './connections/payment-routes.js'
import type { ConsoleRequest, ConsoleRoute } from './console-endpoints.js'
import { ConsoleExchange } from './exchange.js'
import { exportRoutes } from './exports/routes.js'
import { forward, forwardApproved, methods } from './forward.js'
import { liveRoutes } from './live/routes.js'
import { endLoggedOut, LOGOUT_PATH, readLogoutToken } from './oidc-logout.js'
import { operatorRoutes } from './operator.js'
import type { ConsoleOptions } from './options.js'
import { revealRoutes } from './reveal.js'
import { sessionRoutes } from './sessions.js'
import { signInRoutes } from './sign-in.js'
import { sourceRoutes } from './sources.js'
import { consoleUserOf, readUser, requestSubject, type User } from './user.js'
import { accountRoutes } from './users/account-routes.js'
import { CHALLENGE_LIFETIME_MS } from './users/credentials.js'
import { userRoutes } from './users/routes.js'
import { viewRoutes } from './views.js'

export type { ConsoleOptions } from './options.js'

type C = Context<ListenerEnv>

/** The maximum size of a request body, in bytes, for endpoints that exist only in the console. */
const MAX_BODY_BYTES = 16_384
const CONTENT_SECURITY_POLICY = [
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

/** Endpoints that exist only in the console. Their responses are not masked. */
const consoleRoutes = [
  ...revealRoutes,
  ...sessionRoutes,
  ...userRoutes,
  ...accountRoutes,
  ...paymentProviderRoutes,
  ...institutionRoutes,
  ...sourceRoutes,
  ...exportRoutes,
  ...auditRoutes,
  ...viewRoutes,
  ...approvalRoutes,
  ...liveRoutes,
  ...operatorRoutes,
]

/** Creates the console's listener, which serves the app, sign-in and sign-out, and the API for the signed-in user. */
export function createConsole(options: ConsoleOptions): Hono<ListenerEnv> {
  const app = createListener()
  const cookie = cookieOf(options.origin)
  const { serveCall, serveFile, serveProvider } = createEnvelopes(options, cookie)
  addSignIn(app, options, cookie, serveCall)
  addProviderLogout(app, options, serveProvider)
  addConsoleRoutes(app, options, serveCall)
  addForwarding(app, options, serveCall)
  addFiles(app, options, serveFile)
  return app
}

/** The name and the attributes of the session's cookie. */
interface Cookie {
  name: string
  attributes: string
}

function cookieOf(origin: string): Cookie {
  const isSecure = origin.startsWith('https:')
  // Browsers accept the `__Host-` prefix only over HTTPS. The sandbox on a local machine uses HTTP, where browsers send
  // a cookie to every port, so consoles on different ports use different names.
  const name = isSecure ? '__Host-console' : `console-${new URL(origin).port || '80'}`
  return { name, attributes: `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}` }
}

type ServeCall = Serve<ConsoleExchange, Response>

/** Creates the listener's two envelopes: of the console's API, and of the app's files. */
function createEnvelopes(options: ConsoleOptions, cookie: Cookie) {
  const { deps, origin } = options
  const plain = plainStages(deps, {
    ...safeHeaders(origin),
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  })
  return {
    serveCall: createEnvelope<ConsoleExchange, Response>({
      limit: exchange => exchange.access === 'none' && countAnonymous(deps, exchange),
      access: exchange => (exchange.access === 'none' ? undefined : identify(options, cookie, exchange)),
      site: exchange => checkSite(exchange, origin),
      url: ({ request }) => checkQuery(request.url),
      ...plain,
      metrics: (exchange, response) => exchange.isForwarded || plain.metrics(exchange, response),
      log: (exchange, response) => exchange.isForwarded || plain.log(exchange, response),
    }),
    serveProvider: createEnvelope<ConsoleExchange, Response>({
      limit: null, // The handler counts requests that it rejects. A provider can sign out many users at once.
      access: null, // The request has a token that the provider signed.
      site: null, // The OpenID provider's server sends the request, so no page does.
      url: ({ request }) => checkQuery(request.url),
      ...plain,
    }),
    serveFile: createEnvelope<Exchange, Response>({
      limit: null, // The files are in memory.
      access: null, // The page needs no cookie, so it can be opened from a link in an email.
      site: null, // The page may be opened from anywhere.
      url: null, // Only the app reads the query.
      ...plain,
    }),
  }
}

/** Counts a request without a session toward the limit for its network address. Throws TOO_MANY_REQUESTS. */
function countAnonymous(deps: Deps, exchange: ConsoleExchange): void {
  const address = addressOf(deps, exchange)
  if (address !== undefined) deps.limits.keyless(address)
}

/** Finds the user who made a request. Throws UNAUTHORIZED, or FORBIDDEN if the user must present a second factor. */
async function identify(options: ConsoleOptions, { name }: Cookie, exchange: ConsoleExchange): Promise<void> {
  try {
    exchange.user = await readUser(options, getCookie(exchange.c, name))
  } catch (error) {
    // A store failure doesn't count against the client.
    if (error instanceof ServiceError && error.subType === 'UNAUTHORIZED') countAnonymous(options.deps, exchange)
    throw error
  }
  // mutant: second-factor-before-anything-else (false)
  if (exchange.user.needsSecondFactor && exchange.access === 'full')
    throw new ServiceError('FORBIDDEN', 'Admins and operators must confirm who they are with a passkey first.')
}

/** Throws FORBIDDEN if a request does not come from the console's own pages. */
function checkSite({ header, method }: Exchange, origin: string): void {
  const site = header('sec-fetch-site')
  const from = header('origin')
  const isWrite = method !== 'GET'
  // mutant: console-own-pages-only (drop 1)
  if ((site !== undefined && site !== 'same-origin') || (from === undefined ? isWrite : from !== origin))
    throw new ServiceError('FORBIDDEN', `Requests to the console must come from its own pages at ${origin}.`)
  if (isWrite) checkType(header('content-type') ?? 'none', header('content-encoding'))
}

const jsonResponse = (body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json', ...headers } })

/** Adds the endpoints with which browsers sign in and out. */
function addSignIn(app: Hono<ListenerEnv>, options: ConsoleOptions, cookie: Cookie, serve: ServeCall): void {
  const { deps } = options
  for (const { method, path, access, run } of signInRoutes)
    app.on(method, path, c =>
      serve(new ConsoleExchange(deps, c, path, access), async ({ id, user }) => {
        const body = method === 'POST' ? readObject(await readBytes(c.req.raw, { most: MAX_BODY_BYTES })) : {}
        const { name, attributes } = cookie
        const browserName = `${name}-browser`
        const cookies = { cookie: getCookie(c, name), browser: getCookie(c, browserName) }
        const answer = await run({ options, deps: depsFor(deps, id), body, ...cookies, user })
        const { session, browser } = answer
        const response = jsonResponse(answer.body)
        const set = (value: string) => response.headers.append('Set-Cookie', `${value}; ${attributes}`)
        if (session !== undefined) set(session === null ? `${name}=; Max-Age=0` : `${name}=${session}`)
        if (browser !== undefined) set(`${browserName}=${browser}; Max-Age=${CHALLENGE_LIFETIME_MS / 1_000}`)
        return response
      }),
    )
}

/** Adds the endpoint with which the OpenID provider ends sessions. */
function addProviderLogout(app: Hono<ListenerEnv>, options: ConsoleOptions, serve: ServeCall): void {
  const { deps } = options
  app.post(LOGOUT_PATH, c =>
    serve(new ConsoleExchange(deps, c, LOGOUT_PATH, 'none'), async exchange => {
      try {
        const body = await readBytes(c.req.raw, { most: MAX_BODY_BYTES })
        await endLoggedOut(depsFor(deps, exchange.id), options, readLogoutToken(c.req.header('content-type'), body))
      } catch (error) {
        if (error instanceof ServiceError && error.status < 500) countAnonymous(deps, exchange)
        throw error
      }
      return jsonResponse({})
    }),
  )
}

/** The form of each id in a path. The API rejects all others. */
const ID_PATTERN = /^\w+$/

/** Adds the endpoints that exist only in the console. */
function addConsoleRoutes(app: Hono<ListenerEnv>, options: ConsoleOptions, serve: ServeCall): void {
  const { deps } = options
  for (const consoleRoute of consoleRoutes) {
    const { route, access } = consoleRoute
    const { method, path } = route
    app.on(method, `/api${path}`, c =>
      c.req.method === method && Object.values<string>(c.req.param()).every(id => ID_PATTERN.test(id))
        ? serve(new ConsoleExchange(deps, c, path, access), exchange =>
            runConsoleRoute(options, exchange, consoleRoute),
          )
        : serveForwarded(c, options, serve),
    )
  }
}

async function runConsoleRoute(
  options: ConsoleOptions,
  { c, id, user }: ConsoleExchange,
  { route, run }: ConsoleRoute,
): Promise<Response> {
  const { deps } = options
  deps.limits.request(requestSubject(user!), route)
  const body = c.req.method === 'GET' ? {} : readObject(await readBytes(c.req.raw, { most: MAX_BODY_BYTES }))
  const perform: Perform = (asker, asked, within) => performApproved(options, id, { asker, asked, within })
  const given = {
    deps: depsFor(
      deps,
      id,
      consoleUserOf(
        user!.session,
        readReason(name => c.req.header(name)),
      ),
    ),
    options,
    user: user!,
    params: c.req.param(),
    query: new URL(c.req.url).searchParams,
    body,
    perform,
  }
  if (c.req.method === 'POST') {
    const held = await holdOwn(given, c, within => run({ ...given, within }))
    if (held) return held
  }
  const result = await run(given)
  return result instanceof Response ? result : jsonResponse(result)
}

/**
 * Stores a request to the console's own endpoints that needs a second person. First runs the request without its effect,
 * so that a request that would be rejected is rejected now.
 * @returns the answer, or null if the request may run now
 */
async function holdOwn(
  { options, user, body }: ConsoleRequest,
  c: C,
  rehearse: (within: Within) => Promise<unknown>,
): Promise<Response | null> {
  const key = c.req.header('idempotency-key') ?? null
  const asked = { method: c.req.method, path: c.req.path.slice('/api'.length), body, key, version: null }
  return hold(options, user, asked, {
    header: name => c.req.header(name),
    async check() {
      const held = new Error('The request waits for a second person.')
      await rehearse(() => Promise.reject(held)).catch((error: unknown) => {
        if (error !== held) throw error
      })
    },
  })
}

/** Runs a request that was approved, as the user who asked for it. */
async function performApproved(
  options: ConsoleOptions,
  requestId: string,
  { asker, asked, within }: { asker: User; asked: Parameters<Perform>[1]; within: Within },
): Promise<Response> {
  const own = consoleRoutes.find(({ route }) => route.method === asked.method && route.path === asked.path)
  if (!own) return forwardApproved(options, asker, asked, within)
  const given = {
    deps: depsFor(options.deps, requestId, consoleUserOf(asker.session, asked.reason)),
    options,
    user: asker,
    within,
  }
  const perform: Perform = () => Promise.reject(new Error('An approved request approves no other request.'))
  return jsonResponse(await own.run({ ...given, params: {}, query: new URLSearchParams(), body: asked.body, perform }))
}

const serveForwarded = (c: C, options: ConsoleOptions, serve: ServeCall) =>
  serve(new ConsoleExchange(options.deps, c, '/api/*'), exchange => forward(options, exchange, exchange.user!))

/** Adds the API. */
function addForwarding(app: Hono<ListenerEnv>, options: ConsoleOptions, serve: ServeCall): void {
  app.on(methods, '/api/*', c => serveForwarded(c, options, serve))
}

/** Adds the app. Its page is the response to every other GET request. */
function addFiles(
  app: Hono<ListenerEnv>,
  { deps, page, asset }: ConsoleOptions,
  serve: Serve<Exchange, Response>,
): void {
  app.get('/assets/*', c =>
    serve(exchangeOf(deps, c, '/console/assets/*'), () => asset(c.req.path, c.req.header('accept-encoding'))),
  )
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': CONTENT_SECURITY_POLICY }
  app.get('*', c => serve(exchangeOf(deps, c, '/console/*'), () => new Response(page, { headers })))
  app.notFound(c => serve(exchangeOf(deps, c, '/console/*'), () => c.text('404 Not Found', 404)))
}
