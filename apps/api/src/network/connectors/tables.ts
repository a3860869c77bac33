import { tablesMethod as method } from '@causeway/connector/methods/network-methods'
import type { CardProduct } from '@causeway/connector/ports/account-data'
import type { Bureau, Merchant } from '@causeway/connector/ports/network'
import { HOUR_MS, MINUTE_MS } from '@causeway/contract/time'
import type { z } from 'zod'
import { companyName } from '../../platform/company-name.js'
import { jsonColumn } from '../../platform/db/json-column.js'
import type { Store } from '../../platform/db/store.js'
import { describeFault, type Log } from '../../platform/log.js'
import type { CallConnector } from './ask.js'

const TABLES_PATH = 'network/tables'
const TABLES_SETTING = 'connector_tables'
/** The maximum length of the bureau's name, which the consent screen shows in a title. */
const MAX_BUREAU_NAME_LENGTH = 60

/** The tables that every process holds in memory. */
export interface NetworkTables {
  merchants(): readonly Merchant[]
  cardProducts(): readonly CardProduct[]
  bureau(): Bureau | null
}

export interface LoadedTables extends NetworkTables {
  /** Returns true if the tables are loaded, either from the connector or from the store. */
  ready(): boolean
  stop(): void
}

type TablesContent = z.infer<typeof method.answer>
const contentJson = jsonColumn<TablesContent>('settings.value')

async function findStoredTables(store: Store): Promise<TablesContent | undefined> {
  const row = await store.reader
    .selectFrom('settings')
    .select('value')
    .where('name', '=', TABLES_SETTING)
    .executeTakeFirst()
  return row && contentJson.read(row.value)
}

/**
 * Loads the merchants and card products into memory immediately and then every hour. After a failure, tries again in
 * one minute. Also stores them, so that the service can start without the connector.
 */
export async function loadTables(
  callConnector: CallConnector,
  store: Store,
  { clock, log }: { clock: () => number; log: Log },
): Promise<LoadedTables> {
  let content: TablesContent | undefined
  let bureau: Bureau | null = null
  function applyContent(loaded: TablesContent): void {
    const name = loaded.bureau ? companyName(loaded.bureau.name, MAX_BUREAU_NAME_LENGTH) : null
    if (loaded.bureau && name === null && loaded.bureau.name !== content?.bureau?.name)
      log('warn', 'connector_bureau_name_unusable')
    bureau = loaded.bureau && name !== null ? { ...loaded.bureau, name } : null
    content = loaded
  }
  const stored = await findStoredTables(store)
  if (stored) applyContent(stored)
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  async function refresh(): Promise<void> {
    let delayMs = HOUR_MS
    try {
      const loaded = (await callConnector(TABLES_PATH, method, {
        request_id: 'tables',
        team_id: '',
        now: clock(),
      })) as TablesContent
      applyContent(loaded)
      const value = contentJson.write(loaded)
      await store.write(tx =>
        tx
          .insertInto('settings')
          .values({ name: TABLES_SETTING, value })
          .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
          .execute(),
      )
    } catch (error) {
      log('warn', 'connector_tables_unreadable', describeFault(error))
      delayMs = MINUTE_MS
    }
    if (!stopped) timer = setTimeout(refresh, delayMs).unref()
  }
  const firstRefresh = refresh()
  if (!stored) await firstRefresh
  return {
    merchants: () => content?.merchants ?? [],
    cardProducts: () => content?.card_products ?? [],
    bureau: () => bureau,
    ready: () => content !== undefined,
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
