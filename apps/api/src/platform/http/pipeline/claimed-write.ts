import { ServiceError } from '@causeway/contract/errors'
import { errorCode, LOCK_TIMEOUT_CODE } from '../../db/fault.js'
import type { Ctx } from '../../scope.js'
import { requireScope } from '../endpoint/scopes.js'
import type { Base } from '../request/context.js'
import type { Rendered } from '../response/render.js'
import { type Execution, isPassing, type Outcome, renderRequestError } from './execution.js'
import {
  asClaimError,
  type Claim,
  type ClaimState,
  claim,
  keepClaimed,
  postpone,
  type WaitsFor,
} from './idempotency.js'

/**
 * Throws INVALID_REQUEST if the idempotency key belongs to another method or path: its response could hold what this
 * caller must not see, such as a token. Throws FORBIDDEN if the caller lacks the scope of that request, or if it lacks
 * the `sensitive` scope and the stored response contains sensitive values.
 */
export function checkReplay(base: Base, state: ClaimState): asserts state is Exclude<ClaimState, { state: 'other' }> {
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

/** The errors of claims whose transaction has not ended yet. */
const claimErrors = new WeakSet<object>()

/** Claims a key. Returns the outcome already recorded for the key, or undefined if the claim succeeded. */
async function claimKey({ deps, base }: Execution, tx: Ctx['db'], key: Claim): Promise<Outcome | WaitsFor | undefined> {
  const state = await claim(deps, tx, key).catch(error => {
    // A key that another request holds is an answer. Any other error must stay what it is until the transaction has
    // ended, because the store recognizes its own faults.
    if (errorCode(error) === LOCK_TIMEOUT_CODE) throw asClaimError(error)
    claimErrors.add(error)
    throw error
  })
  checkReplay(base, state)
  if (state.state === 'mine') return undefined
  return state.state === 'done' ? { ...state, status: 'replayed' } : state.waitsFor
}

/** Makes the change of a write. Returns its response, or the job on which the response depends. */
export type Run = (tx: Ctx['db']) => Promise<Rendered | WaitsFor>

/**
 * Runs a write that has a key: claims the key, makes the change and stores the response in one transaction. An error
 * rolls back all three. The error is then stored under the key in a separate transaction, which is safe because the
 * error doesn't depend on any other write.
 */
export async function runClaimed(execution: Execution, key: Claim, run: Run): Promise<Outcome | WaitsFor> {
  try {
    return await claimAndRun(execution, key, run)
  } catch (error) {
    throw claimErrors.has(error as object) ? asClaimError(error) : error
  }
}

async function claimAndRun(execution: Execution, key: Claim, run: Run): Promise<Outcome | WaitsFor> {
  const { deps, base, route } = execution
  const effect: { failed: boolean; error?: unknown } = { failed: false }
  try {
    return await deps.store.write(async tx => {
      effect.failed = false
      const earlier = await claimKey(execution, tx, key)
      if (earlier) return earlier
      const result = await run(tx).catch(error => {
        // mutant: fault-undoes-effect (remove)
        Object.assign(effect, { failed: true, error })
        throw error
      })
      if ('job' in result) {
        await postpone(tx, key, result)
        return result
      }
      await keepClaimed(deps, tx, key, result)
      return { rendered: result, status: 'stored' as const }
    })
  } catch (error) {
    if (!effect.failed || effect.error !== error || isPassing(error)) throw error
  }
  const rendered = renderRequestError(deps, base, route, effect.error)
  return deps.store.write(async tx => {
    const earlier = await claimKey(execution, tx, key)
    if (earlier) return earlier
    await keepClaimed(deps, tx, key, rendered)
    return { rendered, status: 'stored' as const }
  })
}
