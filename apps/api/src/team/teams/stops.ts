import { ServiceError } from '@causeway/contract/errors'
import { type Operator, recordOperatorAction } from '../../platform/audit/store.js'
import { lockRows } from '../../platform/db/row-locks.js'
import type { Db } from '../../platform/db/store.js'
import { PAYMENTS_STOPPED_SETTING, readStop, writeStop } from './store.js'

/** Returns the command that lifts a stop. @param team null for all teams */
export const startCommand = (team: string | null): string => `pnpm admin payments start ${team ?? 'all'}`

/**
 * Stops payments or lifts the stop, either for a team and the teams below it or for all teams. While payments are
 * stopped, none are created or submitted. The global stop and a team's stop are independent, so each is lifted
 * separately. The console can't lift a stop that an operator command started, because a stolen session must not be able
 * to. Throws FORBIDDEN.
 * @param team null for all teams
 * @param stoppedAt the time of the stop, or null to lift it
 * @param operator the operator's console session; absent for an operator command
 */
export async function setPaymentsStop(
  tx: Db,
  team: string | null,
  stoppedAt: number | null,
  now: number,
  reason: string | null = null,
  operator?: Operator,
): Promise<void> {
  const current = await lockStop(tx, team)
  if (stoppedAt === null && !current) return
  // mutant: console-lifts-no-command-stop (false)
  if (stoppedAt === null && current?.byCommand && operator)
    throw new ServiceError(
      'FORBIDDEN',
      `This stop was started with an operator command, so only a command can lift it: ${startCommand(team)}`,
    )
  const byCommand = stoppedAt !== null && (current?.byCommand || !operator)
  if (team !== null)
    await tx
      .updateTable('teams')
      .set({ payments_stopped_at: stoppedAt, payments_stop_source: byCommand ? 'command' : null })
      .where('id', '=', team)
      .execute()
  else if (stoppedAt === null) await tx.deleteFrom('settings').where('name', '=', PAYMENTS_STOPPED_SETTING).execute()
  else {
    const value = writeStop(current?.since ?? new Date(stoppedAt).toISOString(), byCommand)
    await tx
      .insertInto('settings')
      .values({ name: PAYMENTS_STOPPED_SETTING, value })
      .onConflict(conflict =>
        operator ? conflict.column('name').doNothing() : conflict.column('name').doUpdateSet({ value }),
      )
      .execute()
  }
  await recordOperatorAction(
    tx,
    now,
    stoppedAt === null ? 'payments.start' : 'payments.stop',
    team,
    team,
    reason,
    operator,
  )
}

/** Reads a stop, or null if there is none, and locks its row until the transaction ends. */
async function lockStop(tx: Db, team: string | null): Promise<{ since: string | null; byCommand: boolean } | null> {
  if (team === null) {
    const query = tx.selectFrom('settings').select('value').where('name', '=', PAYMENTS_STOPPED_SETTING)
    const row = await lockRows(tx, query).executeTakeFirst()
    return row ? readStop(row.value) : null
  }
  const query = tx.selectFrom('teams').select(['payments_stop_source', 'payments_stopped_at']).where('id', '=', team)
  const row = await lockRows(tx, query).executeTakeFirst()
  const isStopped = row !== undefined && row.payments_stopped_at !== null
  return isStopped ? { since: null, byCommand: row.payments_stop_source === 'command' } : null
}
