import { z } from 'zod'
import { cents, date, timestamp } from '../fields/shared.js'
import { steps } from '../session.js'
import { paymentStatuses } from './payment.js'

const as_of = timestamp.describe('When the counts were computed, at most a minute ago')

/** Payments by creation day and current status. */
export const paymentStats = z.object({
  data: z
    .array(z.object({ day: date, status: z.enum(paymentStatuses), count: z.int(), cents }))
    .describe('The days and statuses that have payments, oldest day first'),
  as_of,
})

/** The steps of a session, in the order of the flow. */
export const funnelStats = z.object({
  data: z.array(
    z.object({
      step: z.enum(steps),
      entered: z.int().describe('The number of sessions that showed the step'),
      completed: z.int().describe('The number of sessions that continued past the step or are complete'),
      left: z.int().describe('The number of sessions that are still at the step and are not complete'),
      median_ms: z.int().nullable().describe('The median time to the next step; null if no session passed the step'),
      reasons: z
        .array(z.object({ code: z.string(), count: z.int() }))
        .describe('The reasons for the latest 20 blocked sessions; empty for steps other than `blocked`'),
    }),
  ),
  sessions: z.int().describe('The number of sessions counted: at most the latest 5,000 in the period'),
  as_of,
})
