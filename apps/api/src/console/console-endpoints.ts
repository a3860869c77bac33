/** Endpoints that exist only on the console's listener, not in the API. */
import type { Endpoint } from '@causeway/contract/declaration/endpoint'
import type { z } from 'zod'
import type { Params } from '../platform/http/endpoint/implement.js'
import type { Route } from '../platform/http/endpoint/route.js'
import { parse } from '../platform/http/request/body.js'
import { streamOf } from '../platform/http/response/render.js'
import type { Deps, Within } from '../platform/scope.js'
import type { Perform } from './approvals/run.js'
import type { Access } from './exchange.js'
import type { ConsoleOptions } from './options.js'
import { isSessionOpen } from './store.js'
import { loadUser, type User } from './user.js'

/** A request from a signed-in user. */
export interface ConsoleRequest {
  readonly deps: Deps
  readonly options: ConsoleOptions
  readonly user: User
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The parsed body, or `{}` if there is none. */
  readonly body: Record<string, unknown>
  /** Runs in the transaction of the handler, at its end. Set if the request needs, or had, a second person. */
  readonly within?: Within | undefined
  /** Runs a request that this one approves. */
  readonly perform: Perform
}

export interface ConsoleRoute {
  /** The route, which limits count and logs name. */
  readonly route: Route
  /** The session that the endpoint needs. Defaults to `full`. */
  readonly access?: Access
  /** Returns the body, which becomes JSON, or a whole response. */
  run(request: ConsoleRequest): Promise<unknown>
}

type ParamsOf<E extends Endpoint> = Readonly<Record<Params<E['path']>, string>>
type BodyOf<E> = E extends { body: infer Body extends z.ZodType } ? z.output<Body> : undefined

/** Implements a declared endpoint and validates the body before the handler runs. */
export function implementForConsole<E extends Endpoint>(
  { method, path, body }: E,
  run: (request: ConsoleRequest & { params: ParamsOf<E> }, body: BodyOf<E>) => Promise<z.input<E['answer']>>,
): ConsoleRoute {
  return {
    route: { method, path, handle: () => Promise.reject(new Error('The API does not serve this endpoint.')) },
    // The casts are safe: the router has a value for each path parameter, and the schema determines the body's type.
    run: request =>
      run({ ...request, params: request.params as ParamsOf<E> }, (body && parse(body, request.body)) as BodyOf<E>),
  }
}

/** Implements a declared endpoint that answers with server-sent events. */
export const implementStream = (
  { method, path, type = 'text/event-stream' }: Endpoint,
  open: (request: ConsoleRequest) => Promise<ReadableStream<Uint8Array>>,
): ConsoleRoute => ({
  route: { method, path, handle: () => Promise.reject(new Error('The API does not serve this endpoint.')) },
  run: async request =>
    // Proxies must pass each message on at once.
    new Response(await open(request), { headers: { 'Content-Type': type, 'X-Accel-Buffering': 'no' } }),
})

/** Throws FORBIDDEN if a user may not download a file. */
type RequirePermission = (user: Pick<User, 'permissions'>) => void

/**
 * Implements a declared endpoint that answers with a file, which is written while it is read. An error before the first
 * part is returned as an error. A later error ends the connection, so that the browser reports an incomplete file.
 */
export const implementDownload = (
  { method, path, type = 'text/plain' }: Endpoint,
  name: string,
  requirePermission: RequirePermission,
  run: (request: ConsoleRequest) => AsyncGenerator<string>,
): ConsoleRoute => ({
  route: { method, path, handle: () => Promise.reject(new Error('The API does not serve this endpoint.')) },
  run: async request => {
    requirePermission(request.user)
    const parts = whileAllowed(request, requirePermission, run(request))
    const first = await parts.next()
    return new Response(streamOf(startingWith(first, parts)), {
      headers: {
        'Content-Type': `${type}; charset=utf-8`,
        'Content-Disposition': `attachment; filename="${name}"`,
      },
    })
  },
})

/** Ends a download with an error, between two parts, once the session has ended or the user lost the permission. */
async function* whileAllowed(
  { options, user: { session } }: ConsoleRequest,
  requirePermission: RequirePermission,
  parts: AsyncGenerator<string>,
): AsyncGenerator<string> {
  const { deps } = options
  try {
    for (let part = await parts.next(); !part.done; part = await parts.next()) {
      yield part.value
      // mutant: ended-session-ends-download (false)
      if (!(await isSessionOpen(deps.store.reader, session, deps.clock())))
        throw new Error('The user is signed out. The console session has ended.')
      requirePermission(await loadUser(options, session))
    }
  } finally {
    await parts.return(undefined)
  }
}

/** Yields a part that was already read, and then the others. */
async function* startingWith(first: IteratorResult<string>, others: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    if (!first.done) yield first.value
    yield* others
  } finally {
    await others.return(undefined)
  }
}
