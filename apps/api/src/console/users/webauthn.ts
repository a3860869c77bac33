/** Creates and verifies the requests and responses of passkeys. Stores nothing. */
import { ServiceError } from '@causeway/contract/errors'
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { isoBase64URL, isoUint8Array } from '@simplewebauthn/server/helpers'
import { readJson } from '../../platform/db/json.js'
import type { NewPasskey, PasskeyRow } from './credentials.js'

/** The site that passkeys are bound to. */
export interface Site {
  /** The console's origin, as browsers see it. */
  readonly origin: string
  /** The name of the company that runs the service, which the browser shows. */
  readonly name: string
}

const hostOf = ({ origin }: Site): string => new URL(origin).hostname

const passkeyError = (reason: string) => new ServiceError('INVALID_REQUEST', `The passkey was not accepted: ${reason}`)

/** @param user the user's id, and the texts that the browser shows for the new passkey */
export const createRegistration = (
  site: Site,
  user: { id: string; email: string; name: string },
  known: readonly PasskeyRow[],
) =>
  generateRegistrationOptions({
    rpID: hostOf(site),
    rpName: site.name,
    userID: isoUint8Array.fromUTF8String(user.id),
    userName: user.email,
    userDisplayName: user.name,
    attestationType: 'none',
    excludeCredentials: known.map(({ credential_id, transports }) => ({
      id: credential_id,
      transports: readJson('console_passkeys.transports', transports),
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })

/** @param passkeys the passkeys of a user who is known; by default, the browser offers all passkeys of the site */
export const createAuthentication = (site: Site, passkeys?: readonly PasskeyRow[]) =>
  generateAuthenticationOptions({
    rpID: hostOf(site),
    userVerification: 'required',
    ...(passkeys && {
      allowCredentials: passkeys.map(({ credential_id, transports }) => ({
        id: credential_id,
        transports: readJson('console_passkeys.transports', transports),
      })),
    }),
  })

const isText = (value: unknown): value is string => typeof value === 'string'

/** Reads the challenge that a credential answers, and the credential's id. Throws INVALID_REQUEST. */
export function readCredential(credential: unknown): { id: string; challenge: string } {
  const { id, response } = (credential ?? {}) as { id?: unknown; response?: { clientDataJSON?: unknown } }
  if (isText(id) && id.length <= 1_400 && isText(response?.clientDataJSON))
    try {
      const { challenge } = JSON.parse(isoBase64URL.toUTF8String(response.clientDataJSON)) as { challenge?: unknown }
      if (isText(challenge)) return { id, challenge }
    } catch {
      // The error below names the problem.
    }
  throw passkeyError('credential must be the response of the browser to the options.')
}

/** Verifies the response to {@link createRegistration}. Throws INVALID_REQUEST. */
export async function verifyRegistration(
  site: Site,
  credential: unknown,
  challenge: string,
): Promise<Omit<NewPasskey, 'name'>> {
  const response = credential as RegistrationResponseJSON
  const { registrationInfo: info } = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: hostOf(site),
    requireUserVerification: true,
  }).catch((error: Error) => {
    throw passkeyError(error.message)
  })
  if (!info) throw passkeyError('its signature is wrong.')
  const { credential: key, credentialBackedUp } = info
  return {
    credentialId: key.id,
    publicKey: isoBase64URL.fromBuffer(key.publicKey),
    counter: key.counter,
    transports: (key.transports ?? []).filter(isText).slice(0, 10),
    isSynced: credentialBackedUp,
  }
}

/**
 * Verifies the response to {@link createAuthentication}. Throws INVALID_REQUEST.
 * @returns the authenticator's new counter
 */
export async function verifyAuthentication(
  site: Site,
  credential: unknown,
  challenge: string,
  { credential_id, public_key, counter, user_id }: PasskeyRow,
): Promise<number> {
  const response = credential as AuthenticationResponseJSON
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: hostOf(site),
    // mutant: passkey-verifies-user (false)
    requireUserVerification: true,
    credential: { id: credential_id, publicKey: isoBase64URL.toBuffer(public_key), counter },
  }).catch((error: Error) => {
    throw passkeyError(error.message)
  })
  const { userHandle } = response.response
  if (!verified || (userHandle && isoBase64URL.toUTF8String(userHandle) !== user_id))
    throw passkeyError('its signature or its user is wrong.')
  return authenticationInfo.newCounter
}
