import type { StepData } from '@causeway/contract/session'
import type { Scope } from '../../../platform/scope.js'
import { showTime } from '../../../platform/show.js'
import { agreedData } from '../../session/consents.js'
import { recordEvents, SESSION_STARTED } from '../../session/events.js'
import type { Facts } from '../../session/facts.js'
import { paymentStatuses } from '../../session/payment-statuses.js'
import { restartSession, retryFailedRequests } from '../../session/restart-session.js'
import { readAllocations } from '../../session/session.js'
import { lockSession } from '../../session/store.js'
import { type Call, noErrors, type StepResult, saveChange, stepErrors } from '../call.js'
import { defineStep } from '../define-step.js'
import { showAccounts } from '../show-accounts.js'

export const done = defineStep({
  name: 'done',
  flow: null,
  place: 'end',
  async show(facts, scope) {
    const { session, config } = facts
    const allocations = readAllocations(session)
    const ids = config.terms ? Object.keys(allocations) : (facts.progress.selected ?? [])
    const payments = await paymentStatuses(scope, session)
    return {
      accounts: showAccounts(
        facts,
        facts.accounts.filter(found => ids.includes(found.row.id)),
      ),
      terms: config.terms,
      allocations,
      payout_status: config.terms ? session.payout_status : null,
      released_at: session.released_at === null ? null : showTime(session.released_at),
      completed_at: session.completed_at === null ? null : showTime(session.completed_at),
      agreed: await agreedTo(scope, facts),
      payments,
      editable: config.terms !== null && session.released_at === null,
      continues: facts.progress.next !== null,
    }
  },
  async take(call, input) {
    if (input['action'] === 'continue' && call.facts.progress.next !== null)
      return continueTo(call, call.facts.progress.next)
    if (input['action'] !== 'edit' || !call.facts.config.terms || call.facts.session.released_at !== null)
      return stepErrors(null, 'changed')
    await saveChange(call, () => ({ editing: true, reviewing: false, draft: null }))
    return noErrors
  },
})

/** Continues with another session: the call's bearer then stands for that session. */
async function continueTo(call: Call, id: string): Promise<StepResult> {
  const { tx } = call.held!
  const row = (await lockSession(tx, id))!
  const next = await retryFailedRequests(tx, await restartSession(tx, row), call.facts.progress.named ?? '')
  await tx.db
    .updateTable('bearers')
    .set({ session_id: next.id, mode: next.mode })
    .where('team_id', '=', tx.team.id)
    .where('hash', '=', call.bearer)
    .execute()
  const started = await recordEvents(tx, next, call.handle, [SESSION_STARTED])
  tx.after(() => {
    call.events.push(...started)
  })
  call.next = next.id
  return noErrors
}

/**
 * Lists the documents agreed to in a session or carried over from earlier sessions, sorted by when each was last
 * agreed to.
 */
async function agreedTo(scope: Scope, { session, progress }: Facts): Promise<StepData['done']['agreed']> {
  const rows = await scope.db
    .selectFrom('consents')
    .select(['session_id', 'document', 'version', 'locale', 'products', 'recipients', 'created_at'])
    .where('team_id', '=', scope.team.id)
    .where(is => is.or([is('session_id', '=', session.id), ...progress.carried.map(carried => is('id', '=', carried))]))
    .orderBy('id')
    .execute()
  const last = new Map(rows.map(row => [row.document, row]))
  return rows
    .filter(row => last.get(row.document) === row)
    .map(({ session_id, document, version, locale, products, recipients, created_at }) => ({
      id: document,
      version,
      locale,
      shares: agreedData(scope.deps, { document, products, recipients }),
      at: showTime(created_at),
      ...(session_id === session.id ? {} : { earlier: true as const }),
    }))
}
