import { MAX_SIMULATED_TRANSACTIONS } from '@causeway/contract/endpoints/managed-accounts'
import { simulations } from '@causeway/contract/endpoints/simulate'
import { ServiceError } from '@causeway/contract/errors'
import { findManagedAccountOrThrow } from '../../people/managed/accounts.js'
import { createId } from '../../platform/crypto/random.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { one, type Route } from '../../platform/http/endpoint/route.js'
import { showTime } from '../../platform/show.js'
import { describeSimulated } from '../managed-accounts.js'

/** Transactions of managed accounts that the sandbox can simulate. */
export const managedAccountSimulations: Route[] = [
  implement(simulations.simulateManagedAccountTransaction, {
    prepare: (ctx, { params }) => findManagedAccountOrThrow(ctx, params.macc_id),
    async handle(ctx, { body, prepared: account }) {
      const { simulated = [] } = await ctx.deps.behaviours.transactions(ctx)
      if (simulated.length >= MAX_SIMULATED_TRANSACTIONS)
        throw new ServiceError(
          'INVALID_REQUEST',
          `A team can simulate at most ${MAX_SIMULATED_TRANSACTIONS} transactions of managed accounts.`,
        )
      const amount = body.type === 'deposit' ? body.amount : -body.amount
      const id = createId('managed_account_transaction', ctx.now)
      await ctx.db
        .insertInto('simulated_transactions')
        .values({ team_id: ctx.team.id, id, amount, created_at: ctx.now })
        .execute()
      const date = showTime(ctx.now).slice(0, 10)
      return one({ id, managed_account_id: account.id, description: describeSimulated(amount), date, amount })
    },
  }),
]
