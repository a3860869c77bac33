import { createHash, randomFillSync } from 'node:crypto'
import { type Prefix, prefixes } from '@causeway/contract/ids'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * A pool of random bytes. Requesting a few bytes at a time from the operating system costs more than handling an API
 * request.
 */
const pool = Buffer.alloc(8_192)
let used = pool.length
function byte(): number {
  if (used >= pool.length) {
    randomFillSync(pool)
    used = 0
  }
  return pool[used++]!
}

/** Returns random bytes from the pool. Use this only for small counts. */
export function poolBytes(count: number): Buffer {
  if (used + count > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += count
  return Buffer.from(pool.subarray(used - count, used))
}

/** Returns `length` random base-62 characters, all equally likely. */
export function randomText(length: number): string {
  let out = ''
  while (out.length < length) {
    const value = byte()
    if (value < 248) out += ALPHABET[value % 62]
  }
  return out
}

function base62(value: number, width: number): string {
  let out = ''
  for (let rest = value; out.length < width; rest = Math.floor(rest / 62)) out = ALPHABET[rest % 62] + out
  return out
}

const SPAN = 62 ** 6
/** The last millisecond that an id can represent, in the year 2081. */
const LAST_TIME = 62 ** 7 - 1
/**
 * For each recently used millisecond, the suffix of the last id created. The milliseconds aren't in order, because jobs
 * may create ids for earlier times.
 */
const tails = new Map<number, number>()
const REMEMBERED = 256

/**
 * Creates an id: a prefix, seven characters for the millisecond, and six random characters. Ids created by one process
 * in the same millisecond sort in creation order, so lists need no other sort key.
 * @param now epoch milliseconds
 */
export function createId(kind: Prefix, now: number): string {
  const random = ((byte() * 256 + byte()) * 256 + byte()) * 256 + byte()
  const last = tails.get(now)
  const tail = last === undefined ? random : (last + 1 + (random % 1_000)) % SPAN
  tails.delete(now)
  tails.set(now, tail)
  if (tails.size > REMEMBERED) tails.delete(tails.keys().next().value!)
  return prefixes[kind] + base62(now, 7) + base62(tail, 6)
}

/**
 * Creates a request id. Request ids are longer than other ids, because each process creates many request ids. Request
 * ids sort by time, so their indexes grow only at the end.
 */
export const createRequestId = (now: number): string => createId('request', now) + randomText(7)

/** Returns the lowest id that can be created at `now`. Used to find a day's rows by id. */
export function lowestId(kind: Prefix, now: number): string {
  return prefixes[kind] + base62(Math.min(Math.max(0, now), LAST_TIME), 7) + '000000'
}

/** Returns the id of an object that is not stored as a row. The same parts always produce the same id. */
export function idOf(kind: Prefix, ...parts: readonly string[]): string {
  const digest = createHash('sha256').update(parts.join('\n')).digest()
  return prefixes[kind] + [...digest.subarray(0, 13)].map(value => ALPHABET[value % 62]).join('')
}
