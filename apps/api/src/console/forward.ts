import { ServiceError } from '@causeway/contract/errors'
import type { KeyScope } from '@causeway/contract/fields/key-scopes'
import { isKeyless, scopeOfPath } from '../platform/http/endpoint/scopes.js'
import { readBytes, readObject } from '../platform/http/request/body.js'
import type { Within } from '../platform/scope.js'
import { findAction } from './approvals/actions.js'
import { hold, readReason } from './approvals/ask.js'
import type { Perform } from './approvals/run.js'
import { findPolicy } from './approvals/store.js'
import type { ConsoleExchange } from './exchange.js'
import { createsToken, hideTokens, refusePhone, toTokenRequest, withoutTokens } from './links.js'
import { mask } from './mask.js'
import type { ConsoleOptions } from './options.js'
import { requireRecentSignIn } from './recent-sign-in.js'
import { createsKey, missingScopeMessage, scopesFor } from './roles.js'
import { countSearch } from './searches.js'
import { actorOf, consoleUserOf, requestSubject, type User } from './user.js'

/** Request headers that are forwarded to the API. */
const requestHeaders = ['content-type', 'idempotency-key', 'service-version']
/** Response headers that are forwarded to the browser. */
const responseHeaders = [
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
  'pagination-total-count-capped',
  'pagination-page-cursor-next',
  'pagination-page-cursor-prev',
  'service-unknown-fields',
]

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

interface ApiRequest {
  readonly method: string
  readonly path: string
  readonly search: string
  readonly headers: Headers
  readonly body: string | null
  readonly scopes: ReadonlySet<KeyScope>
  readonly within?: Within
  /** The reason that the user gives. */
  readonly reason?: string | undefined
}

const callApi = (
  { deps, api }: ConsoleOptions,
  user: User,
  { method, path, search, headers, body, scopes, within, reason }: ApiRequest,
): Response | Promise<Response> =>
  api(new Request(`${deps.apiOrigin}${path}${search}`, { method, headers, body }), {
    user: requestSubject(user),
    from: consoleUserOf(user.session, reason),
    actor: actorOf(user.session),
    team: user.team,
    scopes,
    ...(within && { within }),
  })

/** Throws FORBIDDEN for a new key with which a user could do without a second person. */
async function rejectBypass({ deps }: ConsoleOptions, user: User, body: Record<string, unknown>): Promise<void> {
  // mutant: approval-not-around-by-key (false)
  if (bypassesApproval(body) && (await findPolicy(deps.store.reader, user.team.id)) !== null)
    throw new ServiceError(
      'FORBIDDEN',
      'This team needs a second person for money, so the console creates no keys with the payments or admin scope. Create the key with: pnpm admin key create',
    )
}

/** Returns true for a new key that could pay, or change limits, without a second person. By default, a key has all scopes. */
const bypassesApproval = ({ scopes }: Record<string, unknown>): boolean =>
  !Array.isArray(scopes) || scopes.includes('payments') || scopes.includes('admin')

/** Runs a request that was approved, as the user who asked for it. */
export function forwardApproved(
  options: ConsoleOptions,
  user: User,
  { method, path, body, key, version, reason }: Parameters<Perform>[1],
  within: Within,
): Response | Promise<Response> {
  const headers = new Headers({ 'content-type': 'application/json' })
  if (key !== null) headers.set('idempotency-key', key)
  if (version !== null) headers.set('service-version', version)
  const scopes = scopesFor(user.permissions, `${method} ${path}`)
  return callApi(options, user, {
    method,
    path,
    search: '',
    headers,
    body: JSON.stringify(body),
    scopes,
    within,
    reason,
  })
}

/** Makes an API request on behalf of a signed-in user, and masks the response. */
export async function forward(options: ConsoleOptions, exchange: ConsoleExchange, user: User): Promise<Response> {
  const { deps } = options
  const { c } = exchange
  const { pathname, search } = new URL(c.req.url)
  // The router matches the decoded path, but the API matches the raw path.
  if (!pathname.startsWith('/api/') || !methods.includes(c.req.method)) throw new ServiceError('NOT_FOUND')
  const path = pathname.slice('/api'.length)
  if (path === '/enveloped' || path.startsWith('/enveloped/')) throw new ServiceError('NOT_FOUND')
  const headers = new Headers()
  for (const each of requestHeaders) {
    const value = c.req.header(each)
    if (value !== undefined) headers.set(each, value)
  }
  const { method } = c.req
  if (user.account === null && user.session.key_id === null && createsKey(`${method} ${path}`))
    throw new ServiceError(
      'FORBIDDEN',
      'Keys can be created in the console only by a user with an account, or who signed in with a key. Use the API, or pnpm admin key create.',
    )
  const scopes = scopesFor(user.permissions, `${method} ${path}`)
  const scope = scopeOfPath(method, path)
  // These endpoints show nothing of a team, and masking a document as long as /openapi.json would be costly.
  if (isKeyless(method, path))
    throw new ServiceError('FORBIDDEN', 'The console serves only endpoints that need a secret key.')
  // If the user lacks the permission, the API rejects the request.
  const mayWrite = scope !== undefined && scope !== 'read' && scopes.has(scope)
  if (method === 'POST' && mayWrite && !headers.has('idempotency-key'))
    throw new ServiceError('INVALID_REQUEST', 'Idempotency-Key is required for this console request.')
  if (mayWrite && createsKey(`${method} ${path}`)) await requireRecentSignIn(deps, user)
  const isLink = mayWrite && createsToken(method, path)
  const requestBody = method === 'GET' ? undefined : await readBytes(c.req.raw)
  if (method === 'POST' && path === '/search') await countSearch(deps, user, requestBody ?? '', exchange.id)
  // mutant: console-sets-no-phone (remove)
  if (method === 'PUT') refusePhone(readObject(requestBody ?? ''))
  const body = isLink ? JSON.stringify(toTokenRequest(readObject(requestBody ?? ''))) : requestBody
  if (mayWrite && (`${method} ${path}` === 'POST /team/keys' || findAction(method, path))) {
    const asked = {
      ...{ method, path, body: readObject(body ?? '') },
      ...{ key: headers.get('idempotency-key'), version: headers.get('service-version') },
    }
    if (path === '/team/keys') await rejectBypass(options, user, asked.body)
    const held = await hold(options, user, asked, { header: name => c.req.header(name) })
    if (held) return held
  }
  const reason = mayWrite ? readReason(name => c.req.header(name)) : undefined
  const response = await callApi(options, user, { method, path, search, headers, body: body ?? null, scopes, reason })
  const shownHeaders = new Headers()
  for (const each of responseHeaders) {
    const value = response.headers.get(each)
    if (value !== null) shownHeaders.set(each, value)
  }
  if (!/json/.test(response.headers.get('content-type') ?? '')) {
    await response.body?.cancel()
    throw new ServiceError('FORBIDDEN', 'The console does not show files from the API, because it cannot mask them.')
  }
  const responseBody = (await response.json()) as { error?: { message: string } | null }
  // The API's message names the scope of a key, but a console user has a role instead.
  if (response.status === 403 && responseBody.error && scope !== undefined && !scopes.has(scope))
    responseBody.error.message = missingScopeMessage(user.role, scope)
  const masked = JSON.stringify(
    // mutant: console-masks-answers (argument 1)
    mask(isLink ? withoutTokens(responseBody) : responseBody),
  )
  exchange.isForwarded = true
  return new Response(hideTokens(masked, isLink), {
    status: response.status,
    headers: shownHeaders,
  })
}
