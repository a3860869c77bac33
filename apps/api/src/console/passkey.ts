/** Signs in with a passkey, and adds passkeys to users. */
import { ServiceError } from '@causeway/contract/errors'
import { audit } from '../platform/audit/store.js'
import { type Scope, transact } from '../platform/scope.js'
import { tokensFor } from './oidc-check.js'
import type { SignInRequest } from './sign-in-route.js'
import type { SessionRow } from './store.js'
import { loadUser, startSession, type User } from './user.js'
import {
  findPasskey,
  insertChallenge,
  insertPasskey,
  isKnownCredential,
  listPasskeys,
  MAX_PASSKEYS_PER_USER,
  type PasskeyRow,
  recordPasskeyUse,
  takeChallenge,
} from './users/credentials.js'
import { readName } from './users/name.js'
import { findUser, type UserRow, updateUser } from './users/store.js'
import {
  createAuthentication,
  readCredential,
  type Site,
  verifyAuthentication,
  verifyRegistration,
} from './users/webauthn.js'

export const siteOf = ({ deps, options }: Pick<SignInRequest, 'deps' | 'options'>): Site => ({
  origin: options.origin,
  name: deps.serviceName,
})

const lateError = () =>
  new ServiceError('UNAUTHORIZED', 'This sign-in began more than 10 minutes ago or was already completed. Try again.')

const unknownPasskeyError = () =>
  new ServiceError(
    'UNAUTHORIZED',
    'This passkey is not known here, or it was removed. Choose another passkey. If you have none, ask an admin for a new invitation.',
  )

/** Creates the options with which the browser offers the passkeys that it has for the console. */
export async function createSignInOptions(request: SignInRequest) {
  const { deps } = request
  const options = await createAuthentication(siteOf(request))
  await deps.store.write(tx => insertChallenge(tx, options.challenge, { kind: 'sign_in' }, deps.clock()))
  return options
}

/** Signs in with a passkey. Throws UNAUTHORIZED. */
export async function signInWithPasskey(request: SignInRequest) {
  const { deps, body, cookie: previousCookie } = request
  const passkey = await verifyPasskey(request, body['credential'])
  const team = await deps.teamOf(passkey.team_id)
  if (!team) throw unknownPasskeyError()
  const { cookie, row } = await transact(deps, team, scope => startWithPasskey(scope, passkey, previousCookie))
  return { user: await loadUser({ ...request.options, deps }, row), cookie }
}

/**
 * Starts a session for the user of a passkey that was verified. Throws UNAUTHORIZED.
 * @param confirmed the session that the passkey confirms. The OpenID provider that started it still decides about it
 */
async function startWithPasskey(
  scope: Scope,
  passkey: PasskeyRow & { newCounter: number },
  previousCookie: string | undefined,
  confirmed?: SessionRow,
) {
  const now = scope.deps.clock()
  const user = await findUser(scope.db, scope.team.id, passkey.user_id)
  // The passkey may have been removed since it was read.
  const isCurrent = (await findPasskey(scope.db, passkey.credential_id))?.id === passkey.id
  if (user?.status !== 'active' || !isCurrent) throw unknownPasskeyError()
  await recordPasskeyUse(scope.db, passkey, passkey.newCounter, now)
  await updateUser(scope.db, user, { signed_in_at: now }, now)
  const sealTokens =
    // mutant: confirmed-session-keeps-provider (drop 2)
    confirmed && tokensFor(scope.deps, scope.team, confirmed)
  const holder = {
    ...{ id: user.id, name: user.name, hasSecondFactor: true, sidHash: confirmed?.provider_sid_hash ?? null },
    ...(sealTokens && { sealTokens }),
  }
  return startSession(scope, { user: holder }, previousCookie)
}

/**
 * Verifies a passkey's response to a challenge, which is accepted once. Throws UNAUTHORIZED or INVALID_REQUEST.
 * @returns the passkey and the authenticator's new counter
 */
async function verifyPasskey(
  request: SignInRequest,
  credential: unknown,
): Promise<PasskeyRow & { newCounter: number }> {
  const { deps } = request
  const { id, challenge } = readCredential(credential)
  // The challenge is deleted even if the rest fails, so that no second response to it is tried.
  const taken = await deps.store.write(tx => takeChallenge(tx, challenge, 'sign_in', deps.clock()))
  // mutant: passkey-challenge-works-once (false)
  if (!taken) throw lateError()
  const passkey = await findPasskey(deps.store.reader, id)
  if (!passkey) throw unknownPasskeyError()
  return { ...passkey, newCounter: await verifyAuthentication(siteOf(request), credential, challenge, passkey) }
}

/** Throws INVALID_REQUEST for a session that a key or a link started. */
export function requireAccount({ account }: Pick<User, 'account'>): UserRow {
  if (account) return account
  throw new ServiceError(
    'INVALID_REQUEST',
    'Only a user has passkeys, and this session was started with a key or a link. Invite yourself as a user first.',
  )
}

/** Creates the options with which a signed-in user confirms the session with one of their own passkeys. */
export async function createConfirmOptions(request: SignInRequest) {
  const { deps, user } = request
  const { team_id, id } = requireAccount(user!)
  const options = await createAuthentication(siteOf(request), await listPasskeys(deps.store.reader, team_id, id))
  await deps.store.write(tx => insertChallenge(tx, options.challenge, { kind: 'sign_in' }, deps.clock()))
  return options
}

/** Replaces the session of a signed-in user with one that has a second factor. Throws FORBIDDEN. */
export async function confirmPasskey(request: SignInRequest) {
  const { deps, body, user, cookie: previousCookie } = request
  const account = requireAccount(user!)
  const passkey = await verifyPasskey(request, body['credential'])
  // mutant: second-factor-of-same-user (false)
  if (passkey.user_id !== account.id || passkey.team_id !== account.team_id)
    throw new ServiceError('FORBIDDEN', 'This passkey belongs to another user. Choose one of your own.')
  const { cookie, row } = await transact(deps, user!.team, scope =>
    startWithPasskey(scope, passkey, previousCookie, user!.session),
  )
  return { user: await loadUser({ ...request.options, deps }, row), cookie }
}

/** Verifies and stores a user's new passkey. Throws INVALID_REQUEST or UNAUTHORIZED. */
export async function registerPasskey(
  request: Pick<SignInRequest, 'deps' | 'options' | 'body'>,
  scope: Scope,
  user: Pick<UserRow, 'team_id' | 'id'>,
): Promise<PasskeyRow> {
  const { credential, passkey_name: name } = request.body
  const { challenge } = readCredential(credential)
  const now = scope.deps.clock()
  const taken = await takeChallenge(scope.db, challenge, 'register', now, user.team_id)
  if (taken?.user_id !== user.id) throw lateError()
  const passkey = await verifyRegistration(siteOf(request), credential, challenge)
  if (await isKnownCredential(scope.db, passkey.credentialId))
    throw new ServiceError('INVALID_REQUEST', 'This passkey is already in use. Sign in with it, or create another one.')
  const { length } = await listPasskeys(scope.db, user.team_id, user.id)
  if (length >= MAX_PASSKEYS_PER_USER)
    throw new ServiceError(
      'INVALID_REQUEST',
      `A user can have at most ${MAX_PASSKEYS_PER_USER} passkeys. Remove one that you no longer use.`,
    )
  return insertPasskey(
    scope.db,
    user,
    { ...passkey, name: name === undefined ? 'Passkey' : readName(name, 'passkey_name') },
    now,
  )
}

/** Adds a passkey to a signed-in user. */
export async function addPasskey(
  scope: Scope,
  request: Pick<SignInRequest, 'deps' | 'options' | 'body'>,
  user: UserRow,
) {
  const passkey = await registerPasskey(request, scope, user)
  await audit(scope, user.id, 'console.passkey_add', passkey.id)
  return passkey
}
