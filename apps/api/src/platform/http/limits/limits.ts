import { ServiceError } from '@causeway/contract/errors'
import { MINUTE_MS } from '@causeway/contract/time'
import { networkOf } from '../request/address.js'

/** The endpoint that a request calls. */
interface Endpoint {
  method: string
  path: string
}

/** A rate limit for requests that share a count. Source: contract, rate limits. */
interface Tier {
  name: string
  perMinute: number
}

const reads: Tier = { name: 'reads', perMinute: 6_000 }
const writes: Tier = { name: 'writes', perMinute: 1_800 }
const keyless: Tier = { name: 'keyless', perMinute: 60 }
const redemptions: Tier = { name: 'redemptions', perMinute: 120 }
const frame: Tier = { name: 'frame', perMinute: 6_000 }
const critical: Tier = { name: 'critical', perMinute: 60 }
export const special: Readonly<Record<string, Tier>> = {
  'POST /payments': { name: 'payments', perMinute: 120 },
  'DELETE /payments/:pmt_id': critical,
  'POST /reports': critical,
}
/** Returns true for an endpoint with its own limit, which all callers in a team tree share. */
export const hasOwnLimit = ({ method, path }: Endpoint): boolean => special[`${method} ${path}`] !== undefined

/** The limit for writes to entities and accounts. Each endpoint has its own count. */
const perResource = 6_000

function tierOf({ method, path }: Endpoint): Tier {
  if (method === 'GET') return reads
  const name = `${method} ${path}`
  if (special[name] !== undefined) return special[name]
  return /^\/(entities|accounts)(\/|$)/.test(path) ? { name, perMinute: perResource } : writes
}

const SLOTS = 60
/** Once this many counts are stored, expired ones are dropped. */
const MAX_COUNTS = 20_000

interface Count {
  /** The number of requests in each second of the last minute. */
  seconds: Uint32Array
  sum: number
  /** The second in which a request was last counted. */
  last: number
  blockedUntil: number
  perMinute: number
  /** The name under which processes share the count. Set on first use. */
  name?: string
}

/**
 * Another process's count for a subject in the last minute, and the time at which that process stops rejecting the
 * subject.
 */
export interface Told {
  /** A hash, because the subject may be a network address. */
  name: string
  used: number
  /** Epoch ms; 0 if the subject is not rejected. */
  blockedUntil: number
}

/** The fraction of a limit that a subject must use before its count is shared. Most subjects never use that much. */
const NOTABLE = 0.1

export interface Limits {
  /** Counts a request from an authenticated caller. Throws TOO_MANY_REQUESTS with Retry-After. */
  request(key: string, route: Endpoint): void
  /**
   * Counts an unauthenticated request against the limit for the client's network. Throws TOO_MANY_REQUESTS with
   * Retry-After.
   */
  keyless(address: string): void
  /**
   * Counts a request to the frame listener against the limit for the client's network. Redemptions are also counted
   * separately. Throws TOO_MANY_REQUESTS with Retry-After.
   */
  frame(address: string, redeems: boolean): void
  /** Returns the counts to share with other processes. */
  tell(): Told[]
  /** Replaces the stored counts of other processes with the latest ones that those processes shared. */
  hear(told: readonly Told[]): void
}

/**
 * Counts requests over a rolling minute, including those counted by other processes. A subject that exceeds its limit
 * is rejected for a minute.
 * @param factor multiplies the contract's limits; 0 means no limits
 * @param nameOf returns the name under which processes share a subject's count
 */
export function createLimits(
  clock: () => number,
  factor: number,
  nameOf: (subject: string) => string = subject => subject,
): Limits {
  const counts = new Map<string, Count>()
  const tiers = new WeakMap<Endpoint, Tier>()
  /**
   * The second in which expired counts were last dropped. Counts are dropped at most once a second, even if many
   * unknown clients send requests.
   */
  let swept = -1
  let elsewhere: ReadonlyMap<string, Told> = new Map()

  /** Drops counts older than a minute. @returns the number of requests in the last minute */
  function roll(known: Count, now: number): number {
    const second = Math.floor(now / 1000)
    for (let each = Math.max(known.last, second - SLOTS) + 1; each <= second; each += 1) {
      known.sum -= known.seconds[each % SLOTS]!
      known.seconds[each % SLOTS] = 0
    }
    known.last = Math.max(known.last, second)
    return known.sum
  }

  function count(who: string, tier: Tier): void {
    if (factor === 0) return
    const now = clock()
    const second = Math.floor(now / 1000)
    const id = `${who} ${tier.name}`
    let count = counts.get(id)
    if (!count) {
      if (counts.size >= MAX_COUNTS && swept !== second) {
        swept = second
        for (const [old, { last, blockedUntil }] of counts)
          if (last <= second - SLOTS && blockedUntil <= now) counts.delete(old)
      }
      const perMinute = tier.perMinute * factor
      count = { seconds: new Uint32Array(SLOTS), sum: 0, last: second, blockedUntil: 0, perMinute }
      counts.set(id, count)
    }
    let others = 0
    if (elsewhere.size > 0) {
      count.name ??= nameOf(id)
      const told = elsewhere.get(count.name)
      others = told?.used ?? 0
      count.blockedUntil = Math.max(count.blockedUntil, told?.blockedUntil ?? 0)
    }
    if (count.blockedUntil > now) refuse(count.blockedUntil - now)
    if (roll(count, now) + others >= count.perMinute) {
      count.blockedUntil = now + MINUTE_MS
      refuse(MINUTE_MS)
    }
    count.seconds[count.last % SLOTS]! += 1
    count.sum += 1
  }

  return {
    request(key, route) {
      const tier = tiers.get(route) ?? tierOf(route)
      tiers.set(route, tier)
      count(key, tier)
    },
    keyless: address => count(networkOf(address), keyless),
    frame(address, redeems) {
      const network = networkOf(address)
      count(network, frame)
      if (redeems) count(network, redemptions)
    },
    tell() {
      const now = clock()
      const told: Told[] = []
      for (const [id, known] of counts) {
        const isBlocked = known.blockedUntil > now
        if (!isBlocked && roll(known, now) < known.perMinute * NOTABLE) continue
        known.name ??= nameOf(id)
        told.push({ name: known.name, used: known.sum, blockedUntil: isBlocked ? known.blockedUntil : 0 })
      }
      return told
    },
    hear(told) {
      const heard = new Map<string, Told>()
      for (const { name, used, blockedUntil } of told) {
        const before = heard.get(name)
        heard.set(name, {
          name,
          used: used + (before?.used ?? 0),
          blockedUntil: Math.max(blockedUntil, before?.blockedUntil ?? 0),
        })
      }
      elsewhere = heard
    },
  }
}

function refuse(ms: number): never {
  throw new ServiceError('TOO_MANY_REQUESTS', undefined, { 'Retry-After': String(Math.ceil(ms / 1000)) })
}
