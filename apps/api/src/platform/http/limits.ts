import { ServiceError } from '@causeway/contract/errors'
import { networkOf } from './address.js'
import type { Route } from './route.js'

/** Requests a minute that share a count. Source: contract, rate limits. */
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
/** Every write of an entity or an account has a count of its own. */
const perResource = 6_000

function tierOf({ method, path }: Route): Tier {
  if (method === 'GET') return reads
  const name = `${method} ${path}`
  if (special[name] !== undefined) return special[name]
  return /^\/(entities|accounts)(\/|$)/.test(path) ? { name, perMinute: perResource } : writes
}

const MINUTE = 60_000
const SLOTS = 60
/** The most counts that are kept; beyond it, expired ones are dropped. */
const MANY = 20_000

interface Count {
  /** Requests of each second of the last minute. */
  seconds: Uint32Array
  sum: number
  /** The second that was counted last. */
  last: number
  blockedUntil: number
}

export interface Limits {
  /** Counts a request of a key. Throws TOO_MANY_REQUESTS with Retry-After. */
  request(key: string, route: Route): void
  /** Counts a request without a valid key, by where it came from. Throws the same. */
  keyless(address: string): void
  /** Counts a request to the frame listener by its network, and a redemption by itself too. Throws the same. */
  frame(address: string, redeems: boolean): void
}

/**
 * Counts requests over a rolling minute, in this process alone. Who goes over a limit is refused for a minute.
 * @param factor how many times the contract's limits are allowed; 0: any number
 */
export function createLimits(clock: () => number, factor: number): Limits {
  const counts = new Map<string, Count>()
  const tiers = new WeakMap<Route, Tier>()
  /** The second in which counts were dropped: once is enough, however many strangers come. */
  let swept = -1

  function count(who: string, tier: Tier): void {
    if (factor === 0) return
    const now = clock()
    const second = Math.floor(now / 1000)
    const id = `${who} ${tier.name}`
    let known = counts.get(id)
    if (!known) {
      if (counts.size >= MANY && swept !== second) {
        swept = second
        for (const [old, { last, blockedUntil }] of counts)
          if (last <= second - SLOTS && blockedUntil <= now) counts.delete(old)
      }
      known = { seconds: new Uint32Array(SLOTS), sum: 0, last: second, blockedUntil: 0 }
      counts.set(id, known)
    }
    if (known.blockedUntil > now) refuse(known.blockedUntil - now)
    for (let each = Math.max(known.last, second - SLOTS) + 1; each <= second; each += 1) {
      known.sum -= known.seconds[each % SLOTS]!
      known.seconds[each % SLOTS] = 0
    }
    known.last = Math.max(known.last, second)
    if (known.sum >= tier.perMinute * factor) {
      known.blockedUntil = now + MINUTE
      refuse(MINUTE)
    }
    known.seconds[known.last % SLOTS]! += 1
    known.sum += 1
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
  }
}

function refuse(ms: number): never {
  throw new ServiceError('TOO_MANY_REQUESTS', undefined, { 'Retry-After': String(Math.ceil(ms / 1000)) })
}
