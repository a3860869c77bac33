/**
 * Files whose statements may apply to all teams, each with the reason. docs/contributing/statements.md also lists these
 * files.
 */
export const acrossTeams: ReadonlyMap<string, string> = new Map([
  ['console/operator-store.ts', 'operators can see all teams'],
  ['main/operator/request-effects.ts', "an operator can look up any team's request"],
  ['main/operator/doctor-checks.ts', 'an operator checks the whole store'],
  ['main/operator/provider-checks.ts', 'an operator checks the whole store'],
  ['main/operator/drill.ts', 'an operator checks a restored store'],
  ['main/operator/operator.ts', 'an operator identifies a person by id only'],
  ['main/operator/reconcile.ts', 'an operator compares payments with the rail'],
  ['main/operator/rotate.ts', "an operator rotates the service's key"],
  ['money/ledger/check.ts', 'lists the teams that payments and postings refer to'],
  ['money/reconciliation/all-teams.ts', 'operators see the differences of all teams'],
  ['network/providers/hooks.ts', "a provider's webhook names objects, not teams"],
  ['network/providers/outbox.ts', 'sends the due pushes of all teams'],
  ['platform/audit/store.ts', 'an operator reads the audit log'],
  ['platform/db/migrations/migrate.ts', 'migrations'],
  ['platform/jobs/count.ts', 'gauges for all jobs'],
  ['platform/jobs/future.ts', 'finds the jobs of all teams that were created in the future'],
  ['platform/jobs/missing.ts', 'counts the resources of all teams that wait for a job'],
  ['platform/jobs/claims.ts', 'claims due jobs of all teams in turn'],
  ['platform/jobs/jobs.ts', 'ends old leases at startup'],
  ['platform/jobs/run-jobs.ts', "renews this process's leases"],
  ['platform/jobs/sweep.ts', 'deletes old rows of all teams'],
])
