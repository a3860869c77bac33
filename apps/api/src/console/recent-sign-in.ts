/** Asks for a passkey again before the most sensitive actions of a session that began some time ago. */
import { ServiceError } from '@causeway/contract/errors'
import { MINUTE_MS } from '@causeway/contract/time'
import type { Deps } from '../platform/scope.js'
import { showTime } from '../platform/show.js'
import type { User } from './user.js'
import { listPasskeys } from './users/credentials.js'

/** The time after a sign-in, or after a passkey was presented, for which no further passkey is asked for. */
const RECENT_MS = 10 * MINUTE_MS

/**
 * Returns until when a user needs no further sign-in, and with what the user then confirms. Null for a session that a key
 * or a link started.
 */
export async function showRecentSignIn(
  { store }: Pick<Deps, 'store'>,
  { account, session }: Pick<User, 'account' | 'session'>,
): Promise<{ until: string; has_passkey: boolean } | null> {
  if (account === null) return null
  const passkeys = await listPasskeys(store.reader, account.team_id, account.id)
  return { until: showTime(session.created_at + RECENT_MS), has_passkey: passkeys.length > 0 }
}

/**
 * Throws FORBIDDEN if a user signed in some time ago, with a header that makes the console ask for one of the user's
 * passkeys. Presenting it replaces the session. A session that a key or a link started has no user, so no passkeys.
 */
export async function requireRecentSignIn(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  { account, session }: Pick<User, 'account' | 'session'>,
): Promise<void> {
  // mutant: recent-sign-in-is-required (true)
  if (account === null || clock() - session.created_at <= RECENT_MS) return
  const passkeys = await listPasskeys(store.reader, account.team_id, account.id)
  if (passkeys.length > 0)
    throw new ServiceError(
      'FORBIDDEN',
      'You signed in more than 10 minutes ago. Confirm who you are with one of your passkeys, and try again.',
      { 'Passkey-Required': 'true' },
    )
  throw new ServiceError(
    'FORBIDDEN',
    'You signed in more than 10 minutes ago, and have no passkey. Sign out, sign in again, and repeat this within 10 minutes. Under Your account, you can add a passkey, with which you need not sign out.',
  )
}
