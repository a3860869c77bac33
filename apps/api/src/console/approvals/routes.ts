/** Endpoints for requests that need a second person. */
import { consoleApprovals as declared } from '@causeway/contract/endpoints/console-approvals'
import { ServiceError } from '@causeway/contract/errors'
import { changesBetween } from '../../platform/audit/changes.js'
import { audit } from '../../platform/audit/store.js'
import { transact } from '../../platform/scope.js'
import { type ConsoleRequest, type ConsoleRoute, implementForConsole } from '../console-endpoints.js'
import { readPosition, showPosition, toPage } from '../operator-store.js'
import { missingPermissionMessage } from '../roles.js'
import { actorOf } from '../user.js'
import { listUsers } from '../users/store.js'
import { actions } from './actions.js'
import { approve, checkApprover, decideAs, endedError } from './run.js'
import { showApproval, showApprovals } from './show.js'
import {
  type ApprovalRow,
  findApproval,
  findPolicy,
  listApprovals,
  openContent,
  statusOf,
  storePolicy,
} from './store.js'

/** Loads the request that a user decides about. Throws FORBIDDEN for a user who can't decide about any. */
async function loadForDecision(request: ConsoleRequest): Promise<ApprovalRow> {
  const { permissions, role } = request.user
  if (!actions.some(({ permission }) => permissions.has(permission)))
    throw new ServiceError('FORBIDDEN', missingPermissionMessage(role, 'payments'))
  return load(request)
}

async function load({ deps, user, params }: ConsoleRequest): Promise<ApprovalRow> {
  const id = params['capr_id'] ?? ''
  const row = await findApproval(deps.store.reader, user.team.id, id)
  if (!row) throw new ServiceError('NOT_FOUND', `No request of this team that needs a second person has the id ${id}.`)
  return row
}

/** Throws INVALID_REQUEST if no second person could approve anything. */
async function requireTwoPeople({ deps, user }: ConsoleRequest): Promise<void> {
  const users = await listUsers(deps.store.reader, user.team.id)
  const approvers = users.filter(
    ({ status, role, id }) =>
      status === 'active' && (role === 'admin' || role === 'finance') && id !== user.account?.id,
  )
  if (approvers.length === 0)
    throw new ServiceError(
      'INVALID_REQUEST',
      'No other active user of this team has the finance or admin role. Invite a second person first.',
    )
}

export const approvalRoutes: ConsoleRoute[] = [
  implementForConsole(declared.listApprovals, async ({ deps, user, query }) => {
    const status = query.get('status') ?? 'waiting'
    if (status !== 'waiting' && status !== 'all')
      throw new ServiceError('INVALID_SEARCH_PARAMETERS', 'status must be waiting or all.')
    const [resource, session] = [query.get('resource_id'), query.get('session_id')]
    const rows = await listApprovals(
      deps.store.reader,
      user.team.id,
      {
        ...(status === 'waiting' && { waitingAt: deps.clock() }),
        ...(resource !== null && { resource }),
        ...(session !== null && { session }),
      },
      readPosition(query.get('page_cursor')),
    )
    const page = toPage(rows, showPosition)
    return { data: await showApprovals(deps, user, page.data), next_cursor: page.next_cursor }
  }),
  implementForConsole(declared.retrieveApproval, async request =>
    showApproval(request.deps, request.user, await load(request)),
  ),
  implementForConsole(declared.approveRequest, async request => {
    const { options, deps, user, perform } = request
    const row = await approve(options, deps, user, await loadForDecision(request), perform)
    return showApproval(deps, user, row)
  }),
  implementForConsole(declared.declineRequest, async (request, { reason }) => {
    const { deps, user } = request
    const row = await loadForDecision(request)
    await checkApprover(deps, user, row, openContent(deps, user.team, row))
    return showApproval(
      deps,
      user,
      await transact(deps, user.team, scope => decideAs(scope, user, row.id, 'declined', reason)),
    )
  }),
  implementForConsole(declared.withdrawRequest, async request => {
    const { deps, user } = request
    const row = await load(request)
    // mutant: only-asker-withdraws (false)
    if (row.asked_by !== actorOf(user.session))
      throw new ServiceError('FORBIDDEN', 'Only the person who asked can withdraw this request. You can decline it.')
    if (statusOf(row, deps.clock()) !== 'waiting') throw endedError(row, deps.clock())
    return showApproval(
      deps,
      user,
      await transact(deps, user.team, scope => decideAs(scope, user, row.id, 'withdrawn')),
    )
  }),
  implementForConsole(declared.retrieveApprovalSettings, async ({ deps, user }) => ({
    approve_above: await findPolicy(deps.store.reader, user.team.id),
  })),
  implementForConsole(declared.updateApprovalSettings, async (request, { approve_above }) => {
    const { deps, user, within } = request
    if (!user.permissions.has('settings'))
      throw new ServiceError('FORBIDDEN', missingPermissionMessage(user.role, 'settings'))
    if (approve_above !== null) await requireTwoPeople(request)
    await transact(deps, user.team, async scope => {
      const before = { approve_above: await findPolicy(scope.db, user.team.id) }
      await storePolicy(scope.db, user.team.id, approve_above, deps.clock())
      await audit(scope, actorOf(user.session), 'approval.settings', user.team.id, {
        changes: changesBetween(before, { approve_above }),
      })
      await within?.(scope.db)
    })
    return { approve_above }
  }),
]
