import type { Tables } from '../../platform/db/tables.js'
import type { Deps, Faults, Scope } from '../../platform/scope.js'

const faultTargets = ['network', 'identity', 'rail', 'idempotency'] as const
const faultModes = ['slow', 'failing', 'flapping'] as const
export type FaultTarget = (typeof faultTargets)[number]
export type FaultMode = (typeof faultModes)[number]

/** The faults that teams simulate. */
export interface SandboxFaults extends Faults {
  /**
   * Returns the fault that is active for a team's component at the given real time, or null if there is none. Faults
   * exist only in the sandbox.
   */
  of(team: string, target: FaultTarget): Promise<FaultMode | null>
}

/**
 * The time for which a team's faults stay cached, in ms. Faults are cached because every request and every external
 * call reads them.
 */
const CACHE_LIFETIME_MS = 1_000

export function createFaults({
  environment,
  store,
  clock,
}: Pick<Deps, 'environment' | 'store' | 'clock'>): SandboxFaults {
  const faultsByTeam = new Map<string, { rows: Tables['faults'][]; until: number }>()
  return {
    async of(team, target) {
      if (environment !== 'sandbox') return null
      let cached = faultsByTeam.get(team)
      if (!cached || cached.until <= clock()) {
        const rows = await store.reader.selectFrom('faults').selectAll().where('team_id', '=', team).execute()
        if (faultsByTeam.size > 10_000) faultsByTeam.clear()
        cached = { rows, until: clock() + CACHE_LIFETIME_MS }
        faultsByTeam.set(team, cached)
      }
      const row = cached.rows.find(each => each.target === target)
      return row && row.until > clock() ? (row.mode as FaultMode) : null
    },
    forget: team => void faultsByTeam.delete(team),
  }
}

/**
 * Returns the team's active faults.
 * @param now the real time
 */
export const activeFaults = ({ db, team }: Scope, now: number): Promise<Tables['faults'][]> =>
  db
    .selectFrom('faults')
    .selectAll()
    .where('team_id', '=', team.id)
    .where('until', '>', now)
    .orderBy('target')
    .execute()

/**
 * Sets the team's fault for a component, replacing any existing one. If `until` isn't in the future, the fault ends.
 * @param until the end of the fault, in real time
 */
export async function setFault(scope: Scope, target: FaultTarget, mode: FaultMode, until: number): Promise<void> {
  await scope.db
    .insertInto('faults')
    .values({ team_id: scope.team.id, target, mode, until })
    .onConflict(conflict => conflict.columns(['team_id', 'target']).doUpdateSet({ mode, until }))
    .execute()
  scope.after(() => scope.deps.faults.forget(scope.team.id))
}
