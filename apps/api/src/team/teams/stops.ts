import { noteOperator, type Operator } from '../../platform/audit/store.js'
import type { Db } from '../../platform/db/store.js'
import { STOPPED } from './store.js'

/**
 * Stops the payments of a team and of the teams below it, or of all teams, or lifts that stop. While they are stopped,
 * no payment is created or submitted. The global stop and the stop of a team are independent, so each is lifted
 * separately.
 * @param team null: all teams
 * @param stopped the time of the stop; null: lift it
 * @param by the operator's console session, if there is one
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
    // Two operators may stop payments at the same time.
    await tx
      .insertInto('settings')
      .values({ name: STOPPED, value: new Date(stopped).toISOString() })
      .onConflict(known => known.column('name').doNothing())
      .execute()
  else await tx.updateTable('teams').set({ payments_stopped_at: stopped }).where('id', '=', team).execute()
  await noteOperator(tx, now, stopped === null ? 'payments.start' : 'payments.stop', team, team, reason, by)
}
