import { ServiceError } from '@causeway/contract/errors'
import { Hono } from 'hono'
import { accountRoutes } from './accounts/routes.js'
import { accountVerificationRoutes } from './accounts/verification-routes.js'
import { matchEntity } from './entities/match.js'
import { entityRoutes, resumeEntity } from './entities/routes.js'
import { entitySessionRoutes, resumeSession } from './entities/session-routes.js'
import { askSession, expireSession } from './entities/sessions.js'
import { createAccess } from './http/access.js'
import { getPath, mount } from './http/mount.js'
import { createPipeline } from './http/pipeline.js'
import type { Route } from './http/route.js'
import { createJobs, type JobHandlers } from './jobs/jobs.js'
import { followPayment, submitPayment } from './payments/jobs.js'
import { paymentRoutes } from './payments/routes.js'
import { runRecord } from './products/job.js'
import { productRoutes, resumeRecord } from './products/routes.js'
import type { Deps } from './scope.js'
import { secretRoutes } from './secrets/routes.js'
import { simulateRoutes } from './simulate/routes.js'
import { systemRoutes } from './system/routes.js'
import { teamRoutes } from './teams/routes.js'
import { webhookRoutes } from './webhooks/routes.js'

/** Every endpoint of the API. */
export const routes: readonly Route[] = [
  ...systemRoutes,
  ...entityRoutes,
  ...entitySessionRoutes,
  ...accountRoutes,
  ...accountVerificationRoutes,
  ...productRoutes,
  ...paymentRoutes,
  ...secretRoutes,
  ...webhookRoutes,
  ...teamRoutes,
  ...simulateRoutes,
]

const handlers: JobHandlers = {
  'record.run': runRecord,
  'entity.match': matchEntity,
  'evf.ask': askSession,
  'evf.expire': expireSession,
  'payment.submit': submitPayment,
  'payment.follow': followPayment,
}

const resume = { record: resumeRecord, entity: resumeEntity, evf: resumeSession }

export interface App {
  /** Answers for the API listener. */
  api: Hono
  deps: Deps
}

/** The service as a function of its dependencies: nothing starts here. */
export function createApp(given: Omit<Deps, 'jobs' | 'access'>): App {
  const access = createAccess(given.store, given.clock)
  const known = { ...given, access }
  const deps: Deps = { ...known, jobs: createJobs(known, handlers) }
  const api = new Hono({ getPath })
  const opal = async () => {
    throw new ServiceError('UNAUTHORIZED')
  }
  mount(api, createPipeline(deps, opal, resume), routes)
  return { api, deps }
}
