import { ServiceError } from '@causeway/contract/errors'
import type { Ctx } from '../../scope.js'
import type { Ready } from '../endpoint/route.js'
import { renderError } from '../response/render.js'
import { checkReplay } from './claimed-write.js'
import { contextOf, type Execution, isPassing, type Outcome, renderRequestError, show } from './execution.js'
import { asClaimError, type Claim, find, keep, type WaitsFor } from './idempotency.js'

/** The maximum time that a repeated request waits for the original request's response, in ms. */
export const REPEAT_TIMEOUT_MS = 5_000

/** If the stored response has been deleted, rebuilds it from the resource that was created with the key. */
async function rebuild({ deps, base, route }: Execution): Promise<Outcome | undefined> {
  const ctx = contextOf(deps, base, deps.store.reader)
  try {
    const earlier = await route.earlier?.(ctx)
    if (!earlier) return undefined
    return { rendered: await show(ctx, earlier.answer), status: 'replayed', mismatch: earlier.mismatch }
  } catch (error) {
    return { rendered: renderRequestError(deps, base, route, error), status: 'bypassed' }
  }
}

/** Returns the response to the request that first used the key, or undefined if this request is the first. */
export async function findEarlier(execution: Execution, key: Claim): Promise<Outcome | undefined> {
  const { deps, base } = execution
  // Both reads start together, because they can then share a packet to PostgreSQL.
  const [state, rebuilt] = await Promise.all([
    find(deps, deps.store.reader, key).catch(error => {
      throw asClaimError(error)
    }),
    rebuild(execution),
  ])
  if (state) checkReplay(base, state)
  if (state?.state === 'done') return { ...state, status: 'replayed' }
  if (state?.state === 'waiting') return settle(execution, state.waitsFor, REPEAT_TIMEOUT_MS)
  return rebuilt
}

/**
 * Waits for a response's job, then renders and stores the response. If several requests wait for one job, the first to
 * finish stores the response.
 * @param timeout the maximum wait, in ms
 */
export async function settle(execution: Execution, waits: WaitsFor, timeout: number): Promise<Outcome> {
  const { deps, base, turn, claim, resume } = execution
  await turn.releaseWhile(() => deps.jobs.settle(base.team.id, waits.job, timeout))
  const shape = async (db: Ctx['db']) => {
    const ctx = contextOf(deps, base, db)
    try {
      return await show(ctx, (await resume[waits.kind]!(ctx, waits.id)) as Ready)
    } catch (error) {
      if (error instanceof ServiceError && !isPassing(error)) return renderError(error)
      throw error
    }
  }
  if (!claim) return { rendered: await shape(deps.store.reader), status: 'bypassed' }
  return deps.store.write(async tx => {
    const rendered = await shape(tx)
    if (await keep(deps, tx, claim, rendered)) return { rendered, status: 'stored' }
    const state = await find(deps, tx, claim)
    return state?.state === 'done' ? { ...state, status: 'replayed' } : { rendered, status: 'stored' }
  })
}
