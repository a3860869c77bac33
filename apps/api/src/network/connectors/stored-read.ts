import type { Method } from '@causeway/connector/methods/method'
import { HOUR_MS, MINUTE_MS } from '@causeway/contract/time'
import type { z } from 'zod'
import { jsonColumn } from '../../platform/db/json-column.js'
import type { Store } from '../../platform/db/store.js'
import { describeFault, type Log } from '../../platform/log.js'
import type { CallConnector } from './ask.js'

/** A method whose answer every process holds in memory. */
export interface StoredRead<M extends Method> {
  path: string
  method: M
  /** The setting that stores the answer. */
  setting: string
  /** The event to log if the answer can't be read. */
  failure: string
  /** Uses a new answer. */
  apply(answer: z.infer<M['answer']>): void
}

/**
 * Calls a method immediately and then every hour. After a failure, tries again in one minute. Also stores the answer, so
 * that the service can start without the connector.
 * @returns a function that stops the calls
 */
export async function startStoredRead<M extends Method>(
  { path, method, setting, failure, apply }: StoredRead<M>,
  callConnector: CallConnector,
  store: Store,
  { clock, log }: { clock: () => number; log: Log },
): Promise<() => void> {
  const json = jsonColumn<z.infer<M['answer']>>('settings.value')
  const row = await store.reader.selectFrom('settings').select('value').where('name', '=', setting).executeTakeFirst()
  if (row) apply(json.read(row.value))
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  async function refresh(): Promise<void> {
    let delayMs = HOUR_MS
    try {
      const call = { request_id: path.split('/').at(-1)!, team_id: '', now: clock() }
      const answer = (await callConnector(path, method, call)) as z.infer<M['answer']>
      apply(answer)
      const value = json.write(answer)
      await store.write(tx =>
        tx
          .insertInto('settings')
          .values({ name: setting, value })
          .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
          .execute(),
      )
    } catch (error) {
      log('warn', failure, describeFault(error))
      delayMs = MINUTE_MS
    }
    if (!isStopped) timer = setTimeout(refresh, delayMs).unref()
  }
  const firstRefresh = refresh()
  if (!row) await firstRefresh
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}
