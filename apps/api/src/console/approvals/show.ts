/** Requests that need a second person, in the format that the console displays. */
import type { consoleApprovals } from '@causeway/contract/endpoints/console-approvals'
import type { z } from 'zod'
import type { Deps } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import { mask } from '../mask.js'
import { actorOf, type User } from '../user.js'
import { actionOf, refusalsOf } from './people.js'
import { type ApprovalRow, openContent, openNote, statusOf } from './store.js'

export type ApprovalView = z.input<typeof consoleApprovals.retrieveApproval.answer>

/** Shows requests to a user. Values of people in them are masked. */
export async function showApprovals(deps: Deps, user: User, rows: readonly ApprovalRow[]): Promise<ApprovalView[]> {
  const refusalOf = await refusalsOf(deps, deps.store.reader, user)
  return rows.map(row => {
    const { request, effect, reason, asker } = openContent(deps, user.team, row)
    const action = actionOf(row)
    const status = statusOf(row, deps.clock())
    const refusal = refusalOf(action, asker)
    const note = openNote(deps, user.team, row)
    const isWaiting = status === 'waiting'
    return {
      ...{ id: row.id, action: action.name, status, resource_id: row.resource_id, amount: effect.amount },
      changes: effect.changes.map(change => ({ ...change })),
      request: { method: request.method, path: request.path, body: mask(request.body) as Record<string, unknown> },
      reason,
      asked_by: { id: asker.actor, name: asker.name },
      decided_by: row.decided_by === null ? null : { id: row.decided_by, name: row.decided_name },
      decline_reason: status === 'declined' ? note : null,
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
