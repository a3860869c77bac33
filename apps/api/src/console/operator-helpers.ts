/** Helpers of the endpoints for operators. */
import { ServiceError } from '@causeway/contract/errors'
import type { Operator } from '../platform/audit/store.js'
import type { Deps } from '../platform/scope.js'
import type { Team } from '../platform/team.js'
import type { User } from './user.js'

export const operatorOf = ({ session }: User, { requestId, consoleUser }: Deps): Operator => ({
  actor: session.id,
  requestId,
  consoleUser,
})

export const notFoundError = (what: string, id: string) => new ServiceError('NOT_FOUND', `No ${what} has the id ${id}.`)

export async function requireTeam(deps: Deps, id: string): Promise<Team> {
  const team = await deps.teamOf(id)
  if (!team) throw notFoundError('team', id)
  return team
}

/** Throws FORBIDDEN unless the user is an operator. */
export function requireOperator({ permissions }: Pick<User, 'permissions'>): void {
  if (!permissions.has('operate'))
    throw new ServiceError(
      'FORBIDDEN',
      'Only operators can do this. Invite one with: pnpm admin console invite EMAIL --operator',
    )
}
