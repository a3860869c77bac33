import { compiled } from '../../platform/db/compiled-query.js'
import { lockRows } from '../../platform/db/row-locks.js'
import type { Db } from '../../platform/db/store.js'
import type { Scope } from '../../platform/scope.js'
import { type PaymentRow, type ShownPayment, shownColumns } from './show.js'

const ofTeam = (db: Db, team: string) =>
  db
    .selectFrom('payments')
    .selectAll()
    // mutant: payments-of-own-team (remove)
    .where('team_id', '=', team)
const selectById = compiled((db, { team, id }: { team: string; id: string }) => ofTeam(db, team).where('id', '=', id))
const selectShownById = compiled((db, { team, id }: { team: string; id: string }) =>
  db.selectFrom('payments').select(shownColumns).where('team_id', '=', team).where('id', '=', id),
)
const selectByIdLocked = compiled((db, { team, id }: { team: string; id: string }) =>
  lockRows(db, ofTeam(db, team).where('id', '=', id)),
)
const selectByKey = compiled((db, { team, key }: { team: string; key: string }) =>
  ofTeam(db, team).where('idempotency_key', '=', key),
)

export async function findPayment(scope: Scope, id: string): Promise<PaymentRow | undefined> {
  return selectById.first(scope.db, { team: scope.team.id, id })
}

/** Finds a payment as {@link findPayment} does, with only the columns that responses show. */
export async function findShownPayment(scope: Scope, id: string): Promise<ShownPayment | undefined> {
  return selectShownById.first(scope.db, { team: scope.team.id, id })
}

/** Finds a payment and locks its row until the transaction ends. */
export async function lockPayment(scope: Scope, id: string): Promise<PaymentRow | undefined> {
  return selectByIdLocked.first(scope.db, { team: scope.team.id, id })
}

/** Finds the payment that was created with an Idempotency-Key, however old the payment is. */
export async function findPaymentByKey(scope: Scope, key: string | null): Promise<PaymentRow | undefined> {
  return key === null ? undefined : selectByKey.first(scope.db, { team: scope.team.id, key })
}
