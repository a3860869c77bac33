/** The stages of the API's envelope that follow its handler. */
import { ServiceError } from '@causeway/contract/errors'
import type { Version } from '@causeway/contract/versions'
import type { Deps } from '../../scope.js'
import { unknownFields } from '../endpoint/declaration.js'
import { scopeOf } from '../endpoint/scopes.js'
import type { IncomingRequest } from '../request/context.js'
import { asServiceError, renderError, showOnMount } from '../response/render.js'
import type { ApiExchange } from './api-exchange.js'
import { logFault } from './envelope.js'
import type { Outcome } from './execution.js'

export function outcomeOfError(deps: Deps, error: unknown, exchange: ApiExchange): Outcome {
  if (!(error instanceof ServiceError)) logFault(deps, exchange, error)
  const rendered = renderError(asServiceError(error))
  return { rendered, status: 'bypassed', mismatch: 'Idempotency-Mismatch' in rendered.headers }
}

/** Shows the response in the form of the request's mount, and encrypts it if the request was encrypted. */
export async function showBody(deps: Deps, exchange: ApiExchange, outcome: Outcome): Promise<Outcome> {
  const { enveloped, seal } = exchange
  exchange.subType = outcome.rendered.subType
  const rendered = showOnMount(outcome.rendered, enveloped)
  if (!seal) return { ...outcome, rendered }
  try {
    return { ...outcome, rendered: await seal(rendered) }
  } catch (error) {
    const failed = outcomeOfError(deps, error, exchange)
    return { ...failed, rendered: showOnMount(failed.rendered, enveloped) }
  }
}

const idempotencyOf = ({ mismatch, status }: Outcome) => (mismatch ? 'mismatch' : status)

export function countResponse(deps: Deps, { method, route, ms }: ApiExchange, outcome: Outcome): void {
  const { status } = outcome.rendered
  const isPost = method === 'POST'
  deps.metrics.request({ method, route, status, ms, ...(isPost && { idempotency: idempotencyOf(outcome) }) })
}

/** Logs a request for the operator, and adds it to its team's log. */
export function logRequest(deps: Deps, exchange: ApiExchange, outcome: Outcome): void {
  const { id, method, route, ms, team } = exchange
  const { status } = outcome.rendered
  deps.log('info', 'request', {
    request_id: id,
    method,
    route,
    status,
    ms: Math.round(ms),
    ...(team && { team_id: team.id }),
  })
  logForTeam(deps, exchange, outcome)
}

/** Adds a request to its team's log. Includes the unencrypted bodies of writes and of rejected requests. */
function logForTeam(deps: Deps, exchange: ApiExchange, outcome: Outcome): void {
  const { id, at, ms, subType, endpoint, method, params, user, team, actor, incoming, seal } = exchange
  const { rendered } = outcome
  if (!team || actor === undefined) return
  const isRead = method === 'GET' || scopeOf(endpoint) === 'read'
  // Skips the console's successful reads, which are frequent and reveal nothing about the team's integration.
  if (user && isRead && rendered.status < 400) return
  const bodies = !seal && (!isRead || rendered.status >= 400)
  deps.requests.add({
    id,
    team,
    actor,
    source: user ? 'console' : 'api',
    method: endpoint.method,
    route: endpoint.path,
    params,
    status: rendered.status,
    version: incoming ? readable(incoming) : null,
    idempotency: idempotencyOf(outcome),
    request: bodies && incoming ? incoming.text : null,
    response: bodies ? rendered.body : null,
    subType,
    at,
    ms,
  })
}

/** Returns the request's version, or null if the header names an unknown version. */
function readable(incoming: IncomingRequest): Version | null {
  try {
    return incoming.version
  } catch {
    return null
  }
}

/**
 * Returns the fields in a request that the endpoint doesn't define, for the `Service-Unknown-Fields` header. Returns
 * undefined for a replayed or encrypted request, or if the body or version can't be read.
 */
function unknownOf({ versions }: Deps, exchange: ApiExchange, { status }: Outcome): string | undefined {
  const { incoming, endpoint, seal } = exchange
  // mutant: headers-hide-encrypted-fields (drop 3)
  if (!incoming || status === 'replayed' || seal) return undefined
  try {
    return unknownFields(versions, endpoint, incoming.version, incoming.sent, incoming.body(), incoming.enveloped)
  } catch {
    return undefined
  }
}

/** Creates the response. One object holds all headers, because changing the headers of a response costs more. */
export function respond(deps: Deps, safe: Record<string, string>, exchange: ApiExchange, outcome: Outcome): Response {
  const { rendered, status, mismatch } = outcome
  const unknown = unknownOf(deps, exchange, outcome)
  return new Response(rendered.stream ?? rendered.body, {
    status: rendered.status,
    headers: {
      'Content-Type': rendered.type,
      'Cache-Control': 'no-store',
      ...safe,
      'Request-Id': exchange.id,
      'idem-request-id': exchange.id,
      'idem-status': status,
      ...(status === 'replayed' ? { 'Idempotency-Replayed': 'true' } : {}),
      ...(mismatch ? { 'Idempotency-Mismatch': 'true' } : {}),
      ...(unknown === undefined ? {} : { 'Service-Unknown-Fields': unknown }),
      ...rendered.headers,
    },
  })
}
