import { randomText } from '../crypto/random.js'
import type { Db } from '../db/store.js'
import type { Ctx, Scope } from '../scope.js'
import { showTime } from '../show.js'

/** Writes down who did what to which resource: reads of numbers, refused tokens, settings. Ids alone. */
export async function audit(scope: Scope, actor: string, action: string, resource: string | null): Promise<void> {
  await note(scope, scope.db, actor, action, [resource])
}

/** The same for what an answer showed: in its transaction, or in one of its own where a read has none. */
export async function auditReads(ctx: Ctx, action: string, resources: readonly string[]): Promise<void> {
  if (resources.length === 0) return
  if (ctx.db !== ctx.deps.store.reader) await note(ctx, ctx.db, ctx.actor, action, resources)
  else await ctx.deps.store.write(tx => note(ctx, tx, ctx.actor, action, resources))
}

/** Writes down what the operator did, beside the service or without it. @param team whom it concerns; null: everybody */
export async function noteOperator(
  db: Db,
  now: number,
  action: string,
  team: string | null,
  resource: string | null,
): Promise<void> {
  const id = `aud_${now.toString(36)}${randomText(8)}`
  await db
    .insertInto('audit')
    .values({ id, team_id: team, actor: 'operator', action, resource_id: resource, created_at: now })
    .execute()
}

/** What was done since a time (epoch milliseconds), oldest first. @param team whom it concerns; null: everybody */
export async function auditSince(db: Db, team: string | null, since: number, limit: number) {
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .where('team_id', team === null ? 'is' : '=', team)
    .where('created_at', '>=', since)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ created_at, ...row }) => ({ ...row, created_at: showTime(created_at) }))
}

async function note(
  scope: Scope,
  db: Db,
  actor: string,
  action: string,
  resources: readonly (string | null)[],
): Promise<void> {
  await db
    .insertInto('audit')
    .values(
      resources.map(resource => ({
        id: `aud_${scope.now.toString(36)}${randomText(8)}`,
        team_id: scope.team.id,
        actor,
        action,
        resource_id: resource,
        created_at: scope.deps.clock(),
      })),
    )
    .execute()
}
