import { ServiceError } from '@causeway/contract/errors'
import type { KeyScope } from '@causeway/contract/fields/key-scopes'
import { NEWEST_VERSION } from '@causeway/contract/versions'
import { type Ctx, type Deps, depsFor } from '../../scope.js'
import type { Answer, Route } from '../endpoint/route.js'
import { requireScope, scopeOf } from '../endpoint/scopes.js'
import { hasOwnLimit } from '../limits/limits.js'
import { createQueue } from '../limits/queue.js'
import { checkType, readBytes } from '../request/body.js'
import { identifyBody } from '../request/canonical-json.js'
import { IncomingRequest } from '../request/context.js'
import { consoleKey, readKey } from '../request/idempotency-key.js'
import { readQuery } from '../request/query.js'
import { checkQuery } from '../request/url-text.js'
import { safeHeaders } from '../response/headers.js'
import { render } from '../response/render.js'
import { ApiExchange, type Caller, type Routed } from './api-exchange.js'
import { countResponse, logRequest, outcomeOfError, respond, showBody } from './api-response.js'
import { REPEAT_TIMEOUT_MS } from './earlier-response.js'
import { addressOf, createEnvelope } from './envelope.js'
import { createExecutor, type Executor } from './execute.js'
import type { AuditReplay, Outcome, Resume } from './execution.js'

/** Serves an endpoint. */
export type Pipeline = (routed: Routed) => Promise<Response>

/** The API's parts that its stages use. */
interface Api {
  readonly deps: Deps
  readonly executor: Executor
  /** Finds the caller that an Opal token names. */
  readonly opal: (authorization: string | undefined) => Promise<Caller>
  /** Runs the requests with the same idempotency key one at a time. */
  readonly queued: ReturnType<typeof createQueue>
}

/** Creates the API's listener: the envelope around the stages of {@link serveRequest}. */
export function createPipeline(
  deps: Deps,
  opal: (authorization: string | undefined) => Promise<Caller>,
  resume: Resume,
  auditReplay: AuditReplay,
): Pipeline {
  const busy = () => new ServiceError('IDEMPOTENCY_KEY_IN_USE', undefined, { 'Retry-After': '1' })
  const api: Api = {
    deps,
    executor: createExecutor(deps, resume, auditReplay),
    opal,
    queued: createQueue(REPEAT_TIMEOUT_MS, busy),
  }
  const safe = safeHeaders(deps.apiOrigin)
  const serve = createEnvelope<ApiExchange, Outcome>({
    limit: null, // A team has one limit for all of its addresses, so `answer` counts after it has found the team.
    access: null, // The request log shows rejected requests, so `answer` checks the caller.
    site: null, // A key identifies the caller. No browser adds it on its own.
    url: null, // `answer` checks the query after the scope.
    error: (error, exchange) => outcomeOfError(deps, error, exchange),
    body: (exchange, outcome) => showBody(deps, exchange, outcome),
    metrics: (exchange, outcome) => exchange.user?.isPart || countResponse(deps, exchange, outcome),
    log: (exchange, outcome) => exchange.user?.isPart || logRequest(deps, exchange, outcome),
    headers: (exchange, outcome) => respond(deps, safe, exchange, outcome),
  })
  return routed => serve(new ApiExchange(deps.clock(), routed), exchange => serveRequest(api, exchange))
}

/** Passes a request that needs a key through these stages, in this order. */
async function serveRequest(api: Api, exchange: ApiExchange): Promise<Outcome> {
  const { deps, executor } = api
  const { endpoint } = exchange
  if (endpoint.auth === 'none') return servePublic(deps, exchange)
  const caller = await identify(api, exchange)
  countRequest(deps, exchange, caller)
  const scope = checkScope(deps, exchange, caller)
  checkQuery(exchange.request.url)
  const incoming = readHead(deps, exchange, caller, scope)
  if (endpoint.method === 'GET') {
    await decrypt(exchange, incoming)
    return executor.read(incoming, endpoint)
  }
  const route = await readBody(exchange, incoming)
  await decrypt(exchange, incoming)
  if (scope === 'read') return executor.read(incoming, route)
  return writeOnce(api, exchange, incoming, route)
}

/** Counts a client that no key identifies toward the limit for its network. Throws TOO_MANY_REQUESTS. */
function countAnonymous(deps: Deps, exchange: ApiExchange): void {
  const address = addressOf(deps, exchange)
  if (address !== undefined) deps.limits.keyless(address)
}

/**
 * Serves a route that requires no key. A request with a valid key is counted against its team tree.
 */
async function servePublic(deps: Deps, exchange: ApiExchange): Promise<Outcome> {
  const { request, header, enveloped, endpoint, params } = exchange
  const authorization = header('authorization')
  const holder =
    authorization === undefined ? null : await deps.access.secret(authorization, header('origin')).catch(() => null)
  if (holder) deps.limits.request(holder.team.path[0]!, endpoint)
  else countAnonymous(deps, exchange)
  checkQuery(request.url)
  const ctx = { deps, params, query: queryOf(request), header, enveloped } as Ctx
  const open = await endpoint.handle({ ...ctx, input: endpoint.read?.(ctx) })
  return {
    rendered: render(open as Exclude<Answer, { shape: 'later' }>, NEWEST_VERSION, body =>
      deps.versions.showAt(NEWEST_VERSION, body),
    ),
    status: 'bypassed',
  }
}

/** Finds the caller. Counts a client whose key is not valid. */
async function identify({ deps, opal }: Api, exchange: ApiExchange): Promise<Caller> {
  const { endpoint, header, user } = exchange
  const authorization = header('authorization')
  let caller: Caller
  try {
    caller =
      endpoint.auth === 'opal'
        ? await opal(authorization)
        : (user ?? (await deps.access.secret(authorization, header('origin'))))
  } catch (error) {
    countAnonymous(deps, exchange)
    throw error
  }
  exchange.team = caller.team
  exchange.actor = caller.actor
  return caller
}

/** Counts a request. A whole team tree shares one count. Each Opal token and each console user has a separate count. */
function countRequest(deps: Deps, { endpoint, user }: ApiExchange, { team, actor, session }: Caller): void {
  // mutant: export-counts-once (remove)
  if (user?.isPart) return
  deps.limits.request(user?.user ?? (session === undefined ? team.path[0]! : actor), endpoint)
}

/**
 * Returns the endpoint's scope. Throws FORBIDDEN if the caller lacks it. Counts a console user's request toward the
 * endpoint's own limit only after that, so that a user without the scope does not use up the team's limit.
 */
function checkScope(deps: Deps, { endpoint, user }: ApiExchange, { team, scopes }: Caller): KeyScope | undefined {
  const scope = scopeOf(endpoint)
  // mutant: scopes-limit-keys (remove)
  if (scope !== undefined) requireScope(scopes, scope)
  if (user && hasOwnLimit(endpoint)) deps.limits.request(team.path[0]!, endpoint)
  return scope
}

/** Returns the encryption that the headers name, if any. */
const encryptionOf = ({ header, enveloped }: ApiExchange) =>
  header('service-mle') ?? (enveloped ? header('method-mle') : undefined)

/** Reads the parts of a request that precede its body. */
function readHead(
  deps: Deps,
  exchange: ApiExchange,
  { team, actor, scopes, session }: Caller,
  scope: KeyScope | undefined,
): IncomingRequest {
  const { request, header, enveloped, endpoint, params, user } = exchange
  const query = queryOf(request)
  const sentKey = readKey(request.method, header('idempotency-key'), searchOf(request))
  // mutant: console-keys-are-separate (false)
  const key = sentKey !== null && user ? consoleKey(deps.vault, sentKey) : sentKey
  const encrypted = encryptionOf(exchange) !== undefined
  if (
    !encrypted &&
    !user &&
    // mutant: required-encryption (false)
    team.settings.require_encryption &&
    scope !== undefined &&
    !acceptsPlainText(endpoint)
  )
    throw new ServiceError(
      'INVALID_REQUEST',
      'This team requires encrypted requests. Send the Service-MLE: jwe header, and send the body as {"encrypted": "<compact JWE>"}.',
    )
  const incoming = new IncomingRequest(
    {
      deps: depsFor(deps, exchange.id, user?.from),
      team,
      actor,
      scopes,
      requestId: exchange.id,
      params: session === undefined ? params : { ...params, session },
      idempotencyKey: key,
      enveloped,
      encrypted,
      header,
      within: user?.within,
    },
    query,
  )
  exchange.incoming = incoming
  return incoming
}

/**
 * Reads the body. Returns the route that serves it: a body that is too large is rejected like any other invalid body,
 * so that the error is stored under the idempotency key. A body that did not arrive does not use up the key.
 */
async function readBody(exchange: ApiExchange, incoming: IncomingRequest): Promise<Route> {
  const { request, header, endpoint } = exchange
  let route = endpoint
  try {
    incoming.text = await readBytes(request, { length: header('content-length') })
  } catch (error) {
    if (incoming.encrypted || !(error instanceof ServiceError && error.subType === 'REQUEST_TOO_LARGE')) throw error
    route = routeThatRejects(endpoint, error)
  }
  if (incoming.text.trim() !== '') checkType(header('content-type'), header('content-encoding'))
  return route
}

/** Decrypts an encrypted body. A request that cannot be decrypted does not use up its idempotency key. */
async function decrypt(exchange: ApiExchange, incoming: IncomingRequest): Promise<void> {
  const mode = encryptionOf(exchange)
  if (mode === undefined) return
  const message = await incoming.deps.encryption.open(incoming.team, mode, incoming.text)
  exchange.seal = message.seal
  incoming.text = message.text
}

/** Runs a write, once for each idempotency key. */
async function writeOnce(api: Api, exchange: ApiExchange, incoming: IncomingRequest, route: Route): Promise<Outcome> {
  const { deps, executor, queued } = api
  const { team, idempotencyKey: key } = incoming
  if (key === null) return executor.write(incoming, route, null)
  if ((await deps.faults.of(team.id, 'idempotency')) !== null) throw new ServiceError('IDEMPOTENCY_UNAVAILABLE')
  const bodyHash = deps.vault.hash('body', identifyBody(incoming))
  const claim = { team, key, method: exchange.method, path: exchange.path, bodyHash }
  return queued(`${team.id} ${key}`, () => executor.write(incoming, route, claim))
}

/**
 * Returns true for the endpoints that register public keys. These endpoints accept unencrypted requests, because
 * encryption requires the keys.
 */
const acceptsPlainText = ({ path }: Route) => path.startsWith('/teams/mle/') || path === '/teams/default_encryption_key'

/** Shared by all requests without a query. Nothing changes a request's query. */
const noQuery = new URLSearchParams()

/** Returns the query string as it was sent, without the question mark. */
function searchOf({ url }: Request): string {
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark + 1)
}

function queryOf(request: Request): URLSearchParams {
  const search = searchOf(request)
  return search === '' ? noQuery : readQuery(search)
}

/**
 * Returns a route that rejects a body that could not be read. The error is stored under the idempotency key like any
 * other error.
 */
const routeThatRejects = (route: Route, error: unknown): Route => ({
  ...route,
  read: () => {
    throw error
  },
})
