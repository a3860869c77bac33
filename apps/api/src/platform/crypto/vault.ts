import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { poolBytes } from './random.js'

/** The row and field to which a sealed value belongs. The value can't be opened in another row or field. */
interface SealedField {
  /** The row's id. */
  id: string
  field: string
}

/** Seals and opens one team's personal values. */
export interface Sealer {
  seal(place: SealedField, value: string): string
  open(place: SealedField, sealed: string): string
  sealBytes(place: SealedField, bytes: Buffer): string
  openBytes(place: SealedField, sealed: string): Buffer
  /**
   * Compresses a long value, then seals it. The compressed length may reveal how repetitive the value is.
   * @param dictionary text that similar values contain. To unpack the value, pass the same text
   */
  pack(place: SealedField, value: string, dictionary?: Buffer): string
  unpack(place: SealedField, sealed: string, dictionary?: Buffer): string
}

export interface Vault {
  /** Creates a data key for a team, wrapped with the master key. */
  createTeamKey(team: string): string
  sealer(team: string, wrapped: string): Sealer
  /**
   * Returns a keyed hash. Equal values have equal hashes, and a value can't be guessed from its hash without the key.
   */
  hash(purpose: string, value: string): string
  /** A value used to detect a wrong master key. */
  readonly check: string
}

const VERSION = 'v1'

/** Compresses text. For text that fits in a small window and a small result, setting these up takes less time. */
const deflate = (value: string, dictionary?: Buffer): Buffer =>
  deflateRawSync(value, {
    level: 1,
    ...(value.length < 4_096 ? { windowBits: 12, memLevel: 5, chunkSize: 1_024 } : {}),
    ...(dictionary && { dictionary }),
  })

function encrypt(key: Buffer, context: string, plain: Buffer | string): string {
  const iv = poolBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  cipher.setAAD(Buffer.from(context))
  // GCM is a stream cipher: `final` only completes the tag and returns no bytes.
  const body = typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain)
  cipher.final()
  return `${VERSION}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')}`
}

function decrypt(key: Buffer, context: string, sealed: string): Buffer {
  const [version, text] = sealed.split('.')
  if (version !== VERSION || !text) throw new Error('The encrypted value has an unknown format.')
  const raw = Buffer.from(text, 'base64')
  const decipher = createDecipheriv(
    'aes-256-gcm',
    key,
    raw.subarray(0, 12),
    // mutant: whole-authentication-tag (remove)
    { authTagLength: 16 },
  )
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(raw.subarray(12, 28))
  return Buffer.concat([decipher.update(raw.subarray(28)), decipher.final()])
}

/** @param master 32 bytes */
export function createVault(master: Buffer): Vault {
  if (master.length !== 32)
    throw new Error('ENCRYPTION_KEY must be 32 bytes in base64. Generate one with: openssl rand -base64 32')
  const derive = (info: string) => Buffer.from(hkdfSync('sha256', master, '', `causeway ${info}`, 32))
  const wrap = derive('wrap')
  const index = derive('index')
  const keys = new Map<string, Buffer>()
  const contextOf = (team: string, place: SealedField) => `${team}|${place.id}|${place.field}|${VERSION}`
  return {
    createTeamKey: team => encrypt(wrap, team, randomBytes(32)),
    sealer(team, wrapped) {
      let key = keys.get(wrapped)
      if (!key) {
        key = decrypt(wrap, team, wrapped)
        if (keys.size > 10_000) keys.clear()
        keys.set(wrapped, key)
      }
      const dataKey = key
      return {
        seal: (place, value) => encrypt(dataKey, contextOf(team, place), value),
        open: (place, sealed) => decrypt(dataKey, contextOf(team, place), sealed).toString(),
        sealBytes: (place, bytes) => encrypt(dataKey, contextOf(team, place), bytes),
        openBytes: (place, sealed) => decrypt(dataKey, contextOf(team, place), sealed),
        pack: (place, value, dictionary) => encrypt(dataKey, contextOf(team, place), deflate(value, dictionary)),
        unpack: (place, sealed, dictionary) =>
          inflateRawSync(decrypt(dataKey, contextOf(team, place), sealed), dictionary && { dictionary }).toString(),
      }
    },
    hash: (purpose, value) => createHmac('sha256', index).update(`${purpose}|${value}`).digest('base64url'),
    check: createHmac('sha256', index).update('check').digest('base64url'),
  }
}

/** Returns a SHA-256 hash in base64url. Keys and tokens are random enough to be hashed without a secret. */
export function sha256(value: string): string {
  return hash('sha256', value, 'base64url')
}

/**
 * Returns true if two strings are equal. For strings of equal length, the comparison time doesn't reveal where they
 * differ.
 */
export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
