import { ServiceError } from '@causeway/contract/errors'
import { sha256 } from '../../platform/crypto/vault.js'
import type { Store } from '../../platform/db/store.js'
import type { Access, Holder } from '../../platform/team.js'
import { findKey } from './keys.js'

/** The time, in ms, that a key's team stays cached. */
const BELIEVED = 2_000
const NOTED_EVERY = 60_000

export function createAccess(store: Store, clock: () => number): Access {
  const known = new Map<string, Holder & { until: number; notedAt: number }>()
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
      const hit = known.get(hash)
      if (hit && hit.until > now) return hit
      const found = await findKey(store.reader, value)
      if (!found) {
        known.delete(hash)
        throw new ServiceError('UNAUTHORIZED')
      }
      let notedAt = hit?.notedAt ?? found.lastUsedAt ?? 0
      if (now - notedAt > NOTED_EVERY) {
        notedAt = now
        await store.write(tx =>
          tx.updateTable('api_keys').set({ last_used_at: now }).where('id', '=', found.id).execute(),
        )
      }
      if (known.size > 10_000) known.clear()
      const entry = { actor: found.id, team: found.team, scopes: found.scopes, until: now + BELIEVED, notedAt }
      known.set(hash, entry)
      return entry
    },
    forget(team) {
      for (const [hash, entry] of known) if (entry.team.id === team) known.delete(hash)
    },
  }
}
