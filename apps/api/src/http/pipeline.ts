import { ServiceError } from '@causeway/contract/errors'
import { NEWEST_VERSION, type Version } from '@causeway/contract/versions'
import { randomText } from '../crypto/random.js'
import { describeFault } from '../log.js'
import type { Ctx, Deps, Team } from '../scope.js'
import { readBytes, readObject } from './body.js'
import { type Base, createExecutor, type Outcome, REPEAT_PATIENCE, type Resume } from './execute.js'
import { readKey } from './idempotency.js'
import { createQueue } from './queue.js'
import { asServiceError, type Rendered, render, renderError } from './render.js'
import type { Answer, Route } from './route.js'
import { readVersion } from './version.js'

/** A request as it was routed. */
export interface Incoming {
  request: Request
  /** By its name in lower case. */
  header(name: string): string | undefined
  /** The path without the mount. */
  path: string
  params: Record<string, string>
  enveloped: boolean
  /** The other end of the connection, where the listener tells. */
  remote: string | undefined
}

export interface Pipeline {
  serve(route: Route, incoming: Incoming): Promise<Response>
}

/** Who a caller is; `session` where an Opal token says which session it is for. */
export type Caller = { actor: string; team: Team; session?: string }

/** What came out of a request on its way: whose it is, and how its answer is encrypted where it was. */
interface Known {
  team?: Team
  seal?: (rendered: Rendered) => Promise<Rendered>
}

/** What every request goes through, in this order: id, key, rate limit, decryption, idempotency, version, the feature, its answer's bytes. */
export function createPipeline(
  deps: Deps,
  opal: (authorization: string | undefined) => Promise<Caller>,
  resume: Resume,
): Pipeline {
  const executor = createExecutor(deps, resume)
  const queued = createQueue(
    REPEAT_PATIENCE,
    () => new ServiceError('IDEMPOTENCY_KEY_IN_USE', undefined, { 'Retry-After': '1' }),
  )

  async function answer(route: Route, incoming: Incoming, requestId: string, known: Known): Promise<Outcome> {
    const { request, header, enveloped } = incoming
    const authorization = header('authorization')
    const stranger = () => {
      if (incoming.remote !== undefined) deps.limits.keyless(deps.addressOf(incoming.remote, header('x-forwarded-for')))
    }
    if (route.auth === 'none') {
      // Whoever has a key is counted by it here too.
      const known =
        authorization === undefined ? null : await deps.access.secret(authorization, header('origin')).catch(() => null)
      if (known) deps.limits.request(known.actor, route)
      else stranger()
      const open = await route.handle({ deps, params: incoming.params, query: queryOf(request), header } as Ctx)
      return {
        rendered: render(open as Exclude<Answer, { shape: 'later' }>, NEWEST_VERSION, enveloped),
        status: 'bypassed',
      }
    }
    let caller: Caller
    try {
      caller =
        route.auth === 'opal' ? await opal(authorization) : await deps.access.secret(authorization, header('origin'))
    } catch (error) {
      stranger()
      throw error
    }
    deps.limits.request(caller.actor, route)
    const { team } = caller
    known.team = team
    const query = queryOf(request)
    const key = readKey(request.method, header('idempotency-key'), query)
    let version: Version | undefined
    let text = ''
    const base: Base = {
      deps,
      team,
      actor: caller.actor,
      requestId,
      params: caller.session === undefined ? incoming.params : { ...incoming.params, session: caller.session },
      query,
      idempotencyKey: key,
      header,
      body: () => readObject(text),
      get version() {
        version ??= readVersion(
          header('service-version') ?? (enveloped ? header('method-version') : undefined),
          team.version,
        )
        return version
      },
    }
    const mode = header('service-mle') ?? (enveloped ? header('method-mle') : undefined)
    /** What follows sees the body in clear. A request that cannot be opened was none: its idempotency key stays free. */
    const open = async (how: string) => {
      const message = await deps.encryption.open(team, how, text)
      known.seal = message.seal
      text = message.text
    }
    if (route.method === 'GET') {
      if (mode !== undefined) await open(mode)
      return executor.read(base, route, enveloped)
    }
    let asked = route
    try {
      text = await readBytes(request, header('content-length'))
    } catch (error) {
      if (mode !== undefined) throw error
      asked = refusing(route, error)
    }
    if (mode !== undefined) await open(mode)
    if (key === null) return executor.write(base, asked, null, enveloped)
    if ((await deps.faults.of(team.id, 'idempotency')) !== null) throw new ServiceError('IDEMPOTENCY_UNAVAILABLE')
    const bodyHash = deps.vault.hash('body', text)
    const wanted = { team, key, method: request.method, path: incoming.path, bodyHash }
    return queued(`${team.id} ${key}`, () => executor.write(base, asked, wanted, enveloped))
  }

  return {
    async serve(route, incoming) {
      const started = performance.now()
      const requestId = `req_${randomText(20)}`
      const known: Known = {}
      const refuse = (error: unknown): Outcome => {
        if (!(error instanceof ServiceError))
          deps.log('error', 'fault', { request_id: requestId, route: route.path, ...describeFault(error) })
        return { rendered: renderError(asServiceError(error), incoming.enveloped), status: 'bypassed' }
      }
      let outcome = await answer(route, incoming, requestId, known).catch(refuse)
      if (known.seal) {
        const sealed = known.seal(outcome.rendered)
        outcome = await sealed.then(rendered => ({ ...outcome, rendered })).catch(refuse)
      }
      deps.log('info', 'request', {
        request_id: requestId,
        method: incoming.request.method,
        route: route.path,
        status: outcome.rendered.status,
        ms: Math.round(performance.now() - started),
        ...(known.team && { team_id: known.team.id }),
      })
      return respond(outcome.rendered, requestId, outcome)
    },
  }
}

function queryOf({ url }: Request): URLSearchParams {
  const mark = url.indexOf('?')
  return new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1))
}

/** The same route for a body that could not be read: its refusal is kept under the key like any other. */
const refusing = (route: Route, error: unknown): Route => ({ ...route, prepare: () => Promise.reject(error) })

function respond(rendered: Rendered, requestId: string, { status, mismatch }: Outcome): Response {
  return new Response(rendered.stream ?? rendered.body, {
    status: rendered.status,
    headers: {
      'Content-Type': rendered.type,
      'Cache-Control': 'no-store',
      'Request-Id': requestId,
      'idem-request-id': requestId,
      'idem-status': status,
      ...(status === 'replayed' ? { 'Idempotency-Replayed': 'true' } : {}),
      ...(mismatch ? { 'Idempotency-Mismatch': 'true' } : {}),
      ...rendered.headers,
    },
  })
}
