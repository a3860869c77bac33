import { z } from 'zod'
import { timestamp } from '../fields/shared.js'
import { reportTypes } from './report.js'

export const deliveryMethods = ['webhook', 'email'] as const
export type DeliveryMethod = (typeof deliveryMethods)[number]

/** Creates reports at regular times. */
export const reportSchedule = z.object({
  id: z.string(),
  types: z.array(z.enum(reportTypes)).describe('The types of the reports that each run creates'),
  delivery_methods: z
    .array(z.enum(deliveryMethods))
    .describe('`webhook`: each report sends the `report.create` and `report.update` events'),
  recipients: z.array(z.string()).nullable().describe('Email addresses; null if there are none'),
  cron: z.string().describe('The times of the runs, on the clock in Chicago'),
  status: z.enum(['active', 'inactive']).describe('An inactive schedule does not run again'),
  created_at: timestamp,
  updated_at: timestamp,
})
