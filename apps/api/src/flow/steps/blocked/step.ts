import { feasibleLoan, minimumTotal, shortfall } from '@causeway/contract/allocations'
import { ServiceError } from '@causeway/contract/errors'
import { showTime } from '../../../platform/show.js'
import { eligibleAccounts, type Facts, position, type StepPosition, toDebt } from '../../session/facts.js'
import { emitUpdate, updateProgress } from '../../session/update-session.js'
import {
  type Call,
  changeProgress,
  inTransaction,
  noErrors,
  recordCallEvents,
  type StepResult,
  saveChange,
} from '../call.js'
import { canEnterCard } from '../card/enter-card.js'
import { defineStep } from '../define-step.js'

type Blocked = Extract<StepPosition, { step: 'blocked' }>

export const blocked = defineStep({
  name: 'blocked',
  flow: null,
  place: 'aside',
  async show(facts, scope, at) {
    const { reason, retry, retryAt } = at as Blocked
    const terms = reason === 'infeasible_terms' ? facts.config.terms : null
    const debts = eligibleAccounts(facts).map(toDebt)
    return {
      reason,
      retry_at: retryAt === undefined ? null : showTime(retryAt),
      can_retry: retry,
      shortfall: terms ? shortfall(debts, terms) : 0,
      least: terms ? minimumTotal(terms) : 0,
      feasible: terms ? feasibleLoan(debts, terms) : 0,
      requested: facts.progress.requested_loan,
      bureau: reason === 'credit_freeze' ? (scope.deps.ports.network.bureau() ?? null) : null,
      can_add_card: reason === 'no_accounts' && (await canEnterCard(scope, facts)),
    }
  },
  async take(call, input) {
    if (input['action'] === 'request_loan') return requestLoan(call)
    const { facts, scope } = call
    if (input['action'] === 'add_card') {
      const isOffered = facts.accounts.length === 0 && (await canEnterCard(scope, facts))
      if (!isOffered)
        throw new ServiceError('INVALID_REQUEST', 'input.action can be add_card only if can_add_card is true.')
      await saveChange(call, () => ({ entering: true }))
      return noErrors
    }
    // The accounts of another institution are found in a new search.
    const isLinking = facts.link !== null && facts.connect?.status === 'completed'
    await inTransaction(call, tx =>
      changeProgress(
        call,
        tx,
        () => ({
          unavailable: false,
          ...(isLinking ? { linked: false } : {}),
          ...(facts.identitySession?.status === 'failed' ? { identity_session: null } : {}),
        }),
        facts.connect?.status === 'failed' || isLinking ? { connect_id: null } : {},
      ),
    )
    return noErrors
  },
})

/** Returns the largest loan that the person's accounts can take; 0 if the flow can continue or no loan fits. */
function smallerLoan(facts: Facts): number {
  const at = position(facts) as Partial<Blocked>
  return at.reason === 'infeasible_terms' ? feasibleLoan(eligibleAccounts(facts).map(toDebt), facts.config.terms!) : 0
}

/**
 * Notifies the customer that the person asks for the largest loan that their accounts can take. Asking again for the
 * same loan does nothing. Throws if there is no such loan.
 */
async function requestLoan(call: Call): Promise<StepResult> {
  const loan_amount = smallerLoan(call.facts)
  if (loan_amount === 0)
    throw new ServiceError('INVALID_REQUEST', 'A smaller loan can be requested only if the accounts can take one.')
  const held = call.held!
  const { tx, row } = held
  if (call.facts.progress.requested_loan === loan_amount) return noErrors
  const after = await updateProgress(tx, row, { requested_loan: loan_amount })
  held.row = held.stored = after
  await emitUpdate(tx, after, row)
  const data = { session_id: row.id, entity_id: row.entity_id, loan_amount }
  await recordCallEvents(call, tx, { type: 'balance_transfer.loan.requested', data })
  return noErrors
}
