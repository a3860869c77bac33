import type { Deps, Scope } from '../scope.js'

export const faultTargets = ['network', 'identity', 'rail', 'idempotency'] as const
export const faultModes = ['slow', 'failing', 'flapping'] as const
export type FaultTarget = (typeof faultTargets)[number]
export type FaultMode = (typeof faultModes)[number]

/** How a part is to misbehave for a team now, by real time; null: not at all. The sandbox alone has faults. */
export async function activeFault(
  deps: Pick<Deps, 'environment' | 'store' | 'clock'>,
  team: string,
  target: FaultTarget,
): Promise<FaultMode | null> {
  if (deps.environment !== 'sandbox') return null
  const row = await deps.store.reader
    .selectFrom('faults')
    .select(['mode', 'until'])
    .where('team_id', '=', team)
    .where('target', '=', target)
    .executeTakeFirst()
  return row && row.until > deps.clock() ? (row.mode as FaultMode) : null
}

/** Makes a part misbehave for the team. One fault of a part at a time; an end that is not in the future ends it. @param until real time */
export async function setFault(scope: Scope, target: FaultTarget, mode: FaultMode, until: number): Promise<void> {
  await scope.db
    .insertInto('faults')
    .values({ team_id: scope.team.id, target, mode, until })
    .onConflict(conflict => conflict.columns(['team_id', 'target']).doUpdateSet({ mode, until }))
    .execute()
}
