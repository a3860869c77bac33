import { ServiceError } from '@causeway/contract/errors'
import { MINUTE_MS, SECOND_MS } from '@causeway/contract/time'
import { sha256 } from '../../platform/crypto/vault.js'
import type { Store } from '../../platform/db/store.js'
import type { Access, Holder } from '../../platform/team.js'
import { findKey } from './keys.js'

/** The time that a key's team stays cached. */
const CACHE_LIFETIME_MS = 2 * SECOND_MS
/** The minimum time between updates of `last_used_at`. */
const LAST_USED_INTERVAL_MS = MINUTE_MS
const MAX_CACHED_KEYS = 10_000

export function createAccess(store: Store, clock: () => number): Access {
  const holdersByHash = new Map<string, Holder & { expiresAt: number; lastUsedAt: number }>()
  return {
    async secret(authorization, origin) {
      const value = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1]
      if (!value) throw new ServiceError('UNAUTHORIZED')
      if (/^(pk_|otkn_)/.test(value))
        throw new ServiceError('FORBIDDEN', "This endpoint requires the team's secret key (sk_...), not a token.")
      if (origin !== undefined)
        throw new ServiceError(
          'UNAUTHORIZED',
          'A secret key was sent from a browser. Call the API from your server. Revoke this key and create a new one.',
        )
      const now = clock()
      const hash = sha256(value)
      const cached = holdersByHash.get(hash)
      if (cached && cached.expiresAt > now) return cached
      const key = await findKey(store.reader, value)
      if (!key) {
        holdersByHash.delete(hash)
        throw new ServiceError('UNAUTHORIZED')
      }
      let lastUsedAt = cached?.lastUsedAt ?? key.lastUsedAt ?? 0
      if (now - lastUsedAt > LAST_USED_INTERVAL_MS) {
        lastUsedAt = now
        await store.write(tx =>
          tx.updateTable('api_keys').set({ last_used_at: now }).where('id', '=', key.id).execute(),
        )
      }
      if (holdersByHash.size > MAX_CACHED_KEYS) holdersByHash.clear()
      const entry = {
        actor: key.id,
        team: key.team,
        scopes: key.scopes,
        expiresAt: now + CACHE_LIFETIME_MS,
        lastUsedAt,
      }
      holdersByHash.set(hash, entry)
      return entry
    },
    forget(team) {
      for (const [hash, entry] of holdersByHash) if (entry.team.id === team) holdersByHash.delete(hash)
    },
  }
}
