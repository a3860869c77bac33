import { shortfall } from '@causeway/contract/allocations'
import { z } from 'zod'
import { isShared } from '../../../people/holders/account.js'
import { lockAccount } from '../../../people/holders/store.js'
import { hidePending, shareAccounts } from '../../../people/lifecycle/new-account.js'
import { parse } from '../../../platform/http/request/body.js'
import type { Scope } from '../../../platform/scope.js'
import { showTime } from '../../../platform/show.js'
import { asksForFutureAccounts, choosesSharing, eligibleAccounts, type Facts, toDebt } from '../../session/facts.js'
import type { Progress } from '../../session/session.js'
import { type Call, changeProgress, inTransaction, noErrors, recordCallEvents, stepErrors } from '../call.js'
import { defineStep } from '../define-step.js'
import { backToLink } from '../institutions.js'
import { showAccounts } from '../show-accounts.js'

export const selection = defineStep({
  name: 'selection',
  flow: 'connect',
  show(facts, scope) {
    const { config } = facts
    return {
      kind: config.kind,
      sharing: config.sharing,
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
  back: backToLink,
})

/**
 * Stores the chosen accounts, shares them, and hides the others.
 * @param more the rest of the choice, which the session's progress also stores
 */
export const chooseAccounts = (
  call: Call,
  ids: readonly string[],
  more: Partial<Pick<Progress, 'future' | 'earlier'>> = {},
): Promise<void> =>
  inTransaction(call, async tx => {
    const shared = await shareAccounts(tx, call.facts.entity, ids)
    const hidden = await hideOthers(tx, call.facts, new Set(ids))
    if (call.held && shared + hidden > 0) call.held.isStale = true
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

/**
 * Hides the accounts that the person did not choose. An account that was shared before is hidden only if the person
 * could have kept it, and only if no payment that involves it is in progress.
 * @returns the number of accounts that the team could see before
 */
async function hideOthers(tx: Scope, facts: Facts, chosen: ReadonlySet<string>): Promise<number> {
  if (facts.config.sharing === 'all') return 0
  const others = facts.accounts.map(({ row }) => row).filter(({ id }) => !chosen.has(id))
  const pending = others.filter(row => !isShared(row) && row.hidden_at === null)
  await hidePending(
    tx,
    pending.map(({ id }) => id),
  )
  if (!choosesSharing(facts)) return pending.length
  const offered = new Set(eligibleAccounts(facts).map(({ row }) => row.id))
  const left = others.filter(row => isShared(row) && offered.has(row.id))
  for (const { id } of left) {
    const row = await lockAccount(tx, id)
    if (row && !(await tx.deps.ownData.isInPayment(tx, id))) await tx.deps.ownData.hideAccount(tx, row)
  }
  return pending.length + left.length
}

const sameOnes = (ids: readonly string[], before: readonly string[] | null) =>
  ids.length === before?.length && ids.every(id => before.includes(id))
