import { ServiceError } from '@causeway/contract/errors'
import { compiled } from '../../platform/db/compiled-query.js'
import type { Db } from '../../platform/db/store.js'
import type { Deps } from '../../platform/scope.js'
import type { Team, TeamSettings } from '../../platform/team.js'
import { DEFAULT_SENSITIVE_READS } from './team.js'

/** Permissions that a production team has only if the operator granted them. */
export const powers = ['child_teams', 'byo_kyc', 'manual_connect', 'ach_destinations'] as const
export type Power = (typeof powers)[number]
/** Limits that a team can raise only up to the value that the operator granted. */
export const ceilings = ['payment_amount_max', 'payments_per_month', 'sensitive_reads_per_day'] as const
export type Ceiling = (typeof ceilings)[number]

export interface Grants {
  readonly powers: Readonly<Record<Power, boolean>>
  /** Null means that there is no ceiling. */
  readonly ceilings: Readonly<Record<Ceiling, number | null>>
}

type Environment = Deps['environment']

/** Returns the default ceiling, which applies to a team if neither it nor any team above it has a grant. */
const defaultCeiling = (environment: Environment, name: Ceiling): number | null =>
  name === 'sensitive_reads_per_day' && environment === 'production' ? DEFAULT_SENSITIVE_READS : null

/**
 * Resolves a team's grants. A grant applies to a team and every team below it. A permission is on if at least one grant
 * on the path turns it on and none turns it off. Without any grants, a permission is on only in the sandbox. The lowest
 * ceiling on the path applies. Pure.
 * @param rows the grants of every team on the path from the root to the team
 */
export function resolveGrants(environment: Environment, rows: readonly { name: string; value: string }[]): Grants {
  const valuesOf = (name: string) => rows.filter(row => row.name === name).map(row => row.value)
  const isOn = (name: Power) => {
    const values = valuesOf(name)
    return values.length > 0 ? values.every(value => value === 'on') : environment === 'sandbox'
  }
  const ceilingOf = (name: Ceiling) => {
    const values = valuesOf(name)
    if (values.length === 0) return defaultCeiling(environment, name)
    const limits = values.filter(value => value !== 'none').map(Number)
    return limits.length > 0 ? Math.min(...limits) : null
  }
  return {
    powers: Object.fromEntries(powers.map(name => [name, isOn(name)])) as Record<Power, boolean>,
    ceilings: Object.fromEntries(ceilings.map(name => [name, ceilingOf(name)])) as Record<Ceiling, number | null>,
  }
}

/** Reads and resolves a team's grants. @param path the ids on the path from the root to the team */
export async function loadGrants(db: Db, environment: Environment, path: readonly string[]): Promise<Grants> {
  const rows = await db.selectFrom('team_grants').select(['name', 'value']).where('team_id', 'in', path).execute()
  return resolveGrants(environment, rows)
}

/** A ceiling shared by a team and all teams below it. */
export interface TreeCeiling {
  /** The ids on the path from the root to the team that has the ceiling. */
  readonly path: readonly string[]
  readonly limit: number
}

const selectGrants = compiled((db, { path, name }: { path: readonly string[]; name: string }) =>
  db.selectFrom('team_grants').select(['team_id', 'value']).where('team_id', 'in', path).where('name', '=', name),
)

/**
 * Returns the ceilings that a team shares with its tree, from the root down. Ceilings are shared so that creating child
 * teams doesn't multiply a limit.
 */
export async function loadTreeCeilings(
  db: Db,
  environment: Environment,
  path: readonly string[],
  name: Ceiling,
): Promise<TreeCeiling[]> {
  const rows = await selectGrants.all(db, { path, name })
  const defaultLimit = rows.length === 0 ? defaultCeiling(environment, name) : null
  if (defaultLimit !== null) return [{ path: path.slice(0, 1), limit: defaultLimit }]
  return rows
    .filter(row => row.value !== 'none')
    .map(row => ({ path: path.slice(0, path.indexOf(row.team_id) + 1), limit: Number(row.value) }))
    .sort((a, b) => a.path.length - b.path.length)
}

/** Creates the error for an action that the operator has not granted, with the command that grants the action. */
export const notGranted = (team: string, name: Power | Ceiling, value: string, what: string): ServiceError =>
  new ServiceError(
    'FORBIDDEN',
    `${what} The operator of this service can grant it with: pnpm admin team grant ${team} ${name} ${value}`,
  )

const isAbove = (value: number | null, ceiling: number | null) =>
  ceiling !== null && (value === null || value > ceiling)

/** Throws FORBIDDEN if a settings change exceeds the grants. Settings that don't change are not checked. Pure. */
export function validateAgainstGrants(team: Team, next: TeamSettings, grants: Grants): void {
  const current = team.settings
  const powersUsedBy = (settings: TeamSettings): Record<Exclude<Power, 'child_teams'>, boolean> => ({
    byo_kyc: settings.identity_methods.includes('byo_kyc'),
    manual_connect: settings.products.includes('manual_connect'),
    ach_destinations: settings.ach_destinations,
  })
  // mutant: no-power-without-grant (false)
  for (const name of ['byo_kyc', 'manual_connect', 'ach_destinations'] as const)
    if (powersUsedBy(next)[name] && !powersUsedBy(current)[name] && !grants.powers[name])
      throw notGranted(team.id, name, 'on', `${name} is not granted to this team.`)
  for (const name of ceilings) {
    const value = next.limits[name]
    const ceiling = grants.ceilings[name]
    if (value !== current.limits[name] && isAbove(value, ceiling))
      throw notGranted(
        team.id,
        name,
        value === null ? 'none' : String(value),
        `limits.${name} must be a number up to ${ceiling}.`,
      )
  }
}

/** Removes settings that are not granted, and reduces each limit to its ceiling. Pure. */
export function limitToGrants(settings: TeamSettings, grants: Grants): TeamSettings {
  const limits = { ...settings.limits }
  for (const name of ceilings) if (isAbove(limits[name], grants.ceilings[name])) limits[name] = grants.ceilings[name]
  return {
    ...settings,
    limits,
    products: settings.products.filter(name => name !== 'manual_connect' || grants.powers.manual_connect),
    identity_methods: settings.identity_methods.filter(name => name !== 'byo_kyc' || grants.powers.byo_kyc),
    ach_destinations: settings.ach_destinations && grants.powers.ach_destinations,
  }
}
