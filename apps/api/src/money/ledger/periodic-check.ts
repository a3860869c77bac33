import { MINUTE_MS } from '@causeway/contract/time'
import { jsonColumn } from '../../platform/db/json-column.js'
import type { Db } from '../../platform/db/store.js'
import type { Deps } from '../../platform/scope.js'
import { checkLedger, type LedgerReport } from './check.js'

/** The last check and when it ran, for the operations listener. */
export interface LedgerWatch {
  last(): { report: LedgerReport; at: number } | null
  stop(): Promise<void>
}

const CHECK_INTERVAL_MS = 10 * MINUTE_MS

/** The setting that stores the result of the last check by any process. */
const LAST_CHECK_SETTING = 'ledger_check'

const lastJson = jsonColumn<{ report: LedgerReport; at: number }>('settings.value')

/** Returns the result of the last check that any process ran, or null if none has run. */
export async function lastLedgerCheck(db: Db): Promise<{ report: LedgerReport; at: number } | null> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', LAST_CHECK_SETTING).executeTakeFirst()
  return row ? lastJson.read(row.value) : null
}

/** Checks the payments that can still move: once immediately, and then every ten minutes. */
export function watchLedger(deps: Deps): LedgerWatch {
  let last: { report: LedgerReport; at: number } | null = null
  let running: Promise<void> | undefined
  let isStopped = false
  async function check(): Promise<void> {
    const report = await checkLedger(deps, { trackedOnly: true, whileServing: true, isStopped: () => isStopped })
    if (isStopped) return
    last = { report, at: deps.clock() }
    if (!last.report.ok) deps.log('error', 'ledger_fault', { fault: `${last.report.faulty} faults` })
    const value = lastJson.write(last)
    await deps.store.write(tx =>
      tx
        .insertInto('settings')
        .values({ name: LAST_CHECK_SETTING, value })
        .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
        .execute(),
    )
  }
  const startCheck = () => {
    // A check of many payments may take longer than the interval, so the next check starts only after the previous one
    // ends.
    running ??= check()
      .catch(() => deps.log('warn', 'ledger_unchecked'))
      .finally(() => {
        running = undefined
      })
  }
  const timer = setInterval(startCheck, CHECK_INTERVAL_MS)
  timer.unref()
  startCheck()
  return {
    last: () => last,
    async stop() {
      clearInterval(timer)
      isStopped = true
      await running
    },
  }
}
