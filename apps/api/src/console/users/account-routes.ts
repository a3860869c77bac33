/** Endpoints with which users see their own account and manage their passkeys. */
import { consoleAccount as declared } from '@causeway/contract/endpoints/console-users'
import { ServiceError } from '@causeway/contract/errors'
import { audit } from '../../platform/audit/store.js'
import { transact } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import { type ConsoleRequest, type ConsoleRoute, implementForConsole } from '../console-endpoints.js'
import { addPasskey, requireAccount, siteOf } from '../passkey.js'
import { requireRecentSignIn } from '../recent-sign-in.js'
import { deletePasskeys, hasIdentity, insertChallenge, listPasskeys, type PasskeyRow } from './credentials.js'
import { emailOf, lockUser } from './store.js'
import { createRegistration } from './webauthn.js'

const show = ({ id, name, is_synced, last_used_at, created_at }: PasskeyRow) => ({
  id,
  name,
  synced: is_synced === 1,
  last_used_at: last_used_at === null ? null : showTime(last_used_at),
  created_at: showTime(created_at),
})

/**
 * Throws FORBIDDEN if a session without a second factor adds a passkey to a user who has one. Otherwise, a first factor
 * alone would be enough to replace the second.
 */
async function checkMayAdd({ deps, user }: ConsoleRequest): Promise<readonly PasskeyRow[]> {
  const account = requireAccount(user)
  const passkeys = await listPasskeys(deps.store.reader, account.team_id, account.id)
  // mutant: first-factor-adds-first-passkey-only (false)
  if (user.session.has_second_factor !== 1 && passkeys.length > 0)
    throw new ServiceError('FORBIDDEN', 'Confirm who you are with one of your passkeys before you add another.')
  await requireRecentSignIn(deps, user)
  return passkeys
}

const first = (route: ConsoleRoute): ConsoleRoute => ({ ...route, access: 'first_factor' })

export const accountRoutes: ConsoleRoute[] = [
  first(
    implementForConsole(declared.retrieveConsoleAccount, async ({ deps, user }) => {
      const account = requireAccount(user)
      const passkeys = await listPasskeys(deps.store.reader, account.team_id, account.id)
      return { email: emailOf(deps.vault, user.team, account), name: account.name, passkeys: passkeys.map(show) }
    }),
  ),
  first(
    implementForConsole(declared.createPasskeyOptions, async request => {
      const { deps, user, options } = request
      const passkeys = await checkMayAdd(request)
      const account = requireAccount(user)
      const email = emailOf(deps.vault, user.team, account)
      const owner = { id: account.id, email, name: account.name ?? email }
      const registration = await createRegistration(siteOf({ deps, options }), owner, passkeys)
      const challenge = { kind: 'register', team_id: account.team_id, user_id: account.id } as const
      await deps.store.write(tx => insertChallenge(tx, registration.challenge, challenge, deps.clock()))
      return { ...registration }
    }),
  ),
  first(
    implementForConsole(declared.addPasskey, async (request, body) => {
      const { deps, user, options } = request
      await checkMayAdd(request)
      const account = requireAccount(user)
      return show(await transact(deps, user.team, scope => addPasskey(scope, { deps, options, body }, account)))
    }),
  ),
  implementForConsole(declared.removePasskey, async ({ deps, user, params }) => {
    const account = requireAccount(user)
    return transact(deps, user.team, async scope => {
      await lockUser(scope.db, account.team_id, account.id)
      const passkeys = await listPasskeys(scope.db, account.team_id, account.id)
      if (!passkeys.some(({ id }) => id === params.cpk_id))
        throw new ServiceError('NOT_FOUND', `You have no passkey with the id ${params.cpk_id}.`)
      // mutant: last-passkey-is-kept (false)
      if (passkeys.length === 1 && !(await hasIdentity(scope.db, account.team_id, account.id)))
        throw new ServiceError('INVALID_REQUEST', 'This is your only passkey. Add another one before you remove it.')
      await deletePasskeys(scope.db, account.team_id, account.id, params.cpk_id)
      await audit(scope, account.id, 'console.passkey_remove', params.cpk_id)
      return { id: params.cpk_id }
    })
  }),
]
