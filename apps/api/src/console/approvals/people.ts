/** Who may decide about a request. */
import type { Db } from '../../platform/db/types.js'
import type { Deps } from '../../platform/scope.js'
import { actorOf, type User } from '../user.js'
import { emailOf } from '../users/store.js'
import { type Action, actions } from './actions.js'
import { canBeSamePerson, type Person, type Refusal } from './person.js'
import { type ApprovalRow, type Content, findRecentInviters } from './store.js'

export const actionOf = ({ action }: Pick<ApprovalRow, 'action'>): Action =>
  actions.find(({ name }) => name === action)!

/** Returns what tells a user apart. */
export const personOf = ({ vault }: Pick<Deps, 'vault'>, { account, session, team }: User): Person => ({
  actor: actorOf(session),
  name: account?.name ?? session.name,
  email: account && emailOf(vault, team, account),
  isKey: session.key_id !== null,
})

/** Returns a function that says why a user can't decide about a request; null if the user can. */
export async function refusalsOf(
  deps: Deps,
  db: Db,
  user: User,
): Promise<(action: Action, asker: Content['asker']) => Refusal | null> {
  const person = personOf(deps, user)
  const inviters = user.account
    ? await findRecentInviters(db, user.team.id, user.account.id, deps.clock())
    : new Set<string>()
  return ({ permission }, asker) => {
    // mutant: approver-is-another-person (false)
    if (canBeSamePerson(asker, person)) return 'asked_it'
    // mutant: approver-has-permission (false)
    if (!user.permissions.has(permission)) return 'no_permission'
    // mutant: approver-has-a-name (false)
    if (!user.account) return 'no_name'
    // mutant: approver-not-invited-by-asker (false)
    return inviters.has(asker.actor) ? 'invited_by_asker' : null
  }
}
