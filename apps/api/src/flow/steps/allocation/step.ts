import {
  type Allocations,
  problemsOf,
  type Suggestion,
  shortfall,
  suggestAllocations,
} from '@causeway/contract/allocations'
import { z } from 'zod'
import { parse } from '../../../platform/http/request/body.js'
import { chosenAccounts, type Facts, showAccount, toDebt } from '../../session/facts.js'
import { readAllocations } from '../../session/session.js'
import { allocationErrors } from '../allocation-errors.js'
import { noErrors, saveChange } from '../call.js'
import { defineStep } from '../define-step.js'
import { showAccounts } from '../show-accounts.js'

export const allocation = defineStep({
  name: 'allocation',
  flow: 'balance_transfer',
  show(facts) {
    const terms = facts.config.terms!
    const accounts = chosenAccounts(facts)
    const { selected, earlier, dropped } = facts.progress
    const wanted = new Set([...(selected ?? []).filter(id => dropped[id]), ...(earlier ?? [])])
    const gone = facts.accounts.filter(found => wanted.has(found.row.id) && !accounts.includes(found))
    return {
      terms,
      accounts: showAccounts(facts, accounts),
      dropped: gone.map(found => {
        const view = showAccount(facts, found)
        return view.reason === null ? { ...view, status: 'ineligible', reason: 'skipped' } : view
      }),
      allocations: currentAllocations(facts),
      suggestion: suggested(facts),
      strategy: strategyOf(facts),
      loan_apr: terms.loan_apr ?? null,
      shortfall: shortfall(accounts.map(toDebt), terms),
    }
  },
  async take(call, input) {
    const accounts = chosenAccounts(call.facts).map(toDebt)
    const amounts = parse(
      z.record(z.string().max(64), z.number()),
      input['allocations'] ?? {},
      'allocations',
    ) as Allocations
    const problems = problemsOf(amounts, accounts, call.facts.config.terms!)
    if (problems.length > 0) return allocationErrors(problems)
    await saveChange(call, () => ({ draft: amounts, reviewing: true }))
    return noErrors
  },
  back: {
    offered: () => true,
    async take(call) {
      await saveChange(call, () => ({ choosing: true, reviewing: false }))
      return noErrors
    },
  },
})

const strategyOf = ({ config }: Facts): Suggestion => config.terms?.suggestion ?? 'highest_rate'

const suggested = (facts: Facts): Allocations =>
  suggestAllocations(chosenAccounts(facts).map(toDebt), facts.config.terms!, strategyOf(facts))

/** Returns the initial amounts of the allocation step. */
function currentAllocations(facts: Facts): Allocations {
  const accounts = chosenAccounts(facts).map(toDebt)
  const draft = facts.progress.draft ?? (facts.session.completed_at === null ? null : readAllocations(facts.session))
  const start = draft ?? suggested(facts)
  return Object.fromEntries(accounts.map(account => [account.id, start[account.id] ?? 0]))
}
