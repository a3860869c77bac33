/** Endpoints with which admins manage the users of their team. */
import { consoleUsers as declared } from '@causeway/contract/endpoints/console-users'
import { ServiceError } from '@causeway/contract/errors'
import { changesBetween } from '../../platform/audit/changes.js'
import { audit } from '../../platform/audit/store.js'
import { type Scope, transact } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import { type ConsoleRequest, type ConsoleRoute, implementForConsole } from '../console-endpoints.js'
import type { Role } from '../roles.js'
import { listSessions } from '../store.js'
import { actorOf } from '../user.js'
import { changeUser, type Invitation, invitationLink, inviteUser, recoverUser, rightsOf } from './manage.js'
import { emailOf, listUsers, lockUser, type UserRow } from './store.js'

const forbidden = (message: string) => new ServiceError('FORBIDDEN', message)

function show({ deps, user }: ConsoleRequest, row: UserRow, sessions: number) {
  return {
    id: row.id,
    email: emailOf(deps.vault, user.team, row),
    name: row.name,
    role: row.role as Role,
    operator: row.is_operator === 1,
    status: row.status,
    current: row.id === user.account?.id,
    sessions,
    signed_in_at: row.signed_in_at === null ? null : showTime(row.signed_in_at),
    created_at: showTime(row.created_at),
  }
}

const showInvited = (request: ConsoleRequest, { user, secret, expiresAt }: Invitation) => ({
  user: show(request, user, 0),
  invitation: { link: invitationLink(request.options.origin, secret), expires_at: showTime(expiresAt) },
})

/** Locks the user that a request changes. Throws NOT_FOUND or FORBIDDEN. */
async function lockOther({ db }: Scope, { user }: ConsoleRequest, id: string): Promise<UserRow> {
  const row = await lockUser(db, user.team.id, id)
  if (!row) throw new ServiceError('NOT_FOUND', `No user of this team has the id ${id}.`)
  if (row.id === user.account?.id)
    throw forbidden(
      "You can't change your own role, status or invitation. Ask another admin, or use pnpm admin console.",
    )
  // mutant: admin-changes-no-operator (false)
  if (row.is_operator === 1 && !user.operator) throw forbidden('Only an operator can change the user of an operator.')
  return row
}

async function auditEnded(scope: Scope, actor: string, ended: readonly string[]): Promise<void> {
  for (const session of ended) await audit(scope, actor, 'console.end', session)
}

/** For every role, because lists show users by name. */
const namesRoute: ConsoleRoute = implementForConsole(declared.listConsoleUserNames, async ({ deps, user }) => ({
  data: (await listUsers(deps.store.reader, user.team.id)).flatMap(({ id, name }) =>
    name === null ? [] : [{ id, name }],
  ),
}))

const adminRoutes: ConsoleRoute[] = (
  [
    implementForConsole(declared.listConsoleUsers, async request => {
      const { deps, user } = request
      const [rows, sessions] = await Promise.all([
        listUsers(deps.store.reader, user.team.id),
        listSessions(deps.store.reader, user.team.id, deps.clock()),
      ])
      return {
        data: rows.map(row => show(request, row, sessions.filter(({ user_id }) => user_id === row.id).length)),
      }
    }),
    implementForConsole(declared.inviteConsoleUser, async (request, { email, role, operator = false }) => {
      const { deps, user } = request
      // mutant: admin-invites-no-operator (false)
      if (operator && !user.operator) throw forbidden('Only an operator can invite an operator.')
      return transact(deps, user.team, async scope => {
        const invitedBy = actorOf(user.session)
        const newUser = { email, name: null, role, isOperator: operator, invitedBy }
        const invitation = await inviteUser(scope.db, deps.vault, user.team, newUser, deps.clock())
        await audit(scope, invitedBy, 'console.user_invite', invitation.user.id, {
          changes: changesBetween({}, rightsOf(invitation.user)),
        })
        return showInvited(request, invitation)
      })
    }),
    implementForConsole(declared.updateConsoleUser, async (request, change) => {
      const { deps, user, params } = request
      return transact(deps, user.team, async scope => {
        const row = await lockOther(scope, request, params.cusr_id)
        if (row.is_operator === 1 && change.role !== undefined && change.role !== 'admin')
          throw new ServiceError('INVALID_REQUEST', 'An operator must have the admin role.')
        const { user: changed, ended } = await changeUser(scope.db, row, change, deps.clock())
        await audit(scope, actorOf(user.session), 'console.user_change', row.id, {
          changes: changesBetween(rightsOf(row), rightsOf(changed)),
        })
        await auditEnded(scope, actorOf(user.session), ended)
        const sessions = await listSessions(scope.db, user.team.id, deps.clock())
        return { user: show(request, changed, sessions.filter(({ user_id }) => user_id === row.id).length) }
      })
    }),
    implementForConsole(declared.reinviteConsoleUser, async request => {
      const { deps, user, params } = request
      return transact(deps, user.team, async scope => {
        const row = await lockOther(scope, request, params.cusr_id)
        const recovered = (await recoverUser(scope.db, user.team.id, row.id, deps.clock()))!
        await audit(scope, actorOf(user.session), 'console.user_recover', row.id, {
          changes: changesBetween(rightsOf(row), rightsOf(recovered.user)),
        })
        await auditEnded(scope, actorOf(user.session), recovered.ended)
        return showInvited(request, recovered)
      })
    }),
  ] satisfies ConsoleRoute[]
).map(each => ({
  ...each,
  run(request) {
    // mutant: only-admins-manage-users (false)
    if (!request.user.permissions.has('users'))
      throw forbidden(`Your role, ${request.user.role}, doesn't allow this. Ask an admin.`)
    return each.run(request)
  },
}))

export const userRoutes: ConsoleRoute[] = [namesRoute, ...adminRoutes]
