import { noteOperator, type Operator } from '../../platform/audit/store.js'
import type { Db } from '../../platform/db/store.js'
import { STOPPED } from './store.js'

/**
 * Stops payments or lifts the stop, either for a team and the teams below it or for all teams. While payments are
 * stopped, none are created or submitted. The global stop and a team's stop are independent, so each is lifted
 * separately.
 * @param team null for all teams
 * @param stopped the time of the stop, or null to lift it
 * @param by the operator's console session, if any
 */
export async function setPaymentsStop(
  tx: Db,
  team: string | null,
  stopped: number | null,
  now: number,
  reason: string | null = null,
  by?: Operator,
): Promise<void> {
  if (team === null && stopped === null) await tx.deleteFrom('settings').where('name', '=', STOPPED).execute()
  else if (team === null && stopped !== null)
    // Ignores a conflict, because two operators might stop payments at the same time.
    await tx
      .insertInto('settings')
      .values({ name: STOPPED, value: new Date(stopped).toISOString() })
      .onConflict(known => known.column('name').doNothing())
      .execute()
  else await tx.updateTable('teams').set({ payments_stopped_at: stopped }).where('id', '=', team).execute()
  await noteOperator(tx, now, stopped === null ? 'payments.start' : 'payments.stop', team, team, reason, by)
}
