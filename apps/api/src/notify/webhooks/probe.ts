/** Tries an endpoint whose webhook the service disabled, and enables the webhook when the endpoint responds. */
import type { JobHandler } from '../../platform/jobs/job.js'
import { resetLane } from '../../platform/jobs/lanes.js'
import { findRow, lockRow } from '../../platform/rows.js'
import type { Scope } from '../../platform/scope.js'
import { saveAttempt, sendDelivery } from './deliver.js'
import { type DeliveryContext, findDelivery } from './deliveries.js'
import { isProbed, nextProbeAt } from './probes.js'
import { startRedelivery } from './redeliver.js'
import type { WebhookRow } from './show.js'
import { changeWebhook } from './status.js'
import { isDelivered, isGoneResponse, noFailures } from './webhook.js'

/** Finds the latest delivery that did not succeed. */
async function findUndelivered(scope: Scope, { id }: WebhookRow): Promise<DeliveryContext | undefined> {
  for (const status of ['canceled', 'failed'] as const) {
    const row = await scope.db
      .selectFrom('deliveries')
      .select('id')
      .where('team_id', '=', scope.team.id)
      .where('webhook_id', '=', id)
      .where('status', '=', status)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (row) return findDelivery(scope, row.id)
  }
  return undefined
}

const nothing = async () => undefined

/**
 * Sends one delivery that did not succeed. If the endpoint accepts it, enables the webhook and queues everything that it
 * missed. Otherwise, the job runs again later.
 */
export const probe: JobHandler = {
  async run(scope, { webhook: id = '', failing_since = '', since = '' }) {
    const webhook = await findRow(scope, 'webhooks', id)
    if (!webhook || !isProbed(webhook, failing_since)) return nothing
    const context = await findUndelivered(scope, webhook)
    if (!context) return nothing
    const attempt = await sendDelivery(scope, context)
    return async tx => {
      const accepts = isDelivered(attempt.outcome)
      // Locks the lane and then the webhook, in the same order as the code that ends an attempt.
      if (accepts) await resetLane(tx, webhook.lane)
      const row = await lockRow(tx, 'webhooks', id)
      if (!row || !isProbed(row, failing_since) || isGoneResponse(attempt.outcome)) return undefined
      if (!accepts) {
        const again = nextProbeAt(tx.deps.environment, Number(since), tx.now)
        return again === null ? undefined : { again }
      }
      const enabled = await changeWebhook(tx, row, { status: 'active', error: null, ...noFailures })
      await saveAttempt(tx, { ...context, webhook: enabled }, attempt)
      // mutant: probe-sends-missed (remove)
      await startRedelivery(tx, enabled, Number(failing_since), tx.now, false)
      return undefined
    }
  },
}
