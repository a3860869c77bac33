/** Operator endpoints for the installation's health, dead jobs, the ledger, payment stops, the audit log and teams. */
import { operator as declared } from '@causeway/contract/endpoints/console'
import { ServiceError } from '@causeway/contract/errors'
import { checkLedger, type LedgerReport } from '../money/ledger/check.js'
import { lastLedgerCheck } from '../money/ledger/periodic-check.js'
import { OPERATOR } from '../platform/audit/operator.js'
import { recordOperatorAction } from '../platform/audit/store.js'
import { cacheResult } from '../platform/cache-result.js'
import { countJobs } from '../platform/jobs/count.js'
import { countMissingJobs, sumOf } from '../platform/jobs/missing.js'
import type { Deps } from '../platform/scope.js'
import { showTime } from '../platform/show.js'
import { setPaymentsStop, startCommand } from '../team/teams/stops.js'
import { findActiveStop, PAYMENTS_STOPPED_SETTING, readStop } from '../team/teams/store.js'
import { listOtherOperators } from './approvals/operators.js'
import { findPolicy } from './approvals/store.js'
import { readAuditPage } from './audit.js'
import { connectionRoutes } from './connections/operator-routes.js'
import { type ConsoleRequest, type ConsoleRoute, implementForConsole } from './console-endpoints.js'
import { notFoundError, operatorOf, requireOperator, requireTeam } from './operator-helpers.js'
import {
  countPausedLanes,
  countStoppedTeams,
  listDeadJobs,
  listTeams,
  readCursor,
  retryDeadJob,
  toPage,
} from './operator-store.js'
import { reconciliationRoutes } from './reconciliation.js'
import type { User } from './user.js'

/** The maximum duration of a ledger check, in ms. */
const LEDGER_CHECK_TIMEOUT_MS = 10_000

const showCheck = ({ report, at }: { report: LedgerReport; at: number }, complete = true) => ({
  at: showTime(at),
  complete,
  // Ledger reports from the previous version have no `receivable`.
  ...report,
  receivable: (report as Partial<LedgerReport>).receivable ?? { payments: 0, cents: 0 },
})

/**
 * Stops payments or lifts a stop.
 * @param stoppedAt the start of the stop, or null to lift it
 */
async function setPaymentsStopped(
  { deps, user, within }: ConsoleRequest,
  { team: id, confirm, reason }: { team: string; confirm: string; reason: string },
  stoppedAt: number | null,
) {
  const team = id === 'all' ? null : await requireTeam(deps, id)
  const phrase = team?.name ?? (stoppedAt === null ? 'START ALL' : 'STOP ALL')
  if (confirm !== phrase) throw new ServiceError('INVALID_REQUEST', `confirm must be ${phrase}.`)
  // Set if the request waits, or waited, for a second person.
  if (within && stoppedAt === null) await requireSecondOperator(deps, user, team?.id ?? null)
  const operator = operatorOf(user, deps)
  await deps.store.write(async tx => {
    await setPaymentsStop(tx, team?.id ?? null, stoppedAt, deps.clock(), reason, operator)
    await within?.(tx)
  })
  deps.access.forget((team ?? user.team).id)
  const since = team ? await deps.teamOf(team.id).then(now => now && findActiveStop(deps.store.reader, now)) : null
  return {
    team: team?.id ?? 'all',
    stopped_at: stoppedAt === null ? null : showTime(stoppedAt),
    still_stopped: team ? since !== null && since !== undefined : stoppedAt !== null,
  }
}

/** Throws FORBIDDEN if a request to lift a stop would wait for a second person although no user could approve it. */
async function requireSecondOperator(deps: Deps, user: User, team: string | null): Promise<void> {
  // mutant: start-has-second-operator (false)
  if ((await listOtherOperators(deps, user)).length === 0)
    throw new ServiceError(
      'FORBIDDEN',
      `A second operator of this team must approve this, and there is none. Lift the stop on the service's machine: ${startCommand(team)}`,
    )
}

/** Describes what lifting a stop of all payments needs from a user. */
async function describeStart(deps: Deps, user: User, byCommand: boolean) {
  const hasPolicy = (await findPolicy(deps.store.reader, user.team.id)) !== null
  return {
    needs: byCommand ? ('command' as const) : hasPolicy ? ('second_operator' as const) : ('nothing' as const),
    operators: hasPolicy ? await listOtherOperators(deps, user) : [],
    command: startCommand(null),
  }
}

export const operatorRoutes: ConsoleRoute[] = (
  [
    implementForConsole(declared.retrieveHealth, async ({ deps, user }) => {
      const { reader } = deps.store
      const [jobs, missing, lanes_paused, teams_stopped, ledgerCheck, stop] = await Promise.all([
        cacheResult(deps.store, 'jobs', deps.clock(), () => countJobs(deps.store, deps.clock)),
        cacheResult(deps.store, 'missing', deps.clock(), () => countMissingJobs(deps.store)),
        cacheResult(deps.store, 'lanes', deps.clock(), () => countPausedLanes(reader, deps.clock())),
        countStoppedTeams(reader),
        lastLedgerCheck(reader),
        reader.selectFrom('settings').select('value').where('name', '=', PAYMENTS_STOPPED_SETTING).executeTakeFirst(),
      ])
      const { running, waiting } = deps.admission.counts()
      return {
        jobs: { ready: jobs.ready, dead: jobs.dead, missing: sumOf(missing), lag_seconds: jobs.lag },
        requests: { running, waiting },
        lanes_paused,
        ledger: ledgerCheck && showCheck(ledgerCheck),
        payments_stopped: stop ? readStop(stop.value).since : null,
        teams_stopped,
        payments_start: await describeStart(deps, user, stop !== undefined && readStop(stop.value).byCommand),
      }
    }),
    implementForConsole(declared.listDeadJobs, async ({ deps, query }) => {
      const [, id = '', team = ''] = readCursor(query.get('page_cursor'), /^(\w{1,60})\.(\w{1,60})$/) ?? []
      const rows = await listDeadJobs(deps.store.reader, id === '' ? null : { id, team })
      return toPage(
        rows.map(row => ({ ...row, created_at: showTime(row.created_at) })),
        row => `${row.id}.${row.team_id}`,
      )
    }),
    implementForConsole(declared.retryJob, async ({ deps, params, user }, { team: id }) => {
      const team = await requireTeam(deps, id)
      const { job_id } = params
      const operator = operatorOf(user, deps)
      await deps.store.write(async tx => {
        if (!(await retryDeadJob(tx, team.id, job_id, deps.clock())))
          throw notFoundError('dead job of this team', job_id)
        await recordOperatorAction(tx, deps.clock(), 'job.retry', team.id, job_id, null, operator)
      })
      return { id: job_id, team_id: team.id, state: 'ready' as const }
    }),
    implementForConsole(declared.checkLedger, async ({ deps }) => {
      const deadline = performance.now() + LEDGER_CHECK_TIMEOUT_MS
      const isOver = () => performance.now() > deadline
      const report = await checkLedger(deps, { trackedOnly: true, isStopped: isOver })
      return showCheck({ report, at: deps.clock() }, !isOver())
    }),
    implementForConsole(declared.stopPayments, (request, body) =>
      setPaymentsStopped(request, body, request.deps.clock()),
    ),
    implementForConsole(declared.startPayments, (request, body) => setPaymentsStopped(request, body, null)),
    implementForConsole(declared.listAudit, async ({ deps, query }) => {
      const id = query.get('team')
      const team = id === null ? null : await requireTeam(deps, id)
      return readAuditPage(deps, { id: team?.id ?? OPERATOR, team }, query.get('page_cursor'))
    }),
    implementForConsole(declared.listTeams, async ({ deps, query }) => {
      const [after = ''] = readCursor(query.get('page_cursor'), /^\w{1,60}$/) ?? []
      return toPage(await listTeams(deps.store.reader, after), row => row.id)
    }),
    ...connectionRoutes,
    ...reconciliationRoutes,
  ] satisfies ConsoleRoute[]
).map(each => ({
  ...each,
  run(request) {
    // mutant: operator-endpoints (remove)
    requireOperator(request.user)
    return each.run(request)
  },
}))
