import { minimumTotal, shortfall } from '@causeway/contract/allocations'
import { showTime } from '../../../platform/show.js'
import { eligibleAccounts, type StepPosition, toDebt } from '../../session/facts.js'
import { changeProgress, inTransaction, noErrors } from '../call.js'
import { defineStep } from '../define-step.js'

export const blocked = defineStep({
  name: 'blocked',
  flow: null,
  place: 'aside',
  show(facts, scope, at) {
    const { reason, retry, retryAt } = at as Extract<StepPosition, { step: 'blocked' }>
    const terms = reason === 'infeasible_terms' ? facts.config.terms : null
    return {
      reason,
      retry_at: retryAt === undefined ? null : showTime(retryAt),
      can_retry: retry,
      shortfall: terms ? shortfall(eligibleAccounts(facts).map(toDebt), terms) : 0,
      least: terms ? minimumTotal(terms) : 0,
      bureau: reason === 'credit_freeze' ? (scope.deps.ports.network.bureau() ?? null) : null,
    }
  },
  async take(call) {
    await inTransaction(call, tx =>
      changeProgress(
        call,
        tx,
        () => ({
          unavailable: false,
          ...(call.facts.identitySession?.status === 'failed' ? { identity_session: null } : {}),
        }),
        call.facts.connect?.status === 'failed' ? { connect_id: null } : {},
      ),
    )
    return noErrors
  },
})
