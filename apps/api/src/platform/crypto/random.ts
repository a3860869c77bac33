import { createHash, randomFillSync } from 'node:crypto'
import { type Prefix, prefixes } from '@causeway/contract/ids'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * A pool of random bytes. Requesting a few bytes at a time from the operating system costs more than handling an API
 * request.
 */
const pool = Buffer.alloc(8_192)
let usedBytes = pool.length
function nextByte(): number {
  if (usedBytes >= pool.length) {
    randomFillSync(pool)
    usedBytes = 0
  }
  return pool[usedBytes++]!
}

/** Returns random bytes from the pool. Use this only for small counts. */
export function poolBytes(count: number): Buffer {
  if (usedBytes + count > pool.length) {
    randomFillSync(pool)
    usedBytes = 0
  }
  usedBytes += count
  return Buffer.from(pool.subarray(usedBytes - count, usedBytes))
}

/** Returns `length` random base-62 characters, all equally likely. */
export function randomText(length: number): string {
  let out = ''
  while (out.length < length) {
    const value = nextByte()
    if (value < 248) out += ALPHABET[value % 62]
  }
  return out
}

function base62(value: number, width: number): string {
  let out = ''
  for (let rest = value; out.length < width; rest = Math.floor(rest / 62)) out = ALPHABET[rest % 62] + out
  return out
}

const SUFFIX_COUNT = 62 ** 6
/** The last millisecond that an id can represent, in the year 2081. */
const MAX_TIME_MS = 62 ** 7 - 1
/**
 * For each recently used millisecond, the suffix of the last id created. The milliseconds aren't in order, because jobs
 * may create ids for earlier times.
 */
const lastSuffixes = new Map<number, number>()
const MAX_REMEMBERED = 256

/**
 * Creates an id: a prefix, seven characters for the millisecond, and six random characters. Ids created by one process
 * in the same millisecond sort in creation order, so lists need no other sort key.
 * @param now epoch milliseconds
 */
export function createId(kind: Prefix, now: number): string {
  const random = ((nextByte() * 256 + nextByte()) * 256 + nextByte()) * 256 + nextByte()
  const last = lastSuffixes.get(now)
  const suffix = last === undefined ? random : (last + 1 + (random % 1_000)) % SUFFIX_COUNT
  lastSuffixes.delete(now)
  lastSuffixes.set(now, suffix)
  if (lastSuffixes.size > MAX_REMEMBERED) lastSuffixes.delete(lastSuffixes.keys().next().value!)
  return prefixes[kind] + base62(now, 7) + base62(suffix, 6)
}

/**
 * Creates a request id. Request ids are longer than other ids, because each process creates many request ids. Request
 * ids sort by time, so their indexes grow only at the end.
 */
export const createRequestId = (now: number): string => createId('request', now) + randomText(7)

/** Creates a job's id. */
export const createJobId = (): string => `job_${randomText(20)}`

/** Returns the lowest id that can be created at `now`. Used to find a day's rows by id. */
export function lowestId(kind: Prefix, now: number): string {
  return prefixes[kind] + base62(Math.min(Math.max(0, now), MAX_TIME_MS), 7) + '000000'
}

/** Returns the id of an object that is not stored as a row. The same parts always produce the same id. */
export function deriveId(kind: Prefix, ...parts: readonly string[]): string {
  const digest = createHash('sha256').update(parts.join('\n')).digest()
  return prefixes[kind] + [...digest.subarray(0, 13)].map(value => ALPHABET[value % 62]).join('')
}
