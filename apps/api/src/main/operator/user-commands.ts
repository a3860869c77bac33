/** The operator commands for the users of the console. */
import { emailText } from '@causeway/contract/text'
import { listAllUsers } from '../../console/operator-store.js'
import { type Role, roles } from '../../console/roles.js'
import {
  changeUser,
  type Invitation,
  invitationLink,
  inviteUser,
  recoverUser,
  rightsOf,
} from '../../console/users/manage.js'
import { emailOf, findUserByEmail } from '../../console/users/store.js'
import { changesBetween } from '../../platform/audit/changes.js'
import { recordOperatorAction } from '../../platform/audit/store.js'
import { createVault } from '../../platform/crypto/vault.js'
import type { Store } from '../../platform/db/types.js'
import { showTime } from '../../platform/show.js'
import { readTeam } from '../../team/teams/store.js'
import type { Config } from '../config.js'
import { requireConsoleOrigin } from './console-commands.js'
import { OperatorError, requireOnlyTeam, requireTeam } from './operator-team.js'

interface Arguments {
  email: string
  team: string | undefined
  role: Role | undefined
  isOperator: boolean
}

/** Reads `EMAIL [--team TEAM] [--role ROLE] [--operator]`. Throws OperatorError. */
function readArguments(args: readonly string[]): Arguments {
  const options: Record<string, string> = {}
  const rest: string[] = []
  let isOperator = false
  for (let at = 0; at < args.length; at++) {
    const option = /^--(team|role)$/.exec(args[at]!)?.[1]
    if (args[at] === '--operator') isOperator = true
    else if (option === undefined) rest.push(args[at]!)
    else if (option in options) throw new OperatorError(`--${option} can be set only once.`)
    else options[option] = args[++at] ?? ''
  }
  const [email = '', unexpected] = rest
  if (unexpected !== undefined) throw new OperatorError(`Unknown argument: ${unexpected}`)
  if (!emailText('').safeParse(email).success)
    throw new OperatorError('EMAIL must be an email address, such as ana@example.com.')
  const role = roles.find(each => each === options['role'])
  if (options['role'] !== undefined && role === undefined)
    throw new OperatorError(`--role must be one of: ${roles.join(', ')}.`)
  return { email, team: options['team'], role, isOperator }
}

/**
 * Invites a user. If the team already has a user with the email, creates a new invitation, with which the user replaces
 * their passkeys.
 */
async function invite(store: Store, config: Config, now: number, args: readonly string[]) {
  const { email, team: id, role, isOperator } = readArguments(args)
  const origin = requireConsoleOrigin(config)
  const team = await (id === undefined ? requireOnlyTeam(store) : requireTeam(store, id))
  const vault = createVault(config.masterKey)
  return store.write(async tx => {
    const existing = await findUserByEmail(tx, vault, team.id, email)
    let invitation: Invitation
    if (existing) {
      if (role !== undefined || isOperator)
        throw new OperatorError(
          'This team already has a user with this email. Omit --role and --operator to replace the passkeys, or ask an admin to change the role.',
        )
      const recovered = (await recoverUser(tx, team.id, existing.id, now))!
      await recordOperatorAction(tx, now, 'console.user_recover', team.id, existing.id, null, {
        changes: changesBetween(rightsOf(existing), rightsOf(recovered.user)),
      })
      for (const session of recovered.ended) await recordOperatorAction(tx, now, 'console.end', team.id, session)
      invitation = recovered
    } else {
      if (role === undefined && !isOperator) throw new OperatorError(`Add --role: ${roles.join(', ')}.`)
      if (isOperator && role !== undefined && role !== 'admin')
        throw new OperatorError('An operator has the admin role. Omit --role.')
      const newUser = { email, name: null, role: role ?? ('admin' as const), isOperator, invitedBy: 'operator' }
      invitation = await inviteUser(tx, vault, team, newUser, now)
      await recordOperatorAction(tx, now, 'console.user_invite', team.id, invitation.user.id, null, {
        changes: changesBetween({}, rightsOf(invitation.user)),
      })
    }
    const { user, secret, expiresAt } = invitation
    return {
      team_id: team.id,
      user_id: user.id,
      role: user.role,
      operator: user.is_operator === 1,
      link: invitationLink(origin, secret),
      expires_at: showTime(expiresAt),
    }
  })
}

/** Lists the users of all teams. */
async function list(store: Store, config: Config) {
  const vault = createVault(config.masterKey)
  const teams = await store.reader.selectFrom('teams').selectAll().execute()
  const teamsById = new Map(teams.map(row => [row.id, readTeam(row)]))
  return {
    users: (await listAllUsers(store.reader)).map(row => ({
      id: row.id,
      team_id: row.team_id,
      email: emailOf(vault, teamsById.get(row.team_id)!, row),
      name: row.name,
      role: row.role,
      operator: row.is_operator === 1,
      status: row.status,
      signed_in_at: row.signed_in_at === null ? null : showTime(row.signed_in_at),
    })),
  }
}

/** Disables a user and ends the user's sessions. */
async function disable(store: Store, _config: Config, now: number, [id = '', ...rest]: readonly string[]) {
  const row = rest.length === 0 ? (await listAllUsers(store.reader)).find(user => user.id === id) : undefined
  if (!row) throw new OperatorError('USER must be the id of one user. List them with: pnpm admin console users')
  return store.write(async tx => {
    const { user, ended } = await changeUser(tx, row, { status: 'disabled' }, now)
    await recordOperatorAction(tx, now, 'console.user_change', row.team_id, row.id, null, {
      changes: changesBetween(rightsOf(row), rightsOf(user)),
    })
    for (const session of ended) await recordOperatorAction(tx, now, 'console.end', row.team_id, session)
    return { team_id: user.team_id, user_id: user.id, status: user.status, ended }
  })
}

export const userCommands: Readonly<
  Record<string, (store: Store, config: Config, now: number, args: readonly string[]) => Promise<unknown>>
> = { invite, users: list, disable }
