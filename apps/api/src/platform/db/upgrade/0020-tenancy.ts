import type { Step } from './steps.js'

/** Preserves the powers that existing teams use. The production defaults apply only to teams that are created later. */
const keep = (name: string, having: string) =>
  `insert into team_grants (team_id, name, value) select id, '${name}', 'on' from teams where ${having}`

/**
 * Adds team trees, operator grants and key scopes. Removes the phone hash from entities: no code read it, and equal
 * phone numbers had the same hash in every team.
 */
export const tenancy: Step = ({ id }) => [
  `alter table teams add column path ${id} not null default ''`,
  `with recursive above (id, path) as (
    select id, id from teams where parent_id is null
    union all select teams.id, above.path || '/' || teams.id from teams join above on teams.parent_id = above.id)
    update teams set path = above.path from above where above.id = teams.id`,
  'create index teams_path on teams (path)',
  'create index teams_stopped on teams (id) where payments_stopped_at is not null',
  `create table team_grants (
    team_id ${id} not null, name text not null, value text not null, primary key (team_id, name))`,
  keep('child_teams', 'exists (select 1 from teams as child where child.parent_id is not null)'),
  keep('byo_kyc', `settings like '%"byo_kyc"%'`),
  keep('manual_connect', `settings like '%"manual_connect"%'`),
  keep('ach_destinations', `settings like '%"ach_destinations":true%'`),
  "alter table api_keys add column scopes text not null default 'read write payments sensitive admin'",
  `alter table api_keys add column created_by ${id}`,
  'create index api_keys_created_by on api_keys (created_by) where created_by is not null',
  'alter table entities drop column phone_hash',
  'alter table forwarding_requests add column linked integer not null default 0',
  'create index forwarding_unlinked on forwarding_requests (team_id) where linked = 0',
  `create table forwarding_holders (
    holder_id ${id} not null, request_id ${id} not null references forwarding_requests (id),
    primary key (holder_id, request_id))`,
]
