import { z } from 'zod'
import { steps } from '../session.js'
import { paymentStatuses } from './payment.js'
import { cents, date, timestamp } from './shared.js'

const as_of = timestamp.describe('The time of the count, at most a minute ago')

/** Payments by day of creation and current status. */
export const paymentStats = z.object({
  data: z
    .array(z.object({ day: date, status: z.enum(paymentStatuses), count: z.int(), cents }))
    .describe('Those with payments, oldest day first'),
  as_of,
})

/** Steps of sessions, in the order of the flow. */
export const funnelStats = z.object({
  data: z.array(
    z.object({
      step: z.enum(steps),
      entered: z.int().describe('Sessions that showed the step'),
      completed: z.int().describe('Sessions that moved from it to another step or are complete'),
      left: z.int().describe('Sessions that show it now and are not complete'),
      median_ms: z.int().nullable().describe('The median time to the next step; null if no session moved on'),
      reasons: z
        .array(z.object({ code: z.string(), count: z.int() }))
        .describe('Reasons of the latest 20 blocked sessions; empty for other steps'),
    }),
  ),
  sessions: z.int().describe('Sessions that were counted: the latest 5,000 of the days'),
  as_of,
})
