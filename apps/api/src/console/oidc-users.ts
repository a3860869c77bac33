/** Finds, creates and updates the user of a person whom the OpenID provider signed in. */
import { ServiceError } from '@causeway/contract/errors'
import { nameFaultOf } from '@causeway/contract/values/name'
import { changesBetween } from '../platform/audit/changes.js'
import { OPERATOR } from '../platform/audit/operator.js'
import { audit } from '../platform/audit/store.js'
import { type Deps, type Scope, transact } from '../platform/scope.js'
import type { Team } from '../platform/team.js'
import { findOnlyTeam } from '../team/teams/store.js'
import { findIdentityUser, insertIdentity } from './users/credentials.js'
import { rightsOf } from './users/manage.js'
import type { GroupRole, OidcPerson, OidcSettings } from './users/oidc.js'
import {
  findInvitation,
  findUserByEmail,
  insertUser,
  redeemInvitation,
  type UserRow,
  updateUser,
} from './users/store.js'

const forbidden = (message: string) => new ServiceError('FORBIDDEN', message)

const groupError = ({ name }: OidcSettings) =>
  forbidden(
    `None of your groups at ${name} has a role in this console. Ask the administrator of ${name} to add you to one, then sign in again.`,
  )

/** Returns the role that a person's groups give in a team. Pure. @param team null for any team */
const groupRoleOf = (
  { groupRoles }: OidcSettings,
  groups: readonly string[],
  team: string | null,
): GroupRole | undefined =>
  groupRoles.find(each => groups.includes(each.group) && (each.team === null || team === null || each.team === team))

/** Gives a user the role of the person's groups. Throws FORBIDDEN if the groups have none. */
export async function applyGroups(
  scope: Scope,
  settings: OidcSettings,
  user: UserRow,
  groups: readonly string[],
): Promise<UserRow> {
  if (settings.groupRoles.length === 0) return user
  const rule = groupRoleOf(settings, groups, user.team_id)
  // mutant: oidc-group-is-required (remove)
  if (!rule) throw groupError(settings)
  const { role } = rule
  const is_operator = rule.isOperator ? (1 as const) : (0 as const)
  if (user.role === role && user.is_operator === is_operator) return user
  await updateUser(scope.db, user, { role, is_operator }, scope.deps.clock())
  const changed = { ...user, role, is_operator }
  await audit(scope, 'oidc', 'console.user_change', user.id, {
    changes: changesBetween(rightsOf(user), rightsOf(changed)),
  })
  return changed
}

/** Returns the user of a person, whom an invitation or a group may create. Throws FORBIDDEN or UNAUTHORIZED. */
export async function admitPerson(
  deps: Deps,
  settings: OidcSettings,
  person: OidcPerson,
  invitationHash: string | null,
): Promise<{ team: Team; user: UserRow }> {
  const { reader } = deps.store
  const owner = await findIdentityUser(reader, settings.issuer, person.subject)
  const invited = invitationHash === null ? undefined : await findInvitation(reader, invitationHash, deps.clock())
  if (invitationHash !== null && !invited)
    throw new ServiceError(
      'UNAUTHORIZED',
      'This invitation was already used, replaced or has expired. Ask an admin for a new one.',
    )
  if (owner && invited && owner.id !== invited.id)
    throw forbidden(`This account at ${settings.name} already belongs to another user. Sign in without the invitation.`)
  const existing = owner ?? invited
  const rule = groupRoleOf(settings, person.groups, existing?.team_id ?? null)
  if (!existing && settings.groupRoles.length === 0)
    throw forbidden(
      `No user of this console belongs to your account at ${settings.name}. Ask an admin for an invitation, and open its link.`,
    )
  if (!existing && !rule) throw groupError(settings)
  const team = existing ? await deps.teamOf(existing.team_id) : await teamOfRule(deps, rule!)
  if (!team) throw forbidden('The team of your group does not exist. Ask an operator to correct CONSOLE_OIDC_ROLES.')
  return transact(deps, team, async scope => {
    const now = deps.clock()
    let user =
      owner ?? (invited ? await acceptWithAccount(scope, invited) : await provision(scope, settings, person, rule!))
    if (user.status === 'disabled') throw forbidden('Your user was disabled. Ask an admin to enable it.')
    if (!owner) {
      await insertIdentity(scope.db, user, settings.issuer, person.subject, now)
      await audit(scope, user.id, 'console.identity_add', user.id)
    }
    user = await applyGroups(scope, settings, user, person.groups)
    const name = user.name ?? readProviderName(person) ?? user.id
    await updateUser(scope.db, user, { name, status: 'active', signed_in_at: now }, now)
    return { team, user: { ...user, name, status: 'active' } }
  })
}

/** Returns a person's name, or null if the provider sent none. An email is personal data, so the audit log has none. */
const readProviderName = ({ name }: OidcPerson): string | null =>
  name !== null && !name.includes('@') && nameFaultOf(name) === undefined ? name : null

const teamOfRule = async (deps: Deps, { team }: GroupRole): Promise<Team | undefined> =>
  team === null ? findOnlyTeam(deps.store.reader) : team === OPERATOR ? undefined : deps.teamOf(team)

/** Redeems an invitation for a person who signs in with the provider. Throws UNAUTHORIZED. */
async function acceptWithAccount(scope: Scope, invited: UserRow & { invitation_hash: string }): Promise<UserRow> {
  const { invitation_hash, ...user } = invited
  if ((await redeemInvitation(scope.db, user.team_id, invitation_hash, scope.deps.clock())) !== user.id)
    throw new ServiceError('UNAUTHORIZED', 'This invitation was already used. Ask an admin for a new one.')
  await audit(scope, user.id, 'console.invitation_accept', user.id)
  return user
}

/** Creates the user of a person whose group has a role, or finds the one with the person's verified email. */
async function provision(scope: Scope, settings: OidcSettings, person: OidcPerson, rule: GroupRole): Promise<UserRow> {
  const { deps, db, team } = scope
  if (person.email === null)
    throw forbidden(
      `${settings.name} did not send your email. Ask its administrator to share the email claim with this console.`,
    )
  const existing = await findUserByEmail(db, deps.vault, team.id, person.email)
  // mutant: oidc-links-verified-email-only (drop 2)
  if (existing && !person.isEmailVerified)
    throw forbidden(
      `This team already has a user with your email, and ${settings.name} did not verify it. Ask an admin for a new invitation, and open its link.`,
    )
  if (existing) return existing
  const newUser = {
    email: person.email,
    name: readProviderName(person),
    role: rule.role,
    isOperator: rule.isOperator,
    invitedBy: 'oidc',
  }
  const created = await insertUser(db, deps.vault, team, newUser, deps.clock())
  if (!created) throw forbidden('Another sign-in with your email is in progress. Sign in again.')
  await audit(scope, 'oidc', 'console.user_invite', created.id, { changes: changesBetween({}, rightsOf(created)) })
  return created
}
