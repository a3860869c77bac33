import { type RawBuilder, sql } from 'kysely'
import type { Store } from '../db/types.js'

/**
 * The resources that only a job can complete. The first query lists the jobs that should exist; the second, those that
 * exist and will run. Payments, reversals and products aren't listed, because they may wait for a push instead.
 */
const RESOURCES: Readonly<Record<string, { needed: RawBuilder<unknown>; live: RawBuilder<unknown> }>> = {
  deliveries: {
    needed: sql`select d.team_id, 'delivery ' || d.id as job from webhooks w
      join deliveries d on d.team_id = w.team_id and d.webhook_id = w.id and d.status = 'pending'`,
    live: sql`select team_id, unique_key from jobs where state = 'ready' and kind = 'webhook.deliver'`,
  },
  subscriptions: {
    needed: sql`select team_id, 'subscription ' || holder_id as job from subscriptions
      where status = 'active' and next_at is not null`,
    live: sql`select team_id, unique_key from jobs where state = 'ready' and kind = 'subscription.run'`,
  },
  reports: {
    needed: sql`select team_id, '{"report":"' || id || '"}' as job from reports where file is null`,
    live: sql`select team_id, payload from jobs where state = 'ready' and kind = 'report.make'`,
  },
  forwarding_requests: {
    needed: sql`select team_id, '{"request":"' || id || '"}' as job from forwarding_requests
      where status = 'processing'`,
    live: sql`select team_id, payload from jobs where state = 'ready' and kind = 'forward.send'`,
  },
}

/**
 * Counts the resources that wait for a job that doesn't exist or was given up, by type. The counts should be 0. Reads
 * the jobs and the resources that wait for one, but no finished resources.
 */
export async function countMissingJobs({ reader }: Pick<Store, 'reader'>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const [type, { needed, live }] of Object.entries(RESOURCES)) {
    // `except` compares the two sets in one pass on both engines. The jobs have no index on their payloads.
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from (${needed} except ${live}) as missing`.execute(reader)
    counts[type] = Number(rows[0]!.count)
  }
  return counts
}

export const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)
