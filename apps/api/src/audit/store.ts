import { randomText } from '../crypto/random.js'
import type { Scope } from '../scope.js'

/** Writes down who did what to which resource: reads of numbers, refused tokens, settings. Ids alone. */
export async function audit(scope: Scope, actor: string, action: string, resource: string | null): Promise<void> {
  await scope.db
    .insertInto('audit')
    .values({
      id: `aud_${scope.now.toString(36)}${randomText(8)}`,
      team_id: scope.team.id,
      actor,
      action,
      resource_id: resource,
      created_at: scope.deps.clock(),
    })
    .execute()
}
