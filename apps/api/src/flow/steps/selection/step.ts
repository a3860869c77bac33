import { shortfall } from '@causeway/contract/allocations'
import { z } from 'zod'
import { approveAccounts } from '../../../people/lifecycle/new-account.js'
import { parse } from '../../../platform/http/request/body.js'
import { showTime } from '../../../platform/show.js'
import { asksForFutureAccounts, eligibleAccounts, toDebt } from '../../session/facts.js'
import type { Progress } from '../../session/session.js'
import { type Call, changeProgress, inTransaction, noErrors, recordCallEvents, stepErrors } from '../call.js'
import { defineStep } from '../define-step.js'
import { showAccounts } from '../show-accounts.js'

export const selection = defineStep({
  name: 'selection',
  flow: 'connect',
  show(facts, scope) {
    const { config } = facts
    return {
      kind: config.kind,
      accounts: showAccounts(facts, facts.accounts),
      terms: config.terms,
      checked_at:
        facts.accounts
          .map(found => found.asOf ?? '')
          .sort()
          .at(-1) || showTime(scope.now),
      future_accounts: asksForFutureAccounts(facts) ? facts.progress.future : null,
      shortfall: config.terms ? shortfall(eligibleAccounts(facts).map(toDebt), config.terms) : 0,
    }
  },
  async take(call, input) {
    const { facts } = call
    const open = eligibleAccounts(facts)
    const ids = [...new Set(parse(z.array(z.string().max(64)).max(500), input['accounts'] ?? [], 'accounts'))]
    const future =
      asksForFutureAccounts(facts) && parse(z.boolean(), input['future_accounts'] ?? false, 'future_accounts')
    const chosenIds = facts.config.kind === 'all' ? open.map(found => found.row.id) : ids
    if (chosenIds.length === 0) return stepErrors('accounts', 'none_selected')
    if (facts.config.kind === 'single' && chosenIds.length > 1) return stepErrors('accounts', 'one_only')
    const refused = chosenIds.find(id => !open.some(found => found.row.id === id))
    if (refused !== undefined) return stepErrors('accounts', 'not_eligible')
    await chooseAccounts(call, chosenIds, { future, earlier: null })
    return noErrors
  },
})

/**
 * Stores the chosen accounts.
 * @param more the rest of the choice, which the session's progress also stores
 */
export const chooseAccounts = (
  call: Call,
  ids: readonly string[],
  more: Partial<Pick<Progress, 'future' | 'earlier'>> = {},
): Promise<void> =>
  inTransaction(call, async tx => {
    const approved = await approveAccounts(tx, ids)
    if (call.held && approved > 0) call.held.isStale = true
    await changeProgress(call, tx, progress => ({
      ...more,
      selected: [...ids],
      choosing: false,
      dropped: Object.fromEntries(Object.entries(progress.dropped).filter(([, why]) => why === 'refused')),
      // Amounts that were entered for a different set of accounts don't apply to this set.
      draft: sameOnes(ids, progress.selected) ? progress.draft : null,
      reviewing: false,
    }))
    await recordCallEvents(call, tx, {
      type: 'connect.accounts.selected',
      data: { entity_id: call.facts.entity.id, accounts: ids },
    })
  })

const sameOnes = (ids: readonly string[], before: readonly string[] | null) =>
  ids.length === before?.length && ids.every(id => before.includes(id))
