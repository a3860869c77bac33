/** Requests that need a second person, in the format that the console displays. */
import type { consoleApprovals } from '@causeway/contract/endpoints/console-approvals'
import type { z } from 'zod'
import { consoleKey } from '../../platform/http/request/idempotency-key.js'
import type { Deps } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import { mask, maskText } from '../mask.js'
import { actorOf, type User } from '../user.js'
import { actionOf, refusalsOf } from './people.js'
import { type ApprovalRow, type Content, findPayments, openContent, openNote, statusOf } from './store.js'
import { subjectsOf } from './subjects.js'

export type ApprovalView = z.input<typeof consoleApprovals.retrieveApproval.answer>

/**
 * Returns a function that finds the payment of an approved request. A process that was killed after the payment was
 * created did not record its id, so it is found by the request's Idempotency-Key.
 */
async function paymentsOf(deps: Deps, { team }: User, rows: readonly { row: ApprovalRow; content: Content }[]) {
  const keyOf = ({ request }: Content) => (request.key === null ? null : consoleKey(deps.vault, request.key))
  const approved = rows.filter(({ row }) => row.status === 'approved')
  const created = approved.filter(({ row }) => row.action === 'payment.create')
  const changed = approved.filter(({ row }) => row.action === 'reversal.approve')
  const payments = await findPayments(
    deps.store.reader,
    team.id,
    [...created, ...changed].flatMap(({ row }) => row.resource_id ?? []),
    created.flatMap(({ row, content }) => (row.resource_id === null ? (keyOf(content) ?? []) : [])),
  )
  return ({ row, content }: { row: ApprovalRow; content: Content }) => {
    if (row.status !== 'approved') return null
    const isOf = ({ id, idempotency_key: key }: (typeof payments)[number]) =>
      row.resource_id === null
        ? // mutant: killed-approval-finds-payment (false)
          row.action === 'payment.create' && key !== null && key === keyOf(content)
        : id === row.resource_id
    return payments.find(isOf) ?? null
  }
}

/** Shows requests to a user. Values of people in them are masked. */
export async function showApprovals(deps: Deps, user: User, rows: readonly ApprovalRow[]): Promise<ApprovalView[]> {
  const refusalOf = await refusalsOf(deps, deps.store.reader, user)
  const opened = rows.map(row => ({ row, content: openContent(deps, user.team, row) }))
  const paymentOf = await paymentsOf(deps, user, opened)
  const subjectOf = await subjectsOf(deps, user, opened)
  return opened.map(each => {
    const { row, content } = each
    const { request, effect, reason, asker } = content
    const payment = paymentOf(each)
    const action = actionOf(row)
    const status = statusOf(row, deps.clock())
    const refusal = refusalOf(action, asker)
    const note = openNote(deps, user.team, row)
    const isWaiting = status === 'waiting'
    return {
      ...{ id: row.id, action: action.name, status, amount: effect.amount },
      resource_id: row.resource_id ?? payment?.id ?? null,
      session_id: row.session_id,
      entity: subjectOf(each),
      payment_status: (payment?.status ?? null) as ApprovalView['payment_status'],
      changes: effect.changes.map(change => ({ ...change })),
      request: { method: request.method, path: request.path, body: mask(request.body) as Record<string, unknown> },
      reason: maskText(reason),
      asked_by: { id: asker.actor, name: asker.name },
      decided_by: row.decided_by === null ? null : { id: row.decided_by, name: row.decided_name },
      decline_reason: status === 'declined' && note !== null ? maskText(note) : null,
      error: status === 'failed' ? note : null,
      can: { approve: isWaiting && refusal === null, withdraw: isWaiting && row.asked_by === actorOf(user.session) },
      why_not: refusal,
      created_at: showTime(row.created_at),
      expires_at: showTime(row.expires_at),
      decided_at: row.decided_at === null ? null : showTime(row.decided_at),
    }
  })
}

export const showApproval = async (deps: Deps, user: User, row: ApprovalRow): Promise<ApprovalView> =>
  (await showApprovals(deps, user, [row]))[0]!
