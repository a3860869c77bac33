import { ServiceError } from '@causeway/contract/errors'
import { type Outbound, OutboundError } from '../../platform/outbound/outbound.js'
import { decodeUtf8 } from '../../platform/text.js'
import { DAY_MS } from '../../platform/time.js'
import { type PublicJwk, readKeySet } from './rules.js'

/** The maximum size of a key set, in bytes. */
const LIMIT = 16_384
const TIMEOUT = 4_000
/** The time, in ms, that a fetched key set stays fresh. */
const FRESH = 600_000
/** The minimum time, in ms, between fetches of a key set, even if a key is missing or the last fetch failed. */
const PAUSE = 60_000
/** The time, in ms, that a key set remains valid while it can't be fetched. */
const KEYS_LIFETIME_MS = DAY_MS
const REMEMBERED = 1_000

interface Known {
  keys: PublicJwk[]
  readAt: number
  triedAt: number
}

/** Fetches and caches the public keys that teams publish at their own URLs. */
export function createWellKnown(outbound: Outbound, clock: () => number) {
  const known = new Map<string, Known>()
  const coming = new Map<string, Promise<void>>()

  /** Fetches and caches a key set. Throws an INVALID_REQUEST error that describes any problem. */
  async function fetchSet(url: string): Promise<PublicJwk[]> {
    const answer = await outbound
      .call({ method: 'GET', url, headers: { Accept: 'application/json' }, timeout: TIMEOUT, limit: LIMIT + 1 })
      .catch(error => {
        if (!(error instanceof OutboundError)) throw error
        throw new ServiceError('INVALID_REQUEST', `well_known_endpoint could not be fetched: ${reasons[error.fault]}.`)
      })
    if (answer.status !== 200)
      throw new ServiceError(
        'INVALID_REQUEST',
        `well_known_endpoint must respond with status 200, but it responded with ${answer.status}. Redirects are not followed.`,
      )
    if (answer.body.length > LIMIT)
      throw new ServiceError('INVALID_REQUEST', 'The response from well_known_endpoint must be at most 16 kB.')
    const keys = readKeySet(decodeUtf8(answer.body) ?? '')
    if (known.size >= REMEMBERED) known.clear()
    known.set(url, { keys, readAt: clock(), triedAt: clock() })
    return keys
  }

  /**
   * Fetches a key set once for all waiting callers. If the fetch fails, keeps the cached set and records the attempt.
   */
  function refresh(url: string): Promise<void> {
    const running = coming.get(url)
    if (running) return running
    const work = fetchSet(url)
      .then(() => {})
      .catch(error => {
        if (!(error instanceof ServiceError)) throw error
        const found = known.get(url) ?? { keys: [], readAt: Number.NEGATIVE_INFINITY }
        known.set(url, { ...found, triedAt: clock() })
      })
      .finally(() => coming.delete(url))
    coming.set(url, work)
    return work
  }

  return {
    fetch: fetchSet,
    /** Returns the keys in a key set. Uses the cached set if it is fresh and `has` returns true for its keys. */
    async keys(url: string, has: (keys: readonly PublicJwk[]) => boolean): Promise<readonly PublicJwk[]> {
      const found = known.get(url)
      const good = found && clock() - found.readAt < FRESH && has(found.keys)
      if (!good && !(found && clock() - found.triedAt < PAUSE)) await refresh(url)
      const now = known.get(url)
      return now && clock() - now.readAt < KEYS_LIFETIME_MS ? now.keys : []
    },
  }
}
export type WellKnown = ReturnType<typeof createWellKnown>

const reasons: Record<OutboundError['fault'], string> = {
  refused: 'its address must be public',
  lookup: 'its host name could not be resolved',
  timeout: 'it did not respond within four seconds',
  connection: 'the connection failed',
}
