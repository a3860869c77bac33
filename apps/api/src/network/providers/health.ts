import { MINUTE_MS } from '@causeway/contract/time'
import { levelOf } from '../../platform/db/fault.js'
import type { Store } from '../../platform/db/types.js'
import type { Log } from '../../platform/log.js'

interface HealthDeps {
  store: Store
  log: Log
  /** The real time, in epoch milliseconds. */
  clock(): number
}

/** The time after which a process reads the state again, because another process may have changed it. */
const STATE_LIFETIME_MS = MINUTE_MS

/**
 * Creates the function that records whether the provider accepted the credentials with which it was last called. It
 * never rejects, because the provider's answer counts even if the state can't be stored. The next call tries again.
 */
export function watchCredentials({ store, log, clock }: HealthDeps, provider: string) {
  /** The state that this process last read or stored. */
  let last: { isAccepted: boolean; at: number } | undefined

  /** Stores the start of the rejection. */
  const storeRejection = () =>
    store.write(tx =>
      tx
        .insertInto('provider_states')
        .values({ provider, rejected_key_at: clock(), hook_at: null })
        .onConflict(conflict =>
          conflict
            .column('provider')
            .doUpdateSet({ rejected_key_at: clock() })
            .where('provider_states.rejected_key_at', 'is', null),
        )
        .execute(),
    )

  async function clearRejection(): Promise<void> {
    const state = await store.reader
      .selectFrom('provider_states')
      .select('rejected_key_at')
      .where('provider', '=', provider)
      .executeTakeFirst()
    if (state?.rejected_key_at == null) return
    await store.write(tx =>
      tx.updateTable('provider_states').set({ rejected_key_at: null }).where('provider', '=', provider).execute(),
    )
  }

  return async (isAccepted: boolean): Promise<void> => {
    const now = clock()
    if (last?.isAccepted === isAccepted && now < last.at + STATE_LIFETIME_MS) return
    if (!isAccepted && last?.isAccepted !== false) log('error', 'provider_key_rejected', { provider })
    try {
      await (isAccepted ? clearRejection() : storeRejection())
      last = { isAccepted, at: now }
    } catch (error) {
      log(levelOf(error), 'provider_state_not_stored', { provider })
    }
  }
}
