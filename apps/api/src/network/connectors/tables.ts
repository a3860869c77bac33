import { tablesMethod as method } from '@causeway/connector/methods/network-methods'
import type { CardProduct } from '@causeway/connector/ports/account-data'
import type { Bureau, Merchant } from '@causeway/connector/ports/network'
import type { z } from 'zod'
import { companyName } from '../../platform/company-name.js'
import type { Store } from '../../platform/db/store.js'
import type { Log } from '../../platform/log.js'
import type { CallConnector } from './ask.js'
import { startStoredRead } from './stored-read.js'

/** The maximum length of the bureau's name, which the consent screen shows in a title. */
const MAX_BUREAU_NAME_LENGTH = 60

/** The tables that every process holds in memory. */
export interface NetworkTables {
  merchants(): readonly Merchant[]
  cardProducts(): readonly CardProduct[]
  /** Null if the bureau is not named. Undefined if there is none. */
  bureau(): Bureau | null | undefined
}

export interface LoadedTables extends NetworkTables {
  /** Returns true if the tables are loaded, either from the connector or from the store. */
  ready(): boolean
  stop(): void
}

type TablesContent = z.infer<typeof method.answer>

/** Loads the merchants, the card products and the bureau into memory, and keeps them current. */
export async function loadTables(
  callConnector: CallConnector,
  store: Store,
  deps: { clock: () => number; log: Log },
): Promise<LoadedTables> {
  let content: TablesContent | undefined
  let bureau: Bureau | null | undefined = null
  function apply(loaded: TablesContent): void {
    const name = loaded.bureau ? companyName(loaded.bureau.name, MAX_BUREAU_NAME_LENGTH) : null
    if (loaded.bureau && name === null && loaded.bureau.name !== content?.bureau?.name)
      deps.log('warn', 'connector_bureau_name_unusable')
    const named = loaded.bureau && name !== null ? { ...loaded.bureau, name } : null
    bureau = loaded.bureau === null ? undefined : named
    content = loaded
  }
  const stop = await startStoredRead(
    {
      path: 'network/tables',
      method,
      setting: 'connector_tables',
      failure: 'connector_tables_unreadable',
      apply,
    },
    callConnector,
    store,
    deps,
  )
  return {
    merchants: () => content?.merchants ?? [],
    cardProducts: () => content?.card_products ?? [],
    bureau: () => bureau,
    ready: () => content !== undefined,
    stop,
  }
}
