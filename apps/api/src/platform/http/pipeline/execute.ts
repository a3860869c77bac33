import type { Ctx, Deps } from '../../scope.js'
import type { Answer, Ready, Route } from '../endpoint/route.js'
import type { AdmittedRequest } from '../limits/admission.js'
import type { Base } from '../request/context.js'
import { checkEmptyFilters, checkFilterNames, checkRequest } from './check-request.js'
import { type Run, runClaimed } from './claimed-write.js'
import { findEarlier, settle } from './earlier-response.js'
import {
  type AuditReplay,
  contextOf,
  type Execution,
  type Outcome,
  type Resume,
  renderRequestError,
  show,
  watched,
} from './execution.js'
import type { Claim, WaitsFor } from './idempotency.js'

/** The maximum time that a response waits for its job, in ms. After that, the response is sent in its pending form. */
const JOB_TIMEOUT_MS = 10_000

/** Handles the requests that the pipeline has read. */
export interface Executor {
  read(base: Base, route: Route): Promise<Outcome>
  /** @param claim the request's idempotency key, or null if it has none */
  write(base: Base, route: Route, claim: Claim | null): Promise<Outcome>
}

export const createExecutor = (deps: Deps, resume: Resume, auditReplay: AuditReplay): Executor => ({
  read: (base, route) => withSlot(deps, base, () => read(deps, base, route)),
  write: (base, route, claim) =>
    withSlot(deps, base, async turn => {
      const outcome = await write({ deps, base, route, claim, turn, resume })
      const { reads } = outcome.rendered
      if (outcome.status === 'replayed' && reads) await auditReplay(base, reads)
      return outcome
    }),
})

/** Runs a request when a slot is available. A whole team tree counts as one team. */
async function withSlot(deps: Deps, base: Base, work: (turn: AdmittedRequest) => Promise<Outcome>): Promise<Outcome> {
  const turn = await deps.admission.enter(base.team.path[0]!)
  try {
    return await work(turn)
  } finally {
    turn.end()
  }
}

/** Passes a read through these stages, in this order. */
async function read(deps: Deps, base: Base, route: Route): Promise<Outcome> {
  try {
    checkRequest(deps, base, route)
    checkEmptyFilters(deps, base, route)
    checkFilterNames(deps, base, route)
    const ctx = contextOf(deps, base, deps.store.reader, undefined, route.read?.(base))
    const answer = (await route.handle(ctx)) as Ready
    const shown =
      answer.shape === 'stream' ? { ...answer, parts: () => watched(deps, base, route, answer.parts()) } : answer
    return { rendered: await show(ctx, shown), status: 'bypassed' }
  } catch (error) {
    return { rendered: renderRequestError(deps, base, route, error), status: 'bypassed' }
  }
}

/**
 * Passes a write through these stages, in this order. A write claims its key, takes effect and stores its response in
 * one transaction.
 */
async function write(execution: Execution): Promise<Outcome> {
  const { claim } = execution
  const earlier = claim && (await findEarlier(execution, claim))
  if (earlier) return earlier
  const prepared = await prepare(execution)
  const result = await commit(execution, prepared)
  return 'rendered' in result ? result : settle(execution, result, JOB_TIMEOUT_MS)
}

/** The input for a write's transaction. An error rejects the write there, so that it is stored under the key. */
type Prepared = { readonly input: unknown; readonly prepared: unknown } | { readonly error: unknown }

/** Checks a write, reads its input, and makes its external calls before the transaction. */
async function prepare({ deps, base, route, turn }: Execution): Promise<Prepared> {
  try {
    checkRequest(deps, base, route)
    checkFilterNames(deps, base, route)
    const input = route.read?.(base)
    const { prepare } = route
    const prepared =
      prepare && (await turn.releaseWhile(() => prepare(contextOf(deps, base, deps.store.reader, undefined, input))))
    return { input, prepared }
  } catch (error) {
    return { error }
  }
}

/** Makes a write's change in one transaction, and then runs what the change asked to run after it. */
async function commit(execution: Execution, ready: Prepared): Promise<Outcome | WaitsFor> {
  const { deps, base, route, claim } = execution
  let hooks: (() => Promise<void> | void)[] = []
  const run: Run = async tx => {
    hooks = []
    if ('error' in ready) throw ready.error
    await base.within?.(tx)
    const after: Ctx['after'] = hook => hooks.push(hook)
    const ctx = contextOf(deps, base, tx, after, ready.input, ready.prepared)
    const answer = await route.handle(ctx)
    return isReady(answer) ? show(ctx, answer) : { job: answer.job, ...answer.resume }
  }
  const result = claim ? await runClaimed(execution, claim, run) : await runOnce(execution, run)
  if (!('rendered' in result) || result.rendered.status < 400) for (const hook of hooks) await hook()
  return result
}

const isReady = (answer: Answer): answer is Ready => answer.shape !== 'later'

/** Runs a write that has no key. */
async function runOnce({ deps, base, route }: Execution, run: Run): Promise<Outcome | WaitsFor> {
  try {
    const result = await deps.store.write(run)
    return 'job' in result ? result : { rendered: result, status: 'bypassed' }
  } catch (error) {
    return { rendered: renderRequestError(deps, base, route, error), status: 'bypassed' }
  }
}
