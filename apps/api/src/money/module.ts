import type { Route } from '../platform/http/endpoint/route.js'
import type { JobHandlers } from '../platform/jobs/jobs.js'
import { lookOnce } from '../platform/jobs/look-once.js'
import { paymentInsightRoutes } from './insight/routes.js'
import { completeCancel } from './lifecycle/cancel.js'
import { followPayment, submitPayment } from './lifecycle/jobs.js'
import { followReversal } from './lifecycle/reversal-jobs.js'
import { lifecycleRoutes } from './lifecycle/routes.js'
import { paymentRoutes } from './payments/routes.js'
import { runReconciliation } from './reconciliation/run-job.js'
import { RUN_KIND } from './reconciliation/schedule.js'
import { MAIL_REPORT_JOB, makeReport } from './reports/make-report.js'
import { reportRoutes, resumeReport } from './reports/routes.js'
import { reversalRoutes } from './reversals/routes.js'
import { mailReport } from './schedules/mail-report.js'
import { scheduleRoutes } from './schedules/routes.js'
import { RUN_SCHEDULE_JOB, runSchedule } from './schedules/run-schedule.js'

/** The module's endpoints. */
export const routes: readonly Route[] = [
  ...paymentRoutes,
  ...lifecycleRoutes,
  ...paymentInsightRoutes,
  ...reversalRoutes,
  ...reportRoutes,
  ...scheduleRoutes,
]

/** The module's jobs, by kind. */
export const jobs: JobHandlers = {
  'payment.submit': submitPayment,
  'payment.cancel': completeCancel,
  'payment.follow': followPayment,
  'payment.look': lookOnce('payment.look', followPayment),
  'reversal.follow': followReversal,
  'reversal.look': lookOnce('reversal.look', followReversal),
  'report.make': makeReport,
  [RUN_SCHEDULE_JOB]: runSchedule,
  [MAIL_REPORT_JOB]: mailReport,
  [RUN_KIND]: runReconciliation,
}

/** The answers to requests that waited for a job, by the kind of resource. */
export const resume = {
  report: resumeReport,
}
