import type { Engine } from '../store.js'

/**
 * Adds a role and a name to console links and sessions, records the console session that caused an audit entry, and
 * records that a payment stop was started from the command line.
 */
export function consoleUsers(engine: Engine): string[] {
  const id = engine === 'postgres' ? 'text collate "C"' : 'text'
  return [
    `alter table console_links add column session_id ${id}`,
    'alter table console_links add column role text',
    'alter table console_links add column name text',
    'alter table console_sessions add column role text',
    'alter table console_sessions add column name text',
    `alter table audit add column session_id ${id}`,
    'alter table audit add column actor_name text',
    'alter table teams add column payments_stop_source text',
  ]
}
