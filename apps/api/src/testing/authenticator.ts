/** Test helper that acts as a browser's authenticator, which creates passkeys and signs with them. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { isoCBOR } from '@simplewebauthn/server/helpers'

const digest = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()
const text = (data: Uint8Array): string => Buffer.from(data).toString('base64url')
const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff])
const uint32 = (value: number): Buffer =>
  Buffer.from([value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff])

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_KEY = 0x40

interface StoredKey {
  id: string
  rpId: string
  userHandle: string
  key: KeyObject
}

export interface AuthenticatorOptions {
  origin: string
  /** False for an authenticator that asks for no PIN or biometric. Defaults to true. */
  verifiesUser?: boolean
}

export function createAuthenticator({ origin, verifiesUser = true }: AuthenticatorOptions) {
  const keys: StoredKey[] = []
  let counter = 0
  const flagsOf = (verifies: boolean) => USER_PRESENT | (verifies ? USER_VERIFIED : 0)
  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  return {
    /** The counter of the next signature. */
    rewind(to: number): void {
      counter = to
    },
    create(options: PublicKeyCredentialCreationOptionsJSON): RegistrationResponseJSON {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const { x, y } = publicKey.export({ format: 'jwk' })
      const id = randomBytes(16)
      const rpId = options.rp.id ?? new URL(origin).hostname
      keys.push({ id: text(id), rpId, userHandle: options.user.id, key: privateKey })
      const coseKey = isoCBOR.encode(
        new Map<number, number | Uint8Array>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, new Uint8Array(Buffer.from(x!, 'base64url'))],
          [-3, new Uint8Array(Buffer.from(y!, 'base64url'))],
        ]),
      )
      counter += 1
      const authData = Buffer.concat([
        digest(rpId),
        Buffer.from([flagsOf(verifiesUser) | HAS_KEY]),
        uint32(counter),
        Buffer.alloc(16),
        uint16(id.length),
        id,
        coseKey,
      ])
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ])
      return {
        id: text(id),
        rawId: text(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: text(clientData('webauthn.create', options.challenge)),
          attestationObject: text(isoCBOR.encode(attestation as never)),
          transports: ['internal'],
        },
      }
    },
    /** Signs in with the latest passkey, or with the latest of those that the options allow. */
    get(
      options: PublicKeyCredentialRequestOptionsJSON,
      { verifiesUser: verifies = verifiesUser } = {},
    ): AuthenticationResponseJSON {
      const { allowCredentials: allowed, challenge } = options
      const stored = keys.findLast(({ id }) => !allowed || allowed.some(each => each.id === id))!
      counter += 1
      const authData = Buffer.concat([digest(stored.rpId), Buffer.from([flagsOf(verifies)]), uint32(counter)])
      const data = clientData('webauthn.get', challenge)
      return {
        id: stored.id,
        rawId: stored.id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: text(data),
          authenticatorData: text(authData),
          signature: text(sign('sha256', Buffer.concat([authData, digest(data)]), stored.key)),
          userHandle: stored.userHandle,
        },
      }
    },
  }
}
