/** Operator endpoints for the installation's health, dead jobs, the ledger, payment stops, the audit log and teams. */
import { operator as declared } from '@causeway/contract/endpoints/console'
import { ServiceError } from '@causeway/contract/errors'
import { checkLedger, type LedgerReport } from '../money/ledger/check.js'
import { lastLedgerCheck } from '../money/ledger/watch.js'
import { OPERATOR } from '../platform/audit/operator.js'
import { noteOperator } from '../platform/audit/store.js'
import { eachMinute } from '../platform/each-minute.js'
import { countJobs } from '../platform/jobs/count.js'
import { countMissingJobs, sumOf } from '../platform/jobs/missing.js'
import type { Deps } from '../platform/scope.js'
import { showTime } from '../platform/show.js'
import type { Team } from '../platform/team.js'
import { setPaymentsStop } from '../team/teams/stops.js'
import { findActiveStop, PAYMENTS_STOPPED_SETTING, readStop } from '../team/teams/store.js'
import { type Given, type Own, own } from './console-endpoints.js'
import { auditBefore, deadJobs, PAGE, pausedLanes, reviveJob, stoppedTeams, teamsAfter } from './operator-store.js'
import type { User } from './users.js'

/** The maximum duration of a ledger check, in ms. */
const LEDGER_TIME = 10_000

function requireOperator({ user }: Given): void {
  if (!user.operator)
    throw new ServiceError(
      'FORBIDDEN',
      'Only operators can do this. An operator signs in with the link that pnpm admin console link prints.',
    )
}

const operatorOf = ({ session }: User, { requestId, consoleUser }: Deps) => ({
  actor: session.id,
  requestId,
  consoleUser,
})

const missing = (what: string, id: string) => new ServiceError('NOT_FOUND', `No ${what} has the id ${id}.`)

async function teamById(deps: Deps, id: string): Promise<Team> {
  const team = await deps.teamOf(id)
  if (!team) throw missing('team', id)
  return team
}

/** Reads the parts of a cursor, which are separated by dots. Returns null for the first page. */
function readCursor(text: string | null, pattern: RegExp): RegExpExecArray | null {
  if (text === null) return null
  const parts = pattern.exec(text)
  if (!parts)
    throw new ServiceError('INVALID_SEARCH_PARAMETERS', 'page_cursor must be the next_cursor of the previous page.')
  return parts
}

/** Builds a page and the next page's cursor from the page's rows and, if there are more, one extra row. */
function paged<Row>(rows: readonly Row[], cursor: (row: Row) => string) {
  const data = rows.slice(0, PAGE)
  return { data, next_cursor: rows.length > PAGE ? cursor(data.at(-1)!) : null }
}

const showCheck = ({ report, at }: { report: LedgerReport; at: number }, complete = true) => ({
  at: showTime(at),
  complete,
  // Ledger reports from the previous version have no `receivable`.
  ...report,
  receivable: (report as Partial<LedgerReport>).receivable ?? { payments: 0, cents: 0 },
})

/**
 * Stops payments or lifts a stop.
 * @param to the start of the stop, or null to lift it
 */
async function switchPayments(
  { deps, user }: Given,
  { team: id, confirm, reason }: { team: string; confirm: string; reason: string },
  to: number | null,
) {
  const team = id === 'all' ? null : await teamById(deps, id)
  const words = team?.name ?? (to === null ? 'START ALL' : 'STOP ALL')
  if (confirm !== words) throw new ServiceError('INVALID_REQUEST', `confirm must be ${words}.`)
  const by = operatorOf(user, deps)
  await deps.store.write(tx => setPaymentsStop(tx, team?.id ?? null, to, deps.clock(), reason, by))
  deps.access.forget((team ?? user.team).id)
  const since = team ? await deps.teamOf(team.id).then(now => now && findActiveStop(deps.store.reader, now)) : null
  return {
    team: team?.id ?? 'all',
    stopped_at: to === null ? null : showTime(to),
    still_stopped: team ? since !== null && since !== undefined : to !== null,
  }
}

export const operatorRoutes: Own[] = (
  [
    own(declared.retrieveHealth, async ({ deps }) => {
      const { reader } = deps.store
      const [jobs, missing, lanes_paused, teams_stopped, last, stopped] = await Promise.all([
        eachMinute(deps.store, 'jobs', deps.clock(), () => countJobs(deps.store, deps.clock)),
        eachMinute(deps.store, 'missing', deps.clock(), () => countMissingJobs(deps.store)),
        eachMinute(deps.store, 'lanes', deps.clock(), () => pausedLanes(reader, deps.clock())),
        stoppedTeams(reader),
        lastLedgerCheck(reader),
        reader.selectFrom('settings').select('value').where('name', '=', PAYMENTS_STOPPED_SETTING).executeTakeFirst(),
      ])
      const { running, waiting } = deps.admission.counts()
      return {
        jobs: { ready: jobs.ready, dead: jobs.dead, missing: sumOf(missing), lag_seconds: jobs.lag },
        requests: { running, waiting },
        lanes_paused,
        ledger: last && showCheck(last),
        payments_stopped: stopped ? readStop(stopped.value).since : null,
        teams_stopped,
      }
    }),
    own(declared.listDeadJobs, async ({ deps, query }) => {
      const [, id = '', team = ''] = readCursor(query.get('page_cursor'), /^(\w{1,60})\.(\w{1,60})$/) ?? []
      const rows = await deadJobs(deps.store.reader, id === '' ? null : { id, team })
      return paged(
        rows.map(row => ({ ...row, created_at: showTime(row.created_at) })),
        row => `${row.id}.${row.team_id}`,
      )
    }),
    own(declared.retryJob, async ({ deps, params, user }, { team: id }) => {
      const team = await teamById(deps, id)
      const { job_id } = params
      const by = operatorOf(user, deps)
      await deps.store.write(async tx => {
        if (!(await reviveJob(tx, team.id, job_id, deps.clock()))) throw missing('dead job of this team', job_id)
        await noteOperator(tx, deps.clock(), 'job.retry', team.id, job_id, null, by)
      })
      return { id: job_id, team_id: team.id, state: 'ready' as const }
    }),
    own(declared.checkLedger, async ({ deps }) => {
      const end = performance.now() + LEDGER_TIME
      const isOver = () => performance.now() > end
      const report = await checkLedger(deps, { trackedOnly: true, isStopped: isOver })
      return showCheck({ report, at: deps.clock() }, !isOver())
    }),
    own(declared.stopPayments, (given, body) => switchPayments(given, body, given.deps.clock())),
    own(declared.startPayments, (given, body) => switchPayments(given, body, null)),
    own(declared.listAudit, async ({ deps, query }) => {
      const id = query.get('team')
      const team = id === null ? null : await teamById(deps, id)
      const [, at, last] = readCursor(query.get('page_cursor'), /^(\d{1,13})\.(\w{1,60})$/) ?? []
      const before = at !== undefined && last !== undefined ? { at: Number(at), id: last } : null
      const rows = await auditBefore(deps.store.reader, team?.id ?? OPERATOR, before)
      const { data, next_cursor } = paged(rows, row => `${row.created_at}.${row.id}`)
      const open = team && deps.vault.sealer(team.id, team.dataKey).open
      return {
        data: data.map(({ created_at, reason, ...row }) => ({
          ...row,
          reason:
            reason !== null && open && row.action === 'entity.reveal'
              ? open({ id: row.id, field: 'reason' }, reason)
              : reason,
          at: showTime(created_at),
        })),
        next_cursor,
      }
    }),
    own(declared.listTeams, async ({ deps, query }) => {
      const [after = ''] = readCursor(query.get('page_cursor'), /^\w{1,60}$/) ?? []
      return paged(await teamsAfter(deps.store.reader, after), row => row.id)
    }),
  ] satisfies Own[]
).map(each => ({
  ...each,
  run(given) {
    // mutant: operator-endpoints (remove)
    requireOperator(given)
    return each.run(given)
  },
}))
