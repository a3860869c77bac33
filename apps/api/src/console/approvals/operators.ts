/** The operators who can approve what an operator asks for. */
import type { Deps } from '../../platform/scope.js'
import type { User } from '../user.js'
import { emailOf, listUsers, type UserRow } from '../users/store.js'
import { personOf } from './people.js'
import { canBeSamePerson } from './person.js'
import { findRecentInviters } from './store.js'

/** Returns the names of the active operators of a user's team who are another person, and whom the user did not invite. */
export async function listOtherOperators(deps: Deps, user: User): Promise<string[]> {
  const { reader } = deps.store
  const asker = personOf(deps, user)
  const canApprove = async (row: UserRow) => {
    const person = { actor: row.id, name: row.name, email: emailOf(deps.vault, user.team, row), isKey: false }
    if (canBeSamePerson(asker, person)) return false
    return !(await findRecentInviters(reader, user.team.id, row.id, deps.clock())).has(asker.actor)
  }
  const operators = (await listUsers(reader, user.team.id)).filter(
    ({ is_operator, status }) => is_operator === 1 && status === 'active',
  )
  const names = await Promise.all(operators.map(async row => ((await canApprove(row)) ? [row.name ?? row.id] : [])))
  return names.flat()
}
