import { decodeUtf8 } from '@causeway/connector/wire/text'
import { ServiceError } from '@causeway/contract/errors'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@causeway/contract/time'
import { type Outbound, OutboundError } from '../../platform/outbound/outbound.js'
import { type PublicJwk, readKeySet } from './rules.js'

const MAX_KEY_SET_BYTES = 16_384
const FETCH_TIMEOUT_MS = 4 * SECOND_MS
/** The time that a fetched key set stays fresh. */
const FRESHNESS_MS = 10 * MINUTE_MS
/** The minimum time between fetches of a key set, even if a key is missing or the last fetch failed. */
const MIN_FETCH_INTERVAL_MS = MINUTE_MS
/** The time that a key set remains valid while it can't be fetched. */
const KEYS_LIFETIME_MS = DAY_MS
const MAX_CACHED_SETS = 1_000

interface CachedKeySet {
  keys: PublicJwk[]
  fetchedAt: number
  attemptedAt: number
}

/** Fetches and caches the public keys that teams publish at their own URLs. */
export function createWellKnown(outbound: Outbound, clock: () => number) {
  const setsByUrl = new Map<string, CachedKeySet>()
  const pendingByUrl = new Map<string, Promise<void>>()

  /** Fetches and caches a key set. Throws an INVALID_REQUEST error that describes any problem. */
  async function fetchSet(url: string): Promise<PublicJwk[]> {
    const response = await outbound
      .call({
        method: 'GET',
        url,
        headers: { Accept: 'application/json' },
        timeout: FETCH_TIMEOUT_MS,
        limit: MAX_KEY_SET_BYTES + 1,
      })
      .catch(error => {
        if (!(error instanceof OutboundError)) throw error
        throw new ServiceError(
          'INVALID_REQUEST',
          `well_known_endpoint could not be fetched: ${reasonsByFault[error.fault]}.`,
        )
      })
    if (response.status !== 200)
      throw new ServiceError(
        'INVALID_REQUEST',
        `well_known_endpoint must respond with status 200, but it responded with ${response.status}. Redirects are not followed.`,
      )
    if (response.body.length > MAX_KEY_SET_BYTES)
      throw new ServiceError('INVALID_REQUEST', 'The response from well_known_endpoint must be at most 16 kB.')
    const keys = readKeySet(decodeUtf8(response.body) ?? '')
    if (setsByUrl.size >= MAX_CACHED_SETS) setsByUrl.clear()
    setsByUrl.set(url, { keys, fetchedAt: clock(), attemptedAt: clock() })
    return keys
  }

  /**
   * Fetches a key set once for all waiting callers. If the fetch fails, keeps the cached set and records the attempt.
   */
  function refresh(url: string): Promise<void> {
    const pending = pendingByUrl.get(url)
    if (pending) return pending
    const fetching = fetchSet(url)
      .then(() => {})
      .catch(error => {
        if (!(error instanceof ServiceError)) throw error
        const cached = setsByUrl.get(url) ?? { keys: [], fetchedAt: Number.NEGATIVE_INFINITY }
        setsByUrl.set(url, { ...cached, attemptedAt: clock() })
      })
      .finally(() => pendingByUrl.delete(url))
    pendingByUrl.set(url, fetching)
    return fetching
  }

  return {
    fetch: fetchSet,
    /** Returns the keys in a key set. Uses the cached set if it is fresh and `has` returns true for its keys. */
    async keys(url: string, has: (keys: readonly PublicJwk[]) => boolean): Promise<readonly PublicJwk[]> {
      const cached = setsByUrl.get(url)
      const isFresh = cached && clock() - cached.fetchedAt < FRESHNESS_MS && has(cached.keys)
      if (!isFresh && !(cached && clock() - cached.attemptedAt < MIN_FETCH_INTERVAL_MS)) await refresh(url)
      const current = setsByUrl.get(url)
      return current && clock() - current.fetchedAt < KEYS_LIFETIME_MS ? current.keys : []
    },
  }
}
export type WellKnown = ReturnType<typeof createWellKnown>

const reasonsByFault: Record<OutboundError['fault'], string> = {
  refused: 'its address must be public',
  lookup: 'its host name could not be resolved',
  timeout: 'it did not respond within four seconds',
  connection: 'the connection failed',
}
