import { Hono } from 'hono'
import { cardProductRoutes } from './accounts/card-products.js'
import { instrumentRoutes } from './accounts/instruments.js'
import { accountRoutes } from './accounts/routes.js'
import { accountSimulations } from './accounts/simulate.js'
import { transactionRoutes } from './accounts/transactions.js'
import { endSpent, startVerification } from './accounts/verification.js'
import { accountVerificationRoutes } from './accounts/verification-routes.js'
import { PUSHES, type PushKeys, receivePush } from './connectors/pushes.js'
import { soundRail } from './connectors/sound.js'
import { consentRoutes } from './consent/routes.js'
import { elementRoutes } from './elements/routes.js'
import { createEncryption } from './encryption/messages.js'
import { encryptionRoutes } from './encryption/routes.js'
import { matchEntity } from './entities/match.js'
import { entityRoutes, resumeEntity } from './entities/routes.js'
import { entitySessionRoutes, resumeSession } from './entities/session-routes.js'
import { askSession, expireSession } from './entities/sessions.js'
import { eventRoutes } from './events/routes.js'
import { createFaults } from './faults/store.js'
import { sendForwarded } from './forwarding/job.js'
import { forwardingRoutes, resumeForwarding } from './forwarding/routes.js'
import { type Assets, createFrame, type FrameEnv } from './frame/app.js'
import { createAddressOf } from './http/address.js'
import { createLimits } from './http/limits.js'
import { type ApiEnv, getPath, mount } from './http/mount.js'
import { createPipeline } from './http/pipeline.js'
import type { Route } from './http/route.js'
import { createJobs, type JobHandlers } from './jobs/jobs.js'
import { once } from './jobs/once.js'
import { managedAccountRoutes } from './managed/routes.js'
import { merchantRoutes } from './merchants/routes.js'
import { opalCaller, opalRoutes } from './opal/routes.js'
import { opalSimulations } from './opal/simulate.js'
import { openapiRoutes } from './openapi/routes.js'
import { finishCancel } from './payments/cancel.js'
import { followPayment, submitPayment } from './payments/jobs.js'
import { paymentRoutes } from './payments/routes.js'
import { runRecord } from './products/job.js'
import { productObjectRoutes } from './products/object-routes.js'
import { offers } from './products/registry.js'
import { productRoutes, resumeRecord } from './products/routes.js'
import { makeReport } from './reports/make.js'
import { reportRoutes, resumeReport } from './reports/routes.js'
import { followReversal } from './reversals/jobs.js'
import { reversalRoutes } from './reversals/routes.js'
import { withFaults } from './sandbox/faults.js'
import type { Deps } from './scope.js'
import { secretRoutes } from './secrets/routes.js'
import { simulateEntityRoutes } from './simulate/entities.js'
import { simulatePaymentRoutes } from './simulate/payments.js'
import { simulateRoutes } from './simulate/routes.js'
import { runSubscriptions } from './subscriptions/job.js'
import { subscriptionRoutes } from './subscriptions/routes.js'
import { systemRoutes } from './system/routes.js'

import { createAccess } from './teams/access.js'
import { teamRoutes } from './teams/routes.js'
import { findTeam } from './teams/store.js'
import { deliver } from './webhooks/deliver.js'
import { deliveryRoutes } from './webhooks/delivery-routes.js'
import { redeliver } from './webhooks/redeliver.js'
import { webhookRoutes } from './webhooks/routes.js'

/** Every endpoint of the API. */
export const routes: readonly Route[] = [
  ...systemRoutes,
  ...entityRoutes,
  ...entitySessionRoutes,
  ...consentRoutes,
  ...accountRoutes,
  ...accountVerificationRoutes,
  ...instrumentRoutes,
  ...transactionRoutes,
  ...accountSimulations,
  ...cardProductRoutes,
  ...productRoutes,
  ...productObjectRoutes,
  ...subscriptionRoutes,
  ...merchantRoutes,
  ...elementRoutes,
  ...opalRoutes,
  ...opalSimulations,
  ...paymentRoutes,
  ...reversalRoutes,
  ...secretRoutes,
  ...reportRoutes,
  ...forwardingRoutes,
  ...webhookRoutes,
  ...deliveryRoutes,
  ...eventRoutes,
  ...teamRoutes,
  ...encryptionRoutes,
  ...managedAccountRoutes,
  ...simulatePaymentRoutes,
  ...simulateRoutes,
  ...simulateEntityRoutes,
  ...openapiRoutes,
]

const handlers: JobHandlers = {
  'record.run': runRecord,
  'subscription.run': runSubscriptions,
  'avf.start': startVerification,
  'avf.spent': endSpent,
  'entity.match': matchEntity,
  'evf.ask': askSession,
  'evf.expire': expireSession,
  'payment.submit': submitPayment,
  'payment.cancel': finishCancel,
  'payment.follow': followPayment,
  'payment.look': once(followPayment),
  'webhook.deliver': deliver,
  'webhook.redeliver': redeliver,
  'reversal.follow': followReversal,
  'reversal.look': once(followReversal),
  'forward.send': sendForwarded,
  'report.make': makeReport,
}

const resume = {
  record: resumeRecord,
  entity: resumeEntity,
  evf: resumeSession,
  forwarding: resumeForwarding,
  report: resumeReport,
}

export interface App {
  /** Answers for the API listener. */
  api: Hono<ApiEnv>
  /** Answers for the frame listener. */
  frame: Hono<FrameEnv>
  deps: Deps
}

/** What comes in from outside. */
export interface Given
  extends Omit<Deps, 'jobs' | 'access' | 'limits' | 'addressOf' | 'offers' | 'teamOf' | 'faults' | 'encryption'> {
  readonly assets: Assets
  /** How many times the contract's rate limits are allowed; 0: any number. */
  readonly rateLimits: number
  /** Addresses and ranges of the proxies before the listeners. */
  readonly trustedProxies: readonly string[]
  /** Waits, in ms: a test need not. */
  readonly sleep: (ms: number) => Promise<void>
  /** What pushes are signed with, where there is a connector; the clock is the real one. */
  readonly pushes?: PushKeys | undefined
}

/** The service as a function of its dependencies: nothing starts here. */
export function createApp({ assets, sleep, pushes, rateLimits, trustedProxies, ...given }: Given): App {
  const faults = createFaults(given)
  const ports = { ...given.ports, rail: soundRail(given.ports.rail, given.log) }
  const known = {
    ...given,
    ports: given.environment === 'sandbox' ? withFaults(ports, faults.of, { sleep }) : ports,
    offers,
    access: createAccess(given.store, given.clock),
    encryption: createEncryption(given),
    limits: createLimits(given.clock, rateLimits),
    addressOf: createAddressOf(trustedProxies),
    teamOf: (id: string) => findTeam(given.store.reader, id),
    faults,
  }
  const deps: Deps = { ...known, jobs: createJobs(known, handlers) }
  const api = new Hono<ApiEnv>({ getPath })
  if (pushes) api.post(PUSHES, c => receivePush(deps, pushes, c.req.raw))
  mount(
    api,
    createPipeline(deps, authorization => opalCaller(deps, authorization), resume),
    routes,
  )
  return { api, frame: createFrame(deps, assets), deps }
}
