/** Operator commands that export or delete a person's data at that person's request. */

import { consentRecipients } from '../flow/session/recipients.js'
import { showOpalSession } from '../flow/session/show-session.js'
import { showPayment } from '../money/payments/show.js'
import { eraseEventData } from '../notify/emit.js'
import { showVerificationEvent, VERIFICATION } from '../people/accounts/verification.js'
import { showSession } from '../people/entities/sessions.js'
import { showEntities } from '../people/entities/store.js'
import type { AccountRow } from '../people/holders/account.js'
import type { EntityRow } from '../people/holders/entity.js'
import type { Body, Holder, RecordRow } from '../people/holders/product.js'
import { productOf } from '../people/holders/product-rules.js'
import { showAccount } from '../people/holders/show-account.js'
import { lockEntity } from '../people/holders/store.js'
import { showRecordEvent } from '../people/records/show-record.js'
import { findLatestIds } from '../people/records/store.js'
import { scrubAnswers } from '../platform/http/pipeline/idempotency.js'
import type { Scope } from '../platform/scope.js'
import { showTime } from '../platform/show.js'
import { withdrawEntity } from './entity.js'

/** Shows a record without full numbers. For an encrypted product, shows only the common fields, such as the status. */
function showRecord(scope: Scope, row: RecordRow, holder: Holder): Body {
  if (row.product === 'entity_verification_session') return showSession(row)
  if (row.product === VERIFICATION) return showVerificationEvent(scope, row)
  return { product: row.product, ...showRecordEvent(scope, productOf(scope.deps.offers, row)!, row, holder) }
}

/**
 * Masks an account's full number. The API shows full numbers only for bank accounts, and only to the team that owns the
 * account.
 */
const maskNumber = (row: AccountRow, shown: Body): Body =>
  row.type === 'ach' && shown['ach']
    ? { ...shown, ach: { routing: row.routing, number: row.mask && `****${row.mask}`, type: row.ach_type } }
    : shown

/**
 * Exports everything stored about an entity. The export uses the API's format and masks numbers. The export is a single
 * response of any size, because operators run this command manually for one person.
 */
export async function exportEntity(scope: Scope, entity: EntityRow): Promise<Record<string, unknown>> {
  const { db, team } = scope
  const accounts: AccountRow[] = await db
    .selectFrom('accounts')
    .selectAll()
    .where('team_id', '=', team.id)
    .where('holder_id', '=', entity.id)
    .orderBy('id')
    .execute()
  const holders = new Map<string, Holder>([entity, ...accounts].map(row => [row.id, row]))
  const ids = [...holders.keys()]
  const latest = await findLatestIds(scope, ids)
  const records = await db
    .selectFrom('records')
    .selectAll()
    .where('team_id', '=', team.id)
    .where('holder_id', 'in', ids)
    .orderBy('id')
    .execute()
  const payments = await db
    .selectFrom('payments')
    .selectAll()
    .where('team_id', '=', team.id)
    .where(end => end.or([end('source_holder_id', '=', entity.id), end('destination_holder_id', '=', entity.id)]))
    .orderBy('id')
    .execute()
  const sessions = await db
    .selectFrom('sessions')
    .selectAll()
    .where('team_id', '=', team.id)
    .where('entity_id', '=', entity.id)
    .orderBy('id')
    .execute()
  const consents = await db
    .selectFrom('consents')
    .selectAll()
    .where('team_id', '=', team.id)
    .where('entity_id', '=', entity.id)
    .orderBy('id')
    .execute()
  return {
    entity: (await showEntities(scope, [entity]))[0],
    accounts: accounts.map(row => maskNumber(row, showAccount(scope, row, latest.get(row.id) ?? {}))),
    records: records.map(row => showRecord(scope, row, holders.get(row.holder_id)!)),
    sessions: sessions.map(showOpalSession),
    payments: payments.map(row => showPayment(row, { one: true })),
    consents: consents.map(({ session_id, document, version, locale, recipients, created_at }) => ({
      session_id,
      document,
      version,
      locale,
      recipients: recipients === null ? null : consentRecipients.read(recipients),
      given_at: showTime(created_at),
    })),
  }
}

/** Exports the data that a person may see: all that {@link exportEntity} returns, except the customer's notes. */
export async function exportForPerson(scope: Scope, entity: EntityRow): Promise<Record<string, unknown>> {
  const all = await exportEntity(scope, entity)
  return JSON.parse(JSON.stringify(all, (name, value: unknown) => (name === 'metadata' ? undefined : value)))
}

/**
 * Withdraws an entity's consent, which deletes its data. Also deletes the customer's notes on the entity's payments,
 * including copies in events and stored responses. Keeps ids, amounts, times and consent receipts as accounting records
 * and evidence. Throws an error if consent can't be withdrawn.
 */
export async function eraseEntity(scope: Scope, id: string): Promise<void> {
  const entity = (await lockEntity(scope, id))!
  if (entity.withdrawn_at === null) await withdrawEntity(scope, entity)
  const payments = await scope.db
    .updateTable('payments')
    .set({ metadata: null })
    .where('team_id', '=', scope.team.id)
    .where(end => end.or([end('source_holder_id', '=', id), end('destination_holder_id', '=', id)]))
    .where('metadata', 'is not', null)
    .returningAll()
    .execute()
  for (const row of payments) {
    await eraseEventData(scope, [row.id])
    await scrubAnswers(scope, row.id, showPayment(row, { one: true }))
  }
}
