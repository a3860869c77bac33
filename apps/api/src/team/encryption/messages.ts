import { clientLimits, readJson } from '@causeway/connector/wire/json-reader'
import { decodeUtf8 } from '@causeway/connector/wire/text'
import { ServiceError } from '@causeway/contract/errors'
import { CompactEncrypt, compactDecrypt, importJWK } from 'jose'
import { readText } from '../../platform/http/request/body.js'
import type { Encryption } from '../../platform/http/response/encryption.js'
import type { Deps, Team } from '../../platform/scope.js'
import { CONTENT_ALGORITHM, KEY_ALGORITHM, type PublicJwk, readEnvelope, readHeader } from './rules.js'
import { createServiceKeys, type ServiceKeys } from './service-keys.js'
import { jwkOf, listActiveTeamKeys } from './team-keys.js'
import { createWellKnown, type WellKnown } from './well-known.js'

/** Marks a response as encrypted. In a request, the same header requests an encrypted response. */
const MLE_HEADER = 'Service-MLE'

declare module '../../platform/http/response/encryption.js' {
  interface Encryption {
    readonly serviceKeys: ServiceKeys
    readonly wellKnown: WellKnown
    /** Returns a team's public key with the given kid or id. */
    recipient(team: Team, name: string): Promise<PublicJwk | undefined>
  }
}

const invalidRequest = (message: string) => new ServiceError('INVALID_REQUEST', message)
const encoder = new TextEncoder()

/** Returns the protected header of a compact JWE; undefined if it isn't valid JSON. */
function parseHeader(jwe: string): unknown {
  const text = decodeUtf8(Buffer.from(jwe.slice(0, jwe.indexOf('.')), 'base64url'))
  return text === undefined ? undefined : readJson(text, clientLimits).value
}

/** Encrypts data with a public key. Throws if the key is invalid. */
async function createSealer(jwk: PublicJwk): Promise<(text: string) => Promise<string>> {
  const key = await importJWK({ ...jwk, alg: KEY_ALGORITHM }, KEY_ALGORITHM)
  return text =>
    new CompactEncrypt(encoder.encode(text))
      .setProtectedHeader({ alg: KEY_ALGORITHM, enc: CONTENT_ALGORITHM, kid: jwk.kid })
      .encrypt(key)
}

/** Throws INVALID_REQUEST if a well-formed key can't be used for encryption. */
export async function validateEncryptionKey(jwk: PublicJwk): Promise<void> {
  try {
    await (await createSealer(jwk))('')
  } catch {
    throw invalidRequest('jwk cannot be used for encryption. n and e must be from the same RSA key.')
  }
}

export function createEncryption({
  store,
  vault,
  clock,
  outbound,
}: Pick<Deps, 'store' | 'vault' | 'clock' | 'outbound'>): Encryption {
  const serviceKeys = createServiceKeys(store, vault, clock)
  const wellKnown = createWellKnown(outbound, clock)

  async function recipient(team: Team, name: string): Promise<PublicJwk | undefined> {
    const rows = await listActiveTeamKeys(store.reader, team.id)
    const directRow = rows.find(row => row.id === name || jwkOf(row)?.kid === name)
    if (directRow?.jwk) return jwkOf(directRow)!
    const selectKey = (id: string, keys: readonly PublicJwk[]) =>
      id === name ? keys[0] : keys.find(({ kid }) => kid === name)
    const remoteKeys = await Promise.all(
      rows.map(async ({ id, well_known_endpoint: url }) =>
        url === null ? undefined : selectKey(id, await wellKnown.keys(url, keys => selectKey(id, keys) !== undefined)),
      ),
    )
    return remoteKeys.find(key => key !== undefined)
  }

  async function decrypt(jwe: string, kid: string): Promise<string> {
    const key = await serviceKeys.open(kid)
    if (!key)
      throw invalidRequest(
        'The kid header of encrypted must name a key that this service accepts. Use the key with "use": "enc" at /.well-known/jwks.json.',
      )
    const { plaintext } = await compactDecrypt(jwe, key, {
      keyManagementAlgorithms: [KEY_ALGORITHM],
      contentEncryptionAlgorithms: [CONTENT_ALGORITHM],
    }).catch(() => {
      throw invalidRequest(
        "encrypted cannot be decrypted. Encrypt the message with the key that its kid names, and don't change the result.",
      )
    })
    return readText(plaintext, 'The decrypted body')
  }

  return {
    serviceKeys,
    wellKnown,
    recipient,
    async open(team, mode, text) {
      if (mode.trim().toLowerCase() !== 'jwe') throw invalidRequest(`${MLE_HEADER}, if sent, must be jwe.`)
      const jwe = text.trim() === '' ? undefined : readEnvelope(readJson(text, clientLimits).value)
      const header = jwe === undefined ? undefined : readHeader(parseHeader(jwe))
      const plaintext = jwe && header ? await decrypt(jwe, header.kid) : ''
      const recipientName = header?.cid ?? team.settings.default_encryption_key
      if (recipientName === null)
        throw invalidRequest(
          `The response cannot be encrypted: ${jwe ? "encrypted has no cid that names one of the team's public keys" : 'the request has no body'}, and the team has no default key. Set one with POST /teams/default_encryption_key.`,
        )
      const jwk = await recipient(team, recipientName)
      if (!jwk)
        throw invalidRequest(
          `${header?.cid ? 'cid of encrypted' : 'The default encryption key'} must name one of the team's active public keys. Register the key with POST /teams/mle/public_keys.`,
        )
      const seal = await createSealer(jwk).catch(() => {
        throw invalidRequest(
          "The team's public key cannot be used for encryption. Its n and e must be from the same RSA key.",
        )
      })
      return {
        text: plaintext,
        async seal(rendered) {
          if (rendered.stream || rendered.type !== 'application/json') return rendered
          const body = JSON.stringify({ encrypted: await seal(rendered.body) })
          return { ...rendered, body, headers: { ...rendered.headers, [MLE_HEADER]: 'jwe' } }
        },
      }
    },
  }
}
