/** The audit log of a team, which its admins read and download. */
import { consoleAudit as declared } from '@causeway/contract/endpoints/console-audit'
import { ServiceError } from '@causeway/contract/errors'
import { AUDIT_AREAS, type AuditArea, auditAreas } from '@causeway/contract/fields/audit-areas'
import { DAY_MS } from '@causeway/contract/time'
import { type AuditChange, changesJson } from '../platform/audit/changes.js'
import { hasSealedReason } from '../platform/audit/store.js'
import { checkKnown } from '../platform/http/endpoint/declaration.js'
import { readDay } from '../platform/http/endpoint/paging.js'
import type { Deps } from '../platform/scope.js'
import { showTime } from '../platform/show.js'
import type { Team } from '../platform/team.js'
import { type ConsoleRequest, type ConsoleRoute, implementDownload, implementForConsole } from './console-endpoints.js'
import type { Columns } from './exports/columns.js'
import { pagesAsCsv } from './exports/pages-as-csv.js'
import { maskText } from './mask.js'
import {
  type AuditFilter,
  listAuditEntries,
  listStopsFromAbove,
  readPosition,
  showPosition,
  toPage,
} from './operator-store.js'
import type { User } from './user.js'
import { findUserNames } from './users/store.js'

type AuditPlace = Parameters<typeof showPosition>[0]

const latestFirst = (one: AuditPlace, other: AuditPlace): number =>
  other.created_at - one.created_at || (other.id < one.id ? -1 : 1)

/** Reads a page of the audit log. Opens the reasons that users gave, which are sealed for a team, and names users. */
export async function readAuditPage(
  deps: Deps,
  owner: { id: string; team: Team | null },
  cursor: string | null,
  filter: AuditFilter = {},
) {
  const { reader } = deps.store
  const before = readPosition(cursor)
  const own = await listAuditEntries(reader, owner.id, before, filter)
  const stops = owner.team ? await listStopsFromAbove(reader, owner.team, before, filter) : []
  const { data, next_cursor } = toPage([...own, ...stops].sort(latestFirst), showPosition)
  const open = owner.team && deps.vault.sealer(owner.id, owner.team.dataKey).open
  const openReason = ({ id, action }: { id: string; action: string }, reason: string) =>
    open && hasSealedReason(action) ? open({ id, field: 'reason' }, reason) : reason
  const ids = data.flatMap(({ actor, resource_id }) => [actor, resource_id ?? ''])
  const namesById = await findUserNames(reader, owner.id, ids)
  return {
    data: data.map(({ created_at, reason, changes, ...row }) => ({
      ...row,
      actor_name: row.actor_name ?? namesById.get(row.actor) ?? null,
      resource_name: namesById.get(row.resource_id ?? '') ?? null,
      reason: reason === null ? null : maskText(openReason(row, reason)),
      changes: changes === null ? [] : [...changesJson.read(changes)],
      at: showTime(created_at),
    })),
    next_cursor,
  }
}

/** Throws FORBIDDEN unless the user may read the audit log. */
function requireAdmin({ permissions }: Pick<User, 'permissions'>): void {
  // mutant: audit-needs-admin (remove)
  if (!permissions.has('users')) throw new ServiceError('FORBIDDEN', 'Only admins can read the audit log.')
}

function filterOf(query: URLSearchParams): AuditFilter {
  const first = readDay(query, 'from_date')
  const last = readDay(query, 'to_date')
  checkKnown(query, 'area', auditAreas)
  const area = query.get('area') as AuditArea | null
  return {
    ...(query.get('actor') && { actor: query.get('actor')! }),
    ...(area !== null && { actions: AUDIT_AREAS[area] }),
    ...(query.get('resource_id') && { resource: query.get('resource_id')! }),
    ...(first !== null && { from: first }),
    ...(last !== null && { to: last + DAY_MS }),
  }
}

type Entry = Awaited<ReturnType<typeof readAuditPage>>['data'][number]
const shownChange = ({ name, before, after }: AuditChange): string =>
  before === null && after === null ? name : `${name}: ${before ?? 'none'} → ${after ?? 'none'}`

const names = [
  ...(['id', 'at', 'actor', 'actor_name', 'session_id', 'action'] as const),
  ...(['resource_id', 'resource_name', 'reason'] as const),
] as const
const columns: Columns<Entry> = {
  ...Object.fromEntries(names.map(name => [name, (row: Entry) => row[name]])),
  changes: ({ changes }) => changes.map(shownChange).join('\n'),
}

const auditAsCsv = (request: ConsoleRequest): AsyncGenerator<string> => {
  const { deps, user, query } = request
  const owner = { id: user.team.id, team: user.team }
  return pagesAsCsv<Entry>(request, 'audit', columns, async cursor => {
    const { data, next_cursor } = await readAuditPage(deps, owner, cursor, filterOf(query))
    return { rows: data, next: next_cursor }
  })
}

export const auditRoutes: ConsoleRoute[] = [
  implementForConsole(declared.listTeamAudit, async ({ deps, user, query }) => {
    requireAdmin(user)
    return readAuditPage(deps, { id: user.team.id, team: user.team }, query.get('page_cursor'), filterOf(query))
  }),
  implementDownload(declared.exportTeamAudit, 'audit.csv', requireAdmin, auditAsCsv),
]
