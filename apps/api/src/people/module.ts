import type { Route } from '../platform/http/endpoint/route.js'
import type { JobHandlers } from '../platform/jobs/jobs.js'
import { lookOnce } from '../platform/jobs/look-once.js'
import { followVerification } from './accounts/follow-verification.js'
import { microDepositRoutes } from './accounts/methods/micro-deposits/routes.js'
import { accountRoutes } from './accounts/routes.js'
import { FOLLOW_JOB, startVerification } from './accounts/verification.js'
import { accountVerificationRoutes } from './accounts/verification-routes.js'
import { endUnanswered } from './accounts/verification-tries.js'
import { entityRoutes, resumeEntity } from './entities/routes.js'
import { callSessionProvider, expireSession } from './entities/session-jobs.js'
import { entitySessionRoutes, resumeSession } from './entities/session-routes.js'
import { fileRoutes } from './files/routes.js'
import { intentRoutes } from './intents/routes.js'
import { matchEntity } from './lifecycle/match-entity.js'
import { newAccountRoutes } from './lifecycle/routes.js'
import { FOLLOW_LINK_JOB, followLink, UNLINK_JOB, unlinkInstitutions } from './links/job.js'
import { managedAccountRoutes } from './managed/routes.js'
import { merchantRoutes } from './merchants/routes.js'
import { preauthRoutes } from './preauths/routes.js'
import { cardProductRoutes } from './products/card-brand/routes.js'
import { runRecord } from './products/job.js'
import { productObjectRoutes } from './products/object-routes.js'
import { instrumentRoutes } from './products/payment-instrument/routes.js'
import { productRoutes, resumeRecord } from './products/routes.js'
import { transactionRoutes } from './products/transaction/routes.js'
import { runSubscriptions } from './subscriptions/job.js'
import { subscriptionRoutes } from './subscriptions/routes.js'

/** The module's endpoints. */
export const routes: readonly Route[] = [
  ...entityRoutes,
  ...entitySessionRoutes,
  ...newAccountRoutes,
  ...accountRoutes,
  ...accountVerificationRoutes,
  ...microDepositRoutes,
  ...instrumentRoutes,
  ...transactionRoutes,
  ...cardProductRoutes,
  ...productRoutes,
  ...productObjectRoutes,
  ...subscriptionRoutes,
  ...merchantRoutes,
  ...managedAccountRoutes,
  ...intentRoutes,
  ...preauthRoutes,
  ...fileRoutes,
]

/** The module's jobs, by kind. */
export const jobs: JobHandlers = {
  'record.run': runRecord,
  'subscription.run': runSubscriptions,
  'avf.start': startVerification,
  'avf.spent': endUnanswered,
  [FOLLOW_JOB]: followVerification,
  'avf.look': lookOnce('avf.look', followVerification),
  'entity.match': matchEntity,
  [FOLLOW_LINK_JOB]: followLink,
  'link.look': lookOnce('link.look', followLink),
  [UNLINK_JOB]: unlinkInstitutions,
  'evf.ask': callSessionProvider,
  'evf.expire': expireSession,
}

/** The answers to requests that waited for a job, by the kind of resource. */
export const resume = {
  record: resumeRecord,
  entity: resumeEntity,
  evf: resumeSession,
}
