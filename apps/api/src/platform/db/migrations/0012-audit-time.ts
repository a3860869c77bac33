import type { Migration } from '../migrate.js'

/** The audit log is read by time. */
export const auditTime: Migration = () => [
  'drop index audit_team',
  'create index audit_team on audit (team_id, created_at, id)',
]
