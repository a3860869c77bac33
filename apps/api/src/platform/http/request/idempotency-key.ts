import { ServiceError } from '@causeway/contract/errors'
import type { Vault } from '../../crypto/vault.js'
import { mergeJoined, unquote } from './single-headers.js'

const MAX_CHARACTERS = 255
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const invalid = (message: string) => new ServiceError('INVALID_REQUEST', message)

/**
 * Decodes text in which each character is one byte. Invalid bytes are rejected: if they were replaced, two different
 * keys could become one.
 */
function decode(bytes: string, place: string): string {
  if (!/[\x80-\xff]/.test(bytes)) return bytes
  try {
    return utf8.decode(Buffer.from(bytes, 'latin1'))
  } catch {
    throw invalid(`${place} must be valid UTF-8.`)
  }
}

const PARAMETER = 'idempotency_key'

/** Decodes a query string's escapes to bytes. A `%` that begins no escape stands for itself, as in URLSearchParams. */
const readEscapes = (text: string): string =>
  text
    .replaceAll('+', ' ')
    .replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** Returns true for a name that was meant as the parameter's: in other case, with other separators, or as a list. */
const isNearMiss = (name: string): boolean =>
  name.length <= 4 * PARAMETER.length && name.toLowerCase().replace(/[^a-z]/g, '') === 'idempotencykey'

/** Returns the key in the query string, which may contain equal copies. */
function readQuery(search: string): string | undefined {
  if (search === '') return undefined
  const keys: string[] = []
  for (const part of search.replace(/^\?/, '').split(/[&;]/)) {
    const equals = part.indexOf('=')
    const name = readEscapes(equals < 0 ? part : part.slice(0, equals))
    if (name === PARAMETER)
      keys.push(normalize(decode(readEscapes(equals < 0 ? '' : part.slice(equals + 1)), `${PARAMETER} in the query`)))
    else if (isNearMiss(name))
      throw invalid(`A key in the query must be named ${PARAMETER}. Nothing was changed. Correct the parameter's name.`)
  }
  const [first, ...others] = keys
  if (others.some(key => key !== first))
    throw invalid('idempotency_key occurs several times in the query with different values. Send it once.')
  return first
}

/** Returns the key that a value stands for: copies that a proxy joined are one key, without its double quotes. */
const normalize = (value: string) => unquote(mergeJoined(value))

/**
 * Reads and validates a POST request's idempotency key: 1 to 255 characters, from the header or the query. If it is in
 * both, both must have the same key. Requests with other methods have no key.
 * @param header the header's value, each byte as one character
 * @param search the query string as it was sent
 */
export function readKey(method: string, header: string | undefined, search: string): string | null {
  if (method !== 'POST') return null
  const inQuery = readQuery(search)
  const key = header === undefined ? inQuery : normalize(decode(header, 'Idempotency-Key'))
  if (inQuery !== undefined && key !== inQuery)
    throw invalid(
      'The Idempotency-Key header and idempotency_key in the query have different values. Send the key once.',
    )
  if (key === undefined) return null
  if (key === '' || key.length > 2 * MAX_CHARACTERS || [...key].length > MAX_CHARACTERS || key.includes('\0'))
    throw invalid('Idempotency-Key must be 1 to 255 characters long. Use a version 4 UUID, for example.')
  return key
}

/**
 * Returns the key of a request that a console user sends, in a namespace of its own, so that neither the console nor the
 * customer's servers can reach or use up the other's keys. Only the service can compute the hash. A team's users share
 * the namespace: if two of them pay the same rest of a release, there is one payment.
 */
export const consoleKey = (vault: Pick<Vault, 'hash'>, key: string): string =>
  `console:${vault.hash('console idempotency key', key)}`
