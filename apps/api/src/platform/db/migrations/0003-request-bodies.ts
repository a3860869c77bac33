import type { Engine } from '../store.js'
import { rated } from './0001-tenants.js'

/**
 * Adds a table for the bodies of logged requests. Each row holds the bodies of several requests, because sealing and
 * writing bodies together costs much less than doing so one at a time. Earlier versions show this version's requests
 * without bodies.
 */
export function requestBodies(engine: Engine): string[] {
  const id = engine === 'postgres' ? 'text collate "C"' : 'text'
  return [
    `create table request_bodies (team_id ${id} not null, id ${id} not null, sealed text not null,
      created_at bigint not null, primary key (team_id, id))`,
    'create index request_bodies_age on request_bodies (created_at)',
    `alter table requests add column bodies_id ${id}`,
    ...(engine === 'sqlite'
      ? rated([
          ['sqlite_autoindex_request_bodies_1', 'request_bodies', 'team_id, id', 1_000_000],
          ['request_bodies_age', 'request_bodies', 'created_at', 1_000_000],
        ])
      : []),
  ]
}
