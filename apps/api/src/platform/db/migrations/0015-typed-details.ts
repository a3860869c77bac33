import type { Migration } from '../migrate.js'

const leaves: Record<string, string> = {
  name: '"first_name","last_name"',
  dob: '"dob"',
  ssn_4: '"ssn_4"',
  address: '"line1","line2","city","state","zip"',
}

/**
 * Which details were typed in a frame and are proven by nothing yet, and when they were typed last: until now only each
 * session knew its own.
 */
export const typedDetails: Migration = () => {
  const known = (progress: string) =>
    `exists (select 1 from sessions where sessions.entity_id = entities.id and sessions.progress like '${progress}')`
  const parts = Object.entries(leaves).map(
    ([field, names]) => `case when ${known(`%"typed":[%"${field}"%`)} then ',${names}' else '' end`,
  )
  const phone = `case when phone_verified_at is null and ${known('%"phone_typed":true%')} then ',"phone"' else '' end`
  return [
    `alter table entities add column typed text not null default '[]'`,
    `update entities set typed = '[' || substr(${[phone, ...parts].join(' || ')}, 2) || ']'
      where identity_verified_at is null and withdrawn_at is null`,
    `alter table entities add column match_times text not null default '[]'`,
  ]
}
