import { type ErrorSubType, errors, ServiceError } from '@causeway/contract/errors'
import { prefixes } from '@causeway/contract/ids'
import { versions } from '@causeway/contract/versions'
import { errorCode, isPassingFault, LOCK_TIMEOUT, levelOf } from '../db/fault.js'
import { describeFault } from '../log.js'
import type { Ctx, Deps, Read } from '../scope.js'
import type { Turn } from './admission.js'
import { type Base, Context } from './context.js'
import { checkFilters, isOptional } from './declaration.js'
import {
  asClaimError,
  type Claim,
  type ClaimState,
  claim,
  find,
  keep,
  keepClaimed,
  postpone,
  type WaitsFor,
} from './idempotency.js'
import { isFieldName } from './redact.js'
import { asServiceError, type Rendered, render, renderError } from './render.js'
import type { Answer, Ready, Route } from './route.js'
import { requireScope } from './scopes.js'

/** The maximum time that a response waits for its job, in ms. After that, the response is sent in its pending form. */
const PATIENCE = 10_000
/** The maximum time that a repeated request waits for the original request's response, in ms. */
export const REPEAT_PATIENCE = 5_000

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

/** Returns a parameter's name, which the caller chose, if it is safe to show; otherwise, returns a generic phrase. */
const readable = (name: string) => (isFieldName(name.replace(/\[\]$/, '')) ? name : 'A query parameter')

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
const isPassing = (error: unknown) =>
  error instanceof ServiceError
    ? /* mutant: refusal-keeps-key-free (drop 1) */ error.status === 503 || passing.has(error.subType)
    : /* mutant: store-failure-keeps-key-free (false) */ isPassingFault(error)

const isReady = (answer: Answer): answer is Ready => answer.shape !== 'later'

const same = (body: unknown) => body

/** Renders a response in the request's version. */
async function show(ctx: Ctx, answer: Ready): Promise<Rendered> {
  const isAsItIs = 'shown' in answer || answer.shape === 'stream'
  const shown = isAsItIs ? same : await ctx.deps.versions.showing(ctx, ctx.version, answer.body)
  const rendered = render(answer, ctx.version, shown)
  if (ctx.reads.length > 0) rendered.reads = [...ctx.reads]
  if (answer.shape === 'one' && 'stored' in answer)
    rendered.stored = render({ ...answer, body: answer.stored }, ctx.version, shown).body
  return rendered
}

/**
 * Throws INVALID_REQUEST if the idempotency key belongs to another method or path: its response could hold what this
 * caller must not see, such as a token. Throws FORBIDDEN if the caller lacks the scope of that request, or if it lacks
 * the `sensitive` scope and the stored response contains sensitive values.
 */
function admitReplay(base: Base, state: ClaimState): asserts state is Exclude<ClaimState, { state: 'other' }> {
  if (state.state === 'other') {
    // mutant: replay-needs-scope (remove)
    if (state.scope !== undefined) requireScope(base.scopes, state.scope)
    throw new ServiceError(
      'INVALID_REQUEST',
      'This Idempotency-Key was already used for a request with another method or path. Nothing was changed. Use a new key.',
      { 'Idempotency-Mismatch': 'true' },
    )
  }
  // mutant: full-numbers-need-scope (false)
  if (state.state === 'done' && state.rendered.reads?.some(read => read.sensitive))
    requireScope(base.scopes, 'sensitive')
}

/**
 * Creates the functions that handle requests. A write claims its key, takes effect and stores its response in one
 * transaction.
 */
export function createExecutor(deps: Deps, resume: Resume, auditReplay: AuditReplay) {
  const contextOf = (base: Base, db: Ctx['db'], after: Ctx['after'], input?: unknown, prepared?: unknown): Ctx =>
    new Context(base, deps.clock() + base.team.clockOffset, db, after, input, prepared)

  const logFault = (base: Base, route: Route, error: unknown) => {
    const fields = { request_id: base.requestId, route: route.path, team_id: base.team.id }
    deps.log(levelOf(error), 'fault', { ...fields, ...describeFault(error) })
  }

  /**
   * Logs a failure that occurs after the response has begun, when it is too late to report the failure in the response.
   * Then closes the connection.
   */
  async function* watched(base: Base, route: Route, parts: AsyncGenerator<string>): AsyncGenerator<string> {
    try {
      yield* parts
    } catch (error) {
      logFault(base, route, error)
      throw error
    }
  }

  const refuse = (base: Base, route: Route, error: unknown): Rendered => {
    if (!(error instanceof ServiceError)) logFault(base, route, error)
    return renderError(naming(base, asServiceError(error)))
  }

  /** Rejects an invalid request before it reaches a feature, so that no external call is made for it. */
  function admit(base: Base, route: Route): void {
    void base.version
    if (Object.values(base.params).some(value => value.includes('\0'))) throw new ServiceError('NOT_FOUND')
    for (const [name, value] of base.query)
      if (value.includes('\0'))
        throw new ServiceError('INVALID_REQUEST', `${readable(name)} must not contain the character U+0000.`)
    if (route.sandbox && deps.environment !== 'sandbox')
      throw new ServiceError('FORBIDDEN', 'Simulations are available only in the sandbox.')
    if (route.since && versions.indexOf(base.version) < versions.indexOf(route.since))
      throw new ServiceError('NOT_FOUND')
  }

  async function read(base: Base, route: Route): Promise<Outcome> {
    try {
      admit(base, route)
      // An empty value often comes from an unset variable in the caller's code. A request with an empty filter must not
      // return the entire list.
      for (const [name, value] of base.query)
        if (value === '' && isOptional(deps.versions, route, base.version, name))
          throw new ServiceError('INVALID_REQUEST', `${readable(name)} must not be empty. Omit it instead.`)
      checkFilters(deps.versions, route, base.version, base.query)
      const ctx = contextOf(base, deps.store.reader, () => {}, route.read?.(base))
      const found = (await route.handle(ctx)) as Ready
      const answer = found.shape === 'stream' ? { ...found, parts: () => watched(base, route, found.parts()) } : found
      return { rendered: await show(ctx, answer), status: 'bypassed' }
    } catch (error) {
      return { rendered: refuse(base, route, error), status: 'bypassed' }
    }
  }

  /**
   * Waits for a response's job, then renders and stores the response. If several requests wait for one job, the first
   * to finish stores the response.
   */
  async function settle(
    base: Base,
    turn: Turn,
    waits: WaitsFor,
    wanted: Claim | null,
    patience: number,
  ): Promise<Outcome> {
    await turn.away(() => deps.jobs.settle(base.team.id, waits.job, patience))
    const shape = async (db: Ctx['db']) => {
      const ctx = contextOf(base, db, () => {})
      try {
        return await show(ctx, (await resume[waits.kind]!(ctx, waits.id)) as Ready)
      } catch (error) {
        if (error instanceof ServiceError && !isPassing(error)) return renderError(error)
        throw error
      }
    }
    if (!wanted) return { rendered: await shape(deps.store.reader), status: 'bypassed' }
    return deps.store.write(async tx => {
      const rendered = await shape(tx)
      if (await keep(deps, tx, wanted, rendered)) return { rendered, status: 'stored' }
      const found = await find(deps, tx, wanted)
      return found?.state === 'done' ? { ...found, status: 'replayed' } : { rendered, status: 'stored' }
    })
  }

  /** The errors of claims whose transaction has not ended yet. */
  const claimErrors = new WeakSet<object>()

  /** Claims a key. Returns the outcome already recorded for the key, or undefined if the claim succeeded. */
  async function taken(base: Base, tx: Ctx['db'], wanted: Claim): Promise<Outcome | WaitsFor | undefined> {
    const found = await claim(deps, tx, wanted).catch(error => {
      // A key that another request holds is an answer. Any other error must stay what it is until the transaction has
      // ended, because the store recognizes its own faults.
      if (errorCode(error) === LOCK_TIMEOUT) throw asClaimError(error)
      claimErrors.add(error)
      throw error
    })
    admitReplay(base, found)
    if (found.state === 'mine') return undefined
    return found.state === 'done' ? { ...found, status: 'replayed' } : found.waitsFor
  }

  /**
   * Runs a write that has a key: claims the key, makes the change and stores the response in one transaction. An error
   * rolls back all three. The error is then stored under the key in a separate transaction, which is safe because the
   * error doesn't depend on any other write.
   */
  async function claimed(...given: Parameters<typeof claimAndRun>): Promise<Outcome | WaitsFor> {
    return claimAndRun(...given).catch(error => {
      throw claimErrors.has(error) ? asClaimError(error) : error
    })
  }

  async function claimAndRun(
    base: Base,
    route: Route,
    wanted: Claim,
    run: (tx: Ctx['db']) => Promise<Rendered | WaitsFor>,
  ): Promise<Outcome | WaitsFor> {
    const effect: { failed: boolean; error?: unknown } = { failed: false }
    try {
      return await deps.store.write(async tx => {
        effect.failed = false
        const earlier = await taken(base, tx, wanted)
        if (earlier) return earlier
        const made = await run(tx).catch(error => {
          // mutant: fault-undoes-effect (remove)
          Object.assign(effect, { failed: true, error })
          throw error
        })
        if ('job' in made) {
          await postpone(tx, wanted, made)
          return made
        }
        await keepClaimed(deps, tx, wanted, made)
        return { rendered: made, status: 'stored' as const }
      })
    } catch (error) {
      if (!effect.failed || effect.error !== error || isPassing(error)) throw error
    }
    const rendered = refuse(base, route, effect.error)
    return deps.store.write(async tx => {
      const earlier = await taken(base, tx, wanted)
      if (earlier) return earlier
      await keepClaimed(deps, tx, wanted, rendered)
      return { rendered, status: 'stored' as const }
    })
  }

  /** If the stored response has been deleted, rebuilds it from the resource that was created with the key. */
  async function late(base: Base, route: Route): Promise<Outcome | undefined> {
    const ctx = contextOf(base, deps.store.reader, () => {})
    try {
      const made = await route.earlier?.(ctx)
      if (!made) return undefined
      return { rendered: await show(ctx, made.answer), status: 'replayed', mismatch: made.mismatch }
    } catch (error) {
      return { rendered: refuse(base, route, error), status: 'bypassed' }
    }
  }

  async function perform(base: Base, turn: Turn, route: Route, wanted: Claim | null): Promise<Outcome> {
    if (wanted) {
      // Both reads start together, because they can then share a packet to PostgreSQL.
      const [earlier, made] = await Promise.all([
        find(deps, deps.store.reader, wanted).catch(error => {
          throw asClaimError(error)
        }),
        late(base, route),
      ])
      if (earlier) admitReplay(base, earlier)
      if (earlier?.state === 'done') return { ...earlier, status: 'replayed' }
      if (earlier?.state === 'waiting') return settle(base, turn, earlier.waitsFor, wanted, REPEAT_PATIENCE)
      if (made) return made
    }
    let input: unknown
    let prepared: unknown
    let refusal: { error: unknown } | undefined
    try {
      admit(base, route)
      checkFilters(deps.versions, route, base.version, base.query)
      input = route.read?.(base)
      const { prepare } = route
      if (prepare) prepared = await turn.away(() => prepare(contextOf(base, deps.store.reader, () => {}, input)))
    } catch (error) {
      refusal = { error }
    }
    let hooks: (() => Promise<void> | void)[] = []
    const run = async (tx: Ctx['db']): Promise<Rendered | WaitsFor> => {
      hooks = []
      if (refusal) throw refusal.error
      const ctx = contextOf(base, tx, hook => hooks.push(hook), input, prepared)
      const answer = await route.handle(ctx)
      return isReady(answer) ? show(ctx, answer) : { job: answer.job, ...answer.resume }
    }
    let done: Outcome | WaitsFor
    if (wanted) done = await claimed(base, route, wanted, run)
    else {
      try {
        const made = await deps.store.write(run)
        done = 'job' in made ? made : { rendered: made, status: 'bypassed' }
      } catch (error) {
        return { rendered: refuse(base, route, error), status: 'bypassed' }
      }
    }
    if (!('rendered' in done) || done.rendered.status < 400) for (const hook of hooks) await hook()
    return 'rendered' in done ? done : settle(base, turn, done, wanted, PATIENCE)
  }

  async function write(base: Base, route: Route, wanted: Claim | null): Promise<Outcome> {
    return inTurn(base, async turn => {
      const outcome = await perform(base, turn, route, wanted)
      const { reads } = outcome.rendered
      if (outcome.status === 'replayed' && reads) await auditReplay(base, reads)
      return outcome
    })
  }

  /** Runs a request when a slot is available. A whole team tree counts as one team. */
  async function inTurn(base: Base, work: (turn: Turn) => Promise<Outcome>): Promise<Outcome> {
    const turn = await deps.admission.enter(base.team.path[0]!)
    try {
      return await work(turn)
    } finally {
      turn.end()
    }
  }

  return {
    read: (base: Base, route: Route) => inTurn(base, () => read(base, route)),
    write,
  }
}
