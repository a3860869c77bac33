import type { Store } from '../../platform/db/types.js'
import type { Log } from '../../platform/log.js'

interface HealthDeps {
  store: Store
  log: Log
  clock(): number
}

/** Records whether a provider accepts its credentials. Writes only what changed since the process started. */
export function watchCredentials({ store, log, clock }: HealthDeps, provider: string) {
  let state: 'unknown' | 'accepted' | 'rejected' = 'unknown'
  const record = (rejected_key_at: number | null) =>
    store.write(tx =>
      tx
        .insertInto('provider_states')
        .values({ provider, rejected_key_at, hook_at: null })
        .onConflict(conflict => conflict.column('provider').doUpdateSet({ rejected_key_at }))
        .execute(),
    )
  return {
    async accepted(): Promise<void> {
      if (state === 'accepted') return
      state = 'accepted'
      await record(null)
    },
    async rejected(): Promise<void> {
      if (state === 'rejected') return
      state = 'rejected'
      log('error', 'provider_key_rejected', { provider })
      await record(clock())
    },
  }
}
