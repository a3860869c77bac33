import { randomText } from '../crypto/random.js'
import type { Db } from '../db/store.js'
import { type Scope, sealer } from '../scope.js'
import { showTime } from '../show.js'
import { OPERATOR } from './operator.js'

/** Records who did what to which resource: reads of numbers, refused tokens, settings. Ids only. */
export async function audit(
  scope: Scope,
  actor: string,
  action: string,
  resource: string | null,
  team = scope.team.id,
): Promise<void> {
  await note(scope, scope.db, actor, action, [resource], team)
}

/** Records an action of a user of the console in the user's team, with the reason that was given. */
export async function auditReason(
  scope: Scope,
  actor: string,
  action: string,
  resource: string,
  reason: string,
): Promise<void> {
  const id = `aud_${scope.now.toString(36)}${randomText(8)}`
  await scope.db
    .insertInto('audit')
    .values({
      id,
      team_id: scope.team.id,
      actor,
      action,
      resource_id: resource,
      reason: sealer(scope).seal({ id, field: 'reason' }, reason),
      created_at: scope.deps.clock(),
    })
    .execute()
}

/**
 * Writes down what an operator did, beside the service or without it.
 * @param team whom it concerns; null: everybody @param actor the operator's session of the console, where there is one
 */
export async function noteOperator(
  db: Db,
  now: number,
  action: string,
  team: string | null,
  resource: string | null,
  reason: string | null = null,
  actor = 'operator',
): Promise<void> {
  const id = `aud_${now.toString(36)}${randomText(8)}`
  await db
    .insertInto('audit')
    .values({
      id,
      team_id: team ?? OPERATOR,
      actor,
      action,
      resource_id: resource,
      reason,
      created_at: now,
    })
    .execute()
}

/** Lists actions since a time (epoch milliseconds), oldest first. @param team the team they concern; null: all teams */
export async function auditSince(db: Db, team: string | null, since: number, limit: number) {
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .where('team_id', '=', team ?? OPERATOR)
    .where('created_at', '>=', since)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ team_id, created_at, reason: _, ...row }) => ({
    ...row,
    team_id: team_id === OPERATOR ? null : team_id,
    created_at: showTime(created_at),
  }))
}

export async function note(
  scope: Scope,
  db: Db,
  actor: string,
  action: string,
  resources: readonly (string | null)[],
  team = scope.team.id,
): Promise<void> {
  await db
    .insertInto('audit')
    .values(
      resources.map(resource => ({
        id: `aud_${scope.now.toString(36)}${randomText(8)}`,
        team_id: team,
        actor,
        action,
        resource_id: resource,
        request_id: scope.deps.requestId ?? null,
        created_at: scope.deps.clock(),
      })),
    )
    .execute()
}
