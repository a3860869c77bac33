import type { Rail, RailCorrection } from '@causeway/connector/ports/rail'
import { findAccount } from '../../people/holders/store.js'
import { correctAccount } from '../../people/lifecycle/correct-account.js'
import { jsonColumn } from '../../platform/db/json-column.js'
import { type Scope, sealer } from '../../platform/scope.js'
import type { PaymentRow } from '../payments/show.js'

type Notice = NonNullable<Awaited<ReturnType<Rail['status']>>['noc']>

const correctedJson = jsonColumn<RailCorrection>('payment_notices.corrected')

/**
 * Handles a bank's notification that later payments must use other details, once. Corrects an ach destination. The
 * details of a debt's payee belong to the operator, so they are only stored and reported.
 */
export async function handleNotice(
  scope: Scope,
  payment: PaymentRow,
  { code, at }: Notice,
  corrected: RailCorrection,
): Promise<void> {
  const { db, deps, team } = scope
  const key = { team_id: team.id, payment_id: payment.id, code, at }
  const added = await db
    .insertInto('payment_notices')
    .values({
      ...key,
      corrected: sealer(scope).seal({ id: payment.id, field: 'corrected' }, correctedJson.write(corrected)),
      handled_at: null,
      created_at: deps.clock(),
    })
    .onConflict(conflict => conflict.columns(['team_id', 'payment_id', 'code', 'at']).doNothing())
    .executeTakeFirst()
  // mutant: notices-are-handled-once (false)
  if (added.numInsertedOrUpdatedRows === 0n) return
  const destination = await findAccount(scope, payment.destination ?? '')
  // mutant: payees-are-not-corrected (true)
  const isCorrected = destination?.type === 'ach' && (await correctAccount(scope, destination.id, corrected))
  if (!isCorrected) {
    deps.log('warn', 'payee_correction_reported', {
      ...{ request_id: payment.id, team_id: team.id },
      provider_code: code,
    })
    return
  }
  await db
    .updateTable('payment_notices')
    .set({ corrected: null, handled_at: deps.clock() })
    .where('team_id', '=', team.id)
    .where('payment_id', '=', payment.id)
    .where('code', '=', code)
    .where('at', '=', at)
    .execute()
}
