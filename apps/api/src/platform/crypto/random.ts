import { createHash, randomFillSync } from 'node:crypto'
import { type Prefix, prefixes } from '@causeway/contract/ids'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Random bytes by the pool: drawing a few bytes at a time costs more than a request. */
const pool = Buffer.alloc(8_192)
let used = pool.length
function byte(): number {
  if (used >= pool.length) {
    randomFillSync(pool)
    used = 0
  }
  return pool[used++]!
}

/** Random bytes out of the pool; a few at a time. */
export function poolBytes(count: number): Buffer {
  if (used + count > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += count
  return Buffer.from(pool.subarray(used - count, used))
}

/** `length` random base-62 characters, each equally likely. */
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
/** The last millisecond that an id can hold, in 2081. */
const LAST_TIME = 62 ** 7 - 1
/** The last tail of each of the milliseconds that were used last: jobs date what they do, so they come in no order. */
const tails = new Map<number, number>()
const REMEMBERED = 256

/**
 * An id: prefix, seven characters of the millisecond, six random ones. Ids made by one process in one millisecond still
 * sort in the order they were made, so that lists need no other order than the id.
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

/** The id of a request: longer, because each process makes many. It sorts by time, so that indexes of it grow at their end. */
export const createRequestId = (now: number): string => createId('request', now) + randomText(7)

/** The lowest id that can be made at `now`: for finding everything of a day by its ids. */
export function lowestId(kind: Prefix, now: number): string {
  return prefixes[kind] + base62(Math.min(Math.max(0, now), LAST_TIME), 7) + '000000'
}

/** The id of something that has no row of its own: the same for the same parts. */
export function idOf(kind: Prefix, ...parts: readonly string[]): string {
  const digest = createHash('sha256').update(parts.join('\n')).digest()
  return prefixes[kind] + [...digest.subarray(0, 13)].map(value => ALPHABET[value % 62]).join('')
}
