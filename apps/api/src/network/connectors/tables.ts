import type { z } from 'zod'
import { companyName } from '../../platform/company-name.js'
import { jsonColumn } from '../../platform/db/json-column.js'
import type { Store } from '../../platform/db/store.js'
import { describeFault, type Log } from '../../platform/log.js'
import { HOUR_MS, MINUTE_MS } from '../../platform/time.js'
import type { Bureau } from '../port.js'
import type { Ask } from './ask.js'
import { tables as method } from './network-methods.js'
import type { Tables } from './ports.js'

const PATH = 'network/tables'
const KEPT = 'connector_tables'
/** The maximum length of the bureau's name, which the consent screen shows in a title. */
const LONGEST_NAME = 60

export interface LoadedTables extends Tables {
  /** Returns true if the tables are loaded, either from the connector or from the store. */
  ready(): boolean
  stop(): void
}

type Content = z.infer<typeof method.answer>
const contentJson = jsonColumn<Content>('settings.value')

async function kept(store: Store): Promise<Content | undefined> {
  const row = await store.reader.selectFrom('settings').select('value').where('name', '=', KEPT).executeTakeFirst()
  return row && contentJson.read(row.value)
}

/**
 * Loads the merchants and card products into memory immediately and then every hour. After a failure, tries again in
 * one minute. Also stores them, so that the service can start without the connector.
 */
export async function loadTables(
  ask: Ask,
  store: Store,
  { clock, log }: { clock: () => number; log: Log },
): Promise<LoadedTables> {
  let content: Content | undefined
  let bureau: Bureau | null = null
  function load(loaded: Content): void {
    const name = loaded.bureau ? companyName(loaded.bureau.name, LONGEST_NAME) : null
    if (loaded.bureau && name === null && loaded.bureau.name !== content?.bureau?.name)
      log('warn', 'connector_bureau_name_unusable')
    bureau = loaded.bureau && name !== null ? { ...loaded.bureau, name } : null
    content = loaded
  }
  const known = await kept(store)
  if (known) load(known)
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  async function refresh(): Promise<void> {
    let next = HOUR_MS
    try {
      const loaded = (await ask(PATH, method, { request_id: 'tables', team_id: '', now: clock() })) as Content
      load(loaded)
      const value = contentJson.write(loaded)
      await store.write(tx =>
        tx
          .insertInto('settings')
          .values({ name: KEPT, value })
          .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
          .execute(),
      )
    } catch (error) {
      log('warn', 'connector_tables_unreadable', describeFault(error))
      next = MINUTE_MS
    }
    if (!stopped) timer = setTimeout(refresh, next).unref()
  }
  const first = refresh()
  if (!known) await first
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
