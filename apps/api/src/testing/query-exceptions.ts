/**
 * Files whose statements may apply to all teams, with the reason. docs/contributing/statements.md lists them too.
 */
export const acrossTeams: ReadonlyMap<string, string> = new Map([
  ['console/operator-store.ts', 'the operator looks at all teams'],
  ['main/request-effects.ts', 'the operator asks for a request of any team'],
  ['main/doctor-checks.ts', 'the operator asks about the whole store'],
  ['main/drill.ts', 'the operator looks at a restored store'],
  ['main/operator.ts', 'the operator names a person by id alone'],
  ['main/reconcile.ts', 'the operator compares the payments of the rail'],
  ['main/rotate.ts', 'the operator turns the key of the service'],
  ['money/ledger/check.ts', 'the teams that payments and postings name are listed'],
  ['platform/audit/store.ts', 'the operator reads the audit log'],
  ['platform/db/migrate.ts', 'migrations'],
  ['platform/jobs/count.ts', 'gauges of all jobs'],
  ['platform/jobs/claims.ts', 'due jobs of all teams are taken in turns'],
  ['platform/jobs/jobs.ts', 'leases of this process are renewed, and ended at a start'],
  ['platform/jobs/sweep.ts', 'old rows of all teams are deleted'],
])
