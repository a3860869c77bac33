import type { Route } from '../platform/http/endpoint/route.js'
import type { JobHandlers } from '../platform/jobs/jobs.js'
import { eventRoutes } from './events/routes.js'
import { deliver } from './webhooks/deliver.js'
import { deliveryRoutes } from './webhooks/delivery-routes.js'
import { probe } from './webhooks/probe.js'
import { redeliver } from './webhooks/redeliver.js'
import { webhookRoutes } from './webhooks/routes.js'
import { teamDeliveryRoutes } from './webhooks/team-deliveries.js'

/** The module's endpoints. */
export const routes: readonly Route[] = [...webhookRoutes, ...deliveryRoutes, ...teamDeliveryRoutes, ...eventRoutes]

/** The module's jobs, by kind. */
export const jobs: JobHandlers = {
  'webhook.deliver': deliver,
  'webhook.probe': probe,
  'webhook.redeliver': redeliver,
}
