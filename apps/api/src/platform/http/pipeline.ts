import { ServiceError } from '@causeway/contract/errors'
import { NEWEST_VERSION, type Version } from '@causeway/contract/versions'
import { createRequestId } from '../crypto/random.js'
import { levelOf } from '../db/fault.js'
import { describeFault } from '../log.js'
import { type ConsoleUser, type Ctx, type Deps, depsFor, type Holder, type Team } from '../scope.js'
import { checkType, readBytes } from './body.js'
import { identifyBody } from './canonical-json.js'
import { IncomingRequest } from './context.js'
import { unknownFields } from './declaration.js'
import { REPEAT_TIMEOUT_MS } from './earlier-response.js'
import { createExecutor } from './execute.js'
import type { AuditReplay, Outcome, Resume } from './execution.js'
import { safeHeaders } from './headers.js'
import { consoleKey, readKey } from './idempotency-key.js'
import { hasOwnLimit } from './limits.js'
import { readQuery } from './query.js'
import { createQueue } from './queue.js'
import { asServiceError, type Rendered, render, renderError, showOnMount } from './render.js'
import type { Answer, Route } from './route.js'
import { requireScope, scopeOf } from './scopes.js'
import { checkQuery } from './url-text.js'

/** A request and its route's parameters. */
interface Incoming {
  request: Request
  /** Returns a header by its lowercase name. */
  header(name: string): string | undefined
  /** The path without the mount's prefix. */
  path: string
  params: Record<string, string>
  enveloped: boolean
  /** The address at the other end of the connection, if the listener provides it. */
  remote: string | undefined
  /** The signed-in console user, if the request comes from the console. */
  user?: User | undefined
}

/**
 * A console user. Rate limits count a user's requests separately from those made with the team's keys, except on
 * endpoints that have their own limit.
 */
export interface User extends Holder {
  /** The id under which rate limits count the user's requests. */
  readonly user: string
  readonly from: ConsoleUser
}

export interface Pipeline {
  serve(route: Route, incoming: Incoming): Promise<Response>
}

/** The caller. `session` is set if an Opal token names a session. */
export type Caller = Holder & { session?: string }

/** Information collected while a request is handled. */
interface Known {
  team?: Team
  actor?: string
  asked?: IncomingRequest
  seal?: (rendered: Rendered) => Promise<Rendered>
}

/**
 * Runs every request through these steps in order: id, key, rate limit, scope, decryption, idempotency, version,
 * feature, response.
 */
export function createPipeline(
  deps: Deps,
  opal: (authorization: string | undefined) => Promise<Caller>,
  resume: Resume,
  auditReplay: AuditReplay,
): Pipeline {
  const executor = createExecutor(deps, resume, auditReplay)
  const queued = createQueue(
    REPEAT_TIMEOUT_MS,
    () => new ServiceError('IDEMPOTENCY_KEY_IN_USE', undefined, { 'Retry-After': '1' }),
  )

  const safe = safeHeaders(deps.apiOrigin)

  async function answer(route: Route, incoming: Incoming, requestId: string, known: Known): Promise<Outcome> {
    const { request, header, enveloped } = incoming
    const authorization = header('authorization')
    const stranger = () => {
      if (incoming.remote !== undefined) deps.limits.keyless(deps.addressOf(incoming.remote, header('x-forwarded-for')))
    }
    if (route.auth === 'none') {
      // These routes require no key, but a request with a valid key is counted against its team tree.
      const known =
        authorization === undefined ? null : await deps.access.secret(authorization, header('origin')).catch(() => null)
      if (known) deps.limits.request(known.team.path[0]!, route)
      else stranger()
      checkQuery(request.url)
      const asked = { deps, params: incoming.params, query: queryOf(request), header, enveloped } as Ctx
      const open = await route.handle({ ...asked, input: route.read?.(asked) })
      return {
        rendered: render(open as Exclude<Answer, { shape: 'later' }>, NEWEST_VERSION, body =>
          deps.versions.showAt(NEWEST_VERSION, body),
        ),
        status: 'bypassed',
      }
    }
    let caller: Caller
    try {
      caller =
        route.auth === 'opal'
          ? await opal(authorization)
          : (incoming.user ?? (await deps.access.secret(authorization, header('origin'))))
    } catch (error) {
      stranger()
      throw error
    }
    const { team } = caller
    known.team = team
    known.actor = caller.actor
    // A whole team tree shares one count. Each Opal token and each console user has a separate count.
    const tree = team.path[0]!
    deps.limits.request(incoming.user?.user ?? (caller.session === undefined ? tree : caller.actor), route)
    const scope = scopeOf(route)
    // mutant: scopes-limit-keys (remove)
    if (scope !== undefined) requireScope(caller.scopes, scope)
    // Counts the request after the scope check, so that a user without the scope does not use up the team's limit.
    if (incoming.user && hasOwnLimit(route)) deps.limits.request(tree, route)
    checkQuery(request.url)
    const query = queryOf(request)
    const sentKey = readKey(request.method, header('idempotency-key'), searchOf(request))
    // mutant: console-keys-are-separate (false)
    const key = sentKey !== null && incoming.user ? consoleKey(deps.vault, sentKey) : sentKey
    const mode = header('service-mle') ?? (enveloped ? header('method-mle') : undefined)
    if (
      mode === undefined &&
      !incoming.user &&
      // mutant: required-encryption (false)
      team.settings.require_encryption &&
      scope !== undefined &&
      !isOpen(route)
    )
      throw new ServiceError(
        'INVALID_REQUEST',
        'This team requires encrypted requests. Send the Service-MLE: jwe header, and send the body as {"encrypted": "<compact JWE>"}.',
      )
    const base = new IncomingRequest(
      {
        deps: depsFor(deps, requestId, incoming.user?.from),
        team,
        actor: caller.actor,
        scopes: caller.scopes,
        requestId,
        params: caller.session === undefined ? incoming.params : { ...incoming.params, session: caller.session },
        idempotencyKey: key,
        enveloped,
        encrypted: mode !== undefined,
        header,
      },
      query,
    )
    known.asked = base
    /**
     * Decrypts the body for the following steps. A request that cannot be decrypted does not use up its idempotency
     * key.
     */
    const open = async (how: string) => {
      const message = await deps.encryption.open(team, how, base.text)
      known.seal = message.seal
      base.text = message.text
    }
    if (route.method === 'GET') {
      if (mode !== undefined) await open(mode)
      return executor.read(base, route)
    }
    let served = route
    try {
      base.text = await readBytes(request, { length: header('content-length') })
    } catch (error) {
      // A request whose body did not arrive does not use up its idempotency key.
      if (mode !== undefined || !(error instanceof ServiceError && error.subType === 'REQUEST_TOO_LARGE')) throw error
      served = refusing(route, error)
    }
    if (base.text.trim() !== '') checkType(header('content-type'), header('content-encoding'))
    if (mode !== undefined) await open(mode)
    if (scope === 'read') return executor.read(base, served)
    if (key === null) return executor.write(base, served, null)
    if ((await deps.faults.of(team.id, 'idempotency')) !== null) throw new ServiceError('IDEMPOTENCY_UNAVAILABLE')
    const bodyHash = deps.vault.hash('body', identifyBody(base))
    const wanted = { team, key, method: request.method, path: incoming.path, bodyHash }
    return queued(`${team.id} ${key}`, () => executor.write(base, served, wanted))
  }

  return {
    async serve(route, incoming) {
      const started = performance.now()
      const at = deps.clock()
      const requestId = createRequestId(at)
      const known: Known = {}
      const refuse = (error: unknown): Outcome => {
        if (!(error instanceof ServiceError))
          deps.log(levelOf(error), 'fault', { request_id: requestId, route: route.path, ...describeFault(error) })
        const rendered = renderError(asServiceError(error))
        return { rendered, status: 'bypassed', mismatch: 'Idempotency-Mismatch' in rendered.headers }
      }
      let outcome = await answer(route, incoming, requestId, known).catch(refuse)
      const { subType } = outcome.rendered
      outcome.rendered = showOnMount(outcome.rendered, incoming.enveloped)
      if (known.seal) {
        const sealed = known.seal(outcome.rendered)
        outcome = await sealed
          .then(rendered => ({ ...outcome, rendered }))
          .catch(error => {
            const refused = refuse(error)
            return { ...refused, rendered: showOnMount(refused.rendered, incoming.enveloped) }
          })
      }
      const ms = performance.now() - started
      const { method } = incoming.request
      const { status } = outcome.rendered
      const idempotency = outcome.mismatch ? 'mismatch' : outcome.status
      deps.metrics.request({ method, route: route.path, status, ms, ...(method === 'POST' && { idempotency }) })
      deps.log('info', 'request', {
        request_id: requestId,
        method,
        route: route.path,
        status,
        ms: Math.round(ms),
        ...(known.team && { team_id: known.team.id }),
      })
      logRequest(deps, route, incoming, known, outcome, { id: requestId, at, ms, subType })
      return respond(outcome.rendered, requestId, outcome, safe, unknownOf(deps, route, known, outcome))
    },
  }
}

/**
 * Returns true for the endpoints that register public keys. These endpoints accept unencrypted requests, because
 * encryption requires the keys.
 */
const isOpen = ({ path }: Route) => path.startsWith('/teams/mle/') || path === '/teams/default_encryption_key'

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

/** Adds a request to its team's log. Includes the unencrypted bodies of writes and of rejected requests. */
function logRequest(
  deps: Deps,
  route: Route,
  { request, params, user }: Incoming,
  { team, actor, asked, seal }: Known,
  { rendered, status, mismatch }: Outcome,
  { id, at, ms, subType }: { id: string; at: number; ms: number; subType: string | undefined },
): void {
  if (!team || actor === undefined) return
  const isRead = request.method === 'GET' || scopeOf(route) === 'read'
  // Skips the console's successful reads, which are frequent and reveal nothing about the team's integration.
  if (user && isRead && rendered.status < 400) return
  const bodies = !seal && (!isRead || rendered.status >= 400)
  deps.requests.add({
    id,
    team,
    actor,
    source: user ? 'console' : 'api',
    method: route.method,
    route: route.path,
    params,
    status: rendered.status,
    version: asked ? readable(asked) : null,
    idempotency: mismatch ? 'mismatch' : status,
    request: bodies && asked ? asked.text : null,
    response: bodies ? rendered.body : null,
    subType,
    at,
    ms,
  })
}

/** Returns the request's version, or null if the header names an unknown version. */
function readable(asked: IncomingRequest): Version | null {
  try {
    return asked.version
  } catch {
    return null
  }
}

/**
 * Returns the fields in a request that the endpoint doesn't define, for the `Service-Unknown-Fields` header. Returns
 * undefined for a replayed or encrypted request, or if the body or version can't be read.
 */
function unknownOf({ versions }: Deps, route: Route, { asked, seal }: Known, { status }: Outcome): string | undefined {
  // mutant: headers-hide-encrypted-fields (drop 3)
  if (!asked || status === 'replayed' || seal) return undefined
  try {
    return unknownFields(versions, route, asked.version, asked.sent, asked.body(), asked.enveloped)
  } catch {
    return undefined
  }
}

/**
 * Returns a route that rejects a body that could not be read. The error is stored under the idempotency key like any
 * other error.
 */
const refusing = (route: Route, error: unknown): Route => ({
  ...route,
  read: () => {
    throw error
  },
})

function respond(
  rendered: Rendered,
  requestId: string,
  { status, mismatch }: Outcome,
  safe: Record<string, string>,
  unknown: string | undefined,
): Response {
  return new Response(rendered.stream ?? rendered.body, {
    status: rendered.status,
    headers: {
      'Content-Type': rendered.type,
      'Cache-Control': 'no-store',
      ...safe,
      'Request-Id': requestId,
      'idem-request-id': requestId,
      'idem-status': status,
      ...(status === 'replayed' ? { 'Idempotency-Replayed': 'true' } : {}),
      ...(mismatch ? { 'Idempotency-Mismatch': 'true' } : {}),
      ...(unknown === undefined ? {} : { 'Service-Unknown-Fields': unknown }),
      ...rendered.headers,
    },
  })
}
