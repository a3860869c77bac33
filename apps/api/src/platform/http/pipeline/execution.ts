import { type ErrorSubType, errors, ServiceError } from '@causeway/contract/errors'
import { prefixes } from '@causeway/contract/ids'
import { isTemporaryFault, levelOf } from '../../db/fault.js'
import { describeFault } from '../../log.js'
import type { Ctx, Deps, Read } from '../../scope.js'
import type { Answer, Ready, Route } from '../endpoint/route.js'
import type { AdmittedRequest } from '../limits/admission.js'
import { type Base, Context } from '../request/context.js'
import { asServiceError, type Rendered, render, renderError } from '../response/render.js'
import type { Claim } from './idempotency.js'

/**
 * Functions that render the response for a committed effect, keyed by the effect's kind. Each runs after the effect's
 * job has ended, and again if the request is retried.
 */
export type Resume = Readonly<Record<string, (ctx: Ctx, id: string) => Promise<Answer>>>

/** Adds audit entries for the personal values in a replayed response. */
export type AuditReplay = (base: Base, reads: readonly Read[]) => Promise<void>

export interface Outcome {
  rendered: Rendered
  status: 'stored' | 'replayed' | 'bypassed'
  mismatch?: boolean
}

/** A write on its way through the stages of the executor. */
export interface Execution {
  readonly deps: Deps
  readonly base: Base
  readonly route: Route
  /** The request's idempotency key, or null if it has none. */
  readonly claim: Claim | null
  readonly turn: AdmittedRequest
  readonly resume: Resume
}

export const contextOf = (
  deps: Deps,
  base: Base,
  db: Ctx['db'],
  after: Ctx['after'] = () => {},
  input?: unknown,
  prepared?: unknown,
): Ctx => new Context(base, deps.clock() + base.team.clockOffset, db, after, input, prepared)

/**
 * Returns true for a resource id, which an error message may repeat. Tokens are secret, and anything else could be
 * personal data.
 */
const isId = (text: string) =>
  text.length <= 40 &&
  kinds.some(([kind, prefix]) => !kind.endsWith('_token') && new RegExp(`^${prefix}\\w+$`).test(text))
const kinds = Object.entries(prefixes)

/** Adds the ids in the path to a NOT_FOUND error. */
function naming(base: Base, error: ServiceError): ServiceError {
  const ids = Object.values(base.params).filter(isId)
  if (error.subType !== 'NOT_FOUND' || error.message !== errors.NOT_FOUND.message || ids.length === 0) return error
  return new ServiceError('NOT_FOUND', `No resource of this team was found for ${ids.join(' and ')}.`, error.headers)
}

const passing: ReadonlySet<ErrorSubType> = new Set(['UNAUTHORIZED', 'FORBIDDEN', 'TOO_MANY_REQUESTS'])
/**
 * Returns true for an error that the request itself didn't cause. Such an error releases the idempotency key, so that
 * the same request can succeed later.
 */
export const isPassing = (error: unknown) =>
  error instanceof ServiceError
    ? /* mutant: refusal-keeps-key-free (drop 1) */ error.status === 503 || passing.has(error.subType)
    : /* mutant: store-failure-keeps-key-free (false) */ isTemporaryFault(error)

const same = (body: unknown) => body

/** Renders a response in the request's version. */
export async function show(ctx: Ctx, answer: Ready): Promise<Rendered> {
  const isAsItIs = 'shown' in answer || answer.shape === 'stream'
  const body = isAsItIs ? same : await ctx.deps.versions.showing(ctx, ctx.version, answer.body)
  const rendered = render(answer, ctx.version, body)
  if (ctx.reads.length > 0) rendered.reads = [...ctx.reads]
  if (answer.shape === 'one' && 'stored' in answer)
    rendered.stored = render({ ...answer, body: answer.stored }, ctx.version, body).body
  return rendered
}

function logFault(deps: Deps, base: Base, route: Route, error: unknown): void {
  const fields = { request_id: base.requestId, route: route.path, team_id: base.team.id }
  deps.log(levelOf(error), 'fault', { ...fields, ...describeFault(error) })
}

/** Renders an error. Logs a fault in the service. */
export function renderRequestError(deps: Deps, base: Base, route: Route, error: unknown): Rendered {
  if (!(error instanceof ServiceError)) logFault(deps, base, route, error)
  return renderError(naming(base, asServiceError(error)))
}

/**
 * Logs a failure that occurs after the response has begun, when it is too late to report the failure in the response.
 * Then closes the connection.
 */
export async function* watched(
  deps: Deps,
  base: Base,
  route: Route,
  parts: AsyncGenerator<string | Uint8Array>,
): AsyncGenerator<string | Uint8Array> {
  try {
    yield* parts
  } catch (error) {
    logFault(deps, base, route, error)
    throw error
  }
}
