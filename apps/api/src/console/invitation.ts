/** Shows and accepts the invitations with which users add their first passkey. */
import { ServiceError } from '@causeway/contract/errors'
import { audit } from '../platform/audit/store.js'
import { sha256 } from '../platform/crypto/vault.js'
import { transact } from '../platform/scope.js'
import { showTime } from '../platform/show.js'
import { registerPasskey, siteOf } from './passkey.js'
import type { SignInRequest } from './sign-in-route.js'
import { loadUser, startSession, withUser } from './user.js'
import { insertChallenge } from './users/credentials.js'
import { readName } from './users/name.js'
import { emailOf, findInvitation, redeemInvitation, updateUser } from './users/store.js'
import { createRegistration } from './users/webauthn.js'

const usedInvitationError = () =>
  new ServiceError(
    'UNAUTHORIZED',
    'This invitation was already used, replaced or has expired. An invitation works once, within 7 days. If you already have a passkey, sign in with it. Otherwise, ask an admin for a new invitation, or run: pnpm admin console invite EMAIL',
  )

/** Finds the invitation that a request presents, its user and its team. Throws UNAUTHORIZED. */
async function requireInvitation({ deps, body: { invitation } }: Pick<SignInRequest, 'deps' | 'body'>) {
  const isSecret = typeof invitation === 'string' && /^cinv_\w{43}$/.test(invitation)
  const row = isSecret ? await findInvitation(deps.store.reader, sha256(invitation), deps.clock()) : undefined
  const team = row && (await deps.teamOf(row.team_id))
  if (!team) throw usedInvitationError()
  return { row, team, email: emailOf(deps.vault, team, row) }
}

export async function showInvitation(request: SignInRequest) {
  const { row, team, email } = await requireInvitation(request)
  return {
    email,
    name: row.name,
    role: row.role,
    operator: row.is_operator === 1,
    team: { id: team.id, name: team.name },
    expires_at: showTime(row.invitation_expires_at),
  }
}

/** Creates the options with which the browser creates a passkey for the invitation's user. */
export async function createAcceptOptions(request: SignInRequest) {
  const { deps, body } = request
  const { row, email } = await requireInvitation(request)
  const user = { id: row.id, email, name: readName(body['name']) }
  const options = await createRegistration(siteOf(request), user, [])
  const challenge = { kind: 'register', team_id: row.team_id, user_id: row.id } as const
  await deps.store.write(tx => insertChallenge(tx, options.challenge, challenge, deps.clock()))
  return options
}

/** Accepts an invitation with a new passkey, and signs the user in. */
export async function acceptInvitation(request: SignInRequest) {
  const { deps, body, cookie: previousCookie } = request
  const { row: user, team } = await requireInvitation(request)
  const name = readName(body['name'])
  const { cookie, row } = await transact(deps, team, async scope => {
    const now = deps.clock()
    // mutant: invitation-works-once (remove)
    if ((await redeemInvitation(scope.db, team.id, user.invitation_hash, now)) !== user.id) throw usedInvitationError()
    const passkey = await registerPasskey(request, scope, user)
    await updateUser(scope.db, user, { name, status: 'active', signed_in_at: now }, now)
    const session = await startSession(scope, { user: { id: user.id, name, hasSecondFactor: true } }, previousCookie)
    const by = withUser(scope, session.row)
    await audit(by, user.id, 'console.invitation_accept', user.id)
    await audit(by, user.id, 'console.passkey_add', passkey.id)
    return session
  })
  return { user: await loadUser({ ...request.options, deps }, row), cookie }
}
