import {
  type Allocations,
  problemsOf,
  type Suggestion,
  shortfall,
  suggestAllocations,
} from '@causeway/contract/allocations'
import { z } from 'zod'
import { parse } from '../../../platform/http/body.js'
import { chosen, type Facts, payable, showFound } from '../../session/facts.js'
import { readAllocations } from '../../session/session.js'
import { allocationErrors } from '../allocation-errors.js'
import { fine, save } from '../call.js'
import { defineStep } from '../define-step.js'
import { showAccounts } from '../show-accounts.js'

export const allocation = defineStep({
  name: 'allocation',
  flow: 'balance_transfer',
  show(facts) {
    const terms = facts.config.terms!
    const accounts = chosen(facts)
    const gone = facts.accounts.filter(
      found => facts.progress.selected?.includes(found.row.id) && facts.progress.dropped[found.row.id],
    )
    return {
      terms,
      accounts: showAccounts(facts, accounts),
      dropped: gone.map(found => {
        const view = showFound(facts, found)
        return view.reason === null ? { ...view, status: 'ineligible', reason: 'skipped' } : view
      }),
      allocations: currentAllocations(facts),
      suggestion: suggested(facts),
      strategy: strategyOf(facts),
      loan_apr: terms.loan_apr ?? null,
      shortfall: shortfall(accounts.map(payable), terms),
    }
  },
  async take(call, input) {
    const accounts = chosen(call.facts).map(payable)
    const amounts = parse(
      z.record(z.string().max(64), z.number()),
      input['allocations'] ?? {},
      'allocations',
    ) as Allocations
    const found = problemsOf(amounts, accounts, call.facts.config.terms!)
    if (found.length > 0) return allocationErrors(found)
    await save(call, () => ({ draft: amounts, reviewing: true }))
    return fine
  },
  back: {
    offered: () => true,
    async take(call) {
      await save(call, () => ({ choosing: true, reviewing: false }))
      return fine
    },
  },
})

const strategyOf = ({ config }: Facts): Suggestion => config.terms?.suggestion ?? 'highest_rate'

const suggested = (facts: Facts): Allocations =>
  suggestAllocations(chosen(facts).map(payable), facts.config.terms!, strategyOf(facts))

/** Returns the initial amounts of the allocation step. */
function currentAllocations(facts: Facts): Allocations {
  const accounts = chosen(facts).map(payable)
  const kept = facts.progress.draft ?? (facts.session.completed_at === null ? null : readAllocations(facts.session))
  const start = kept ?? suggested(facts)
  return Object.fromEntries(accounts.map(account => [account.id, start[account.id] ?? 0]))
}
