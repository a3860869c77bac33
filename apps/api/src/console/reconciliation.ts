/** Operator endpoints for the comparison of providers' statements with the store. */
import { reconciliation as declared } from '@causeway/contract/endpoints/console-reconciliation'
import { ServiceError } from '@causeway/contract/errors'
import { exceptionsAsCsv, listExceptions, listReconciliations } from '../money/reconciliation/all-teams.js'
import { scheduleReconciliations } from '../money/reconciliation/schedule.js'
import { explainException, showException } from '../money/reconciliation/store.js'
import { recordOperatorAction } from '../platform/audit/store.js'
import { type ConsoleRoute, implementDownload, implementForConsole } from './console-endpoints.js'
import { notFoundError, operatorOf, requireOperator, requireTeam } from './operator-helpers.js'
import { PAGE_SIZE, readCursor, toPage } from './operator-store.js'

/** Reads the `status` parameter. @returns true for open exceptions only */
function readIsOpen(query: URLSearchParams): boolean {
  const status = query.get('status') ?? 'open'
  if (status !== 'open' && status !== 'all')
    throw new ServiceError('INVALID_SEARCH_PARAMETERS', 'status must be open or all.')
  return status === 'open'
}

const cursorOf = ({ id, team_id }: { id: string; team_id: string }) => `${id}.${team_id}`

function readPageEnd(query: URLSearchParams): { id: string; team: string } | null {
  const parts = readCursor(query.get('page_cursor'), /^(\w{1,60})\.(\w{1,60})$/)
  return parts && { id: parts[1]!, team: parts[2]! }
}

export const reconciliationRoutes: ConsoleRoute[] = [
  implementForConsole(declared.listExceptions, async ({ deps, query }) =>
    toPage(
      await listExceptions(deps.store.reader, deps.vault, readIsOpen(query), readPageEnd(query), PAGE_SIZE),
      cursorOf,
    ),
  ),
  implementDownload(declared.downloadExceptions, 'exceptions.csv', requireOperator, ({ deps, query }) =>
    exceptionsAsCsv(deps.store.reader, deps.vault, readIsOpen(query)),
  ),
  implementForConsole(declared.explainException, async ({ deps, params, user }, { team: id, by, text }) => {
    const team = await requireTeam(deps, id)
    const { rex_id } = params
    const sealer = deps.vault.sealer(team.id, team.dataKey)
    const row = await deps.store.write(tx =>
      explainException(tx, sealer, { team: team.id, id: rex_id, by, text }, deps.clock(), operatorOf(user, deps)),
    )
    if (!row) throw notFoundError('exception of this team', rex_id)
    return showException(row, sealer)
  }),
  implementForConsole(declared.listReconciliations, async ({ deps, query }) =>
    toPage(await listReconciliations(deps.store.reader, readPageEnd(query), PAGE_SIZE), cursorOf),
  ),
  implementForConsole(declared.startReconciliation, async ({ deps, user }, { team: id, provider = null }) => {
    const team = id === 'all' ? null : (await requireTeam(deps, id)).id
    const names = deps.statements.map(each => each.provider)
    if (names.length === 0) throw new ServiceError('INVALID_REQUEST', 'No provider in PROVIDERS has statements.')
    if (provider !== null && !names.includes(provider))
      throw new ServiceError('INVALID_REQUEST', `provider must be one of: ${names.join(', ')}.`)
    await deps.store.write(tx =>
      recordOperatorAction(tx, deps.clock(), 'reconciliation.start', team, provider, null, operatorOf(user, deps)),
    )
    return { scheduled: await scheduleReconciliations(deps, { team, provider, dueBefore: deps.clock() }) }
  }),
]
