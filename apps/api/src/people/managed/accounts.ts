import { OutsideError } from '@causeway/connector/ports/outside-error'
import type { ManagedAccount } from '@causeway/connector/ports/rail'
import { ServiceError } from '@causeway/contract/errors'
import { createPortCall } from '../../network/ports.js'
import type { Ctx } from '../../platform/scope.js'

/** Returns the rail's response. Throws SERVICE_UNAVAILABLE if the rail does not respond. */
export async function callRail<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error
    throw new ServiceError(
      'SERVICE_UNAVAILABLE',
      'The payment rail that holds the accounts did not respond. Retry later.',
    )
  }
}

/** Returns the team's accounts at the rail. */
export async function listManagedAccounts(ctx: Ctx): Promise<ManagedAccount[]> {
  const simulated = await ctx.deps.behaviours.transactions(ctx)
  const call = { ...createPortCall(ctx, ctx.team.id), ...simulated }
  return (await callRail(ctx.deps.ports.rail.managedAccounts(call))).accounts
}

/** Returns one of the team's accounts at the rail. Throws NOT_FOUND if there is none with this id. */
export async function findManagedAccountOrThrow(ctx: Ctx, accountId: string): Promise<ManagedAccount> {
  const account = (await listManagedAccounts(ctx)).find(({ id }) => id === accountId)
  if (!account) throw new ServiceError('NOT_FOUND')
  return account
}
