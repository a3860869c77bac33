import { type Allocations, problemsOf } from '@causeway/contract/allocations'
import { simulations } from '@causeway/contract/endpoints/simulate'
import { ServiceError } from '@causeway/contract/errors'
import { formatMoney } from '@causeway/contract/money'
import { confirmAllocations } from '../../flow/engine/finish.js'
import { recordEvents } from '../../flow/session/events.js'
import { chosenAccounts, eligibleAccounts, toDebt, unprovenAccounts } from '../../flow/session/facts.js'
import { loadSession } from '../../flow/session/load-session.js'
import { readProgress } from '../../flow/session/session.js'
import { showOpalSession } from '../../flow/session/show-session.js'
import { lockSession } from '../../flow/session/store.js'
import { shareAccounts } from '../../people/lifecycle/new-account.js'
import { latestConnect } from '../../people/products/connect/product.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { type Route, wrapped } from '../../platform/http/endpoint/route.js'
import { orNotFound } from '../../platform/rows.js'

type Problem = ReturnType<typeof problemsOf>[number]

/** Returns the error that a release would return for this problem. */
function releaseError(problem: Problem): ServiceError {
  const limit = 'limit' in problem ? ` The limit is ${problem.limit} (${formatMoney(problem.limit)}).` : ''
  switch (problem.code) {
    case 'unknown_account':
      return new ServiceError(
        'BT_ACCOUNT_NOT_PAYABLE',
        `${problem.account} must be an account of the entity that can receive payments.`,
      )
    case 'above_maximum':
    case 'below_minimum':
    case 'above_balance':
      return new ServiceError(
        'BT_AMOUNT_OUT_OF_BOUNDS',
        `The allocation of ${problem.account} is ${problem.code.replace('_', ' the ')}.${limit}`,
      )
    case 'exceeds_loan':
      return new ServiceError(
        'BT_ALLOCATIONS_EXCEED_LOAN',
        `The allocations exceed loan_amount by ${problem.over} cents.`,
      )
    case 'residual_too_large':
      return new ServiceError(
        'BT_RESIDUAL_EXCEEDS_MAX',
        `The unallocated amount exceeds residual_amount_max. Allocate ${problem.needed} cents more.`,
      )
    case 'nothing_allocated':
      return new ServiceError('BT_NO_ALLOCATIONS', 'At least one allocation must be above 0.')
    default:
      return new ServiceError('INVALID_REQUEST', 'allocations must map account ids to whole numbers of cents.')
  }
}

/** Confirms a session on the person's behalf, with the same checks as when the person confirms it. */
export const opalSimulations: Route[] = [
  implement(simulations.simulateOpalSession, {
    async handle(ctx, { params, body: { allocations } }) {
      const row = orNotFound(await lockSession(ctx, params.id))
      if (row.mode !== 'balance_transfer') throw new ServiceError('INVALID_MODE_CONFIG')
      if (row.entity_id === null)
        throw new ServiceError(
          'INVALID_STATUS',
          'The session has no entity yet, because its token has not been redeemed. Open the element first.',
        )
      const connect = row.connect_id ?? (await latestConnect(ctx, row.entity_id))
      const selected = Object.keys(allocations)
      const progress = { ...readProgress(row), selected, dropped: {} }
      const facts = await loadSession(ctx, { ...row, connect_id: connect, progress: JSON.stringify(progress) })
      const eligible = new Set(eligibleAccounts(facts).map(found => found.row.id))
      const unproven = new Set(unprovenAccounts(facts).map(found => found.row.id))
      const accounts = chosenAccounts(facts).filter(found => eligible.has(found.row.id) && !unproven.has(found.row.id))
      const [problem] = problemsOf(allocations as Allocations, accounts.map(toDebt), facts.config.terms!)
      if (problem) throw releaseError(problem)
      const updated = await ctx.db
        .updateTable('sessions')
        .set({ connect_id: connect, progress: JSON.stringify(progress) })
        .where('team_id', '=', ctx.team.id)
        .where('id', '=', row.id)
        .returningAll()
        .executeTakeFirstOrThrow()
      await shareAccounts(ctx, facts.entity, selected)
      const confirmed = await confirmAllocations(ctx, updated, facts, allocations as Allocations)
      await recordEvents(ctx, confirmed.row, 'simulate', confirmed.events)
      return wrapped(showOpalSession(confirmed.row))
    },
  }),
]
