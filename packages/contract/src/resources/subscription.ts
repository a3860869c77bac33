import { z } from 'zod'
import { productName, subscriptionName } from '../fields/names.js'
import { requestError, timestamp } from '../fields/shared.js'

/** A product's availability to a holder, with the holder's latest requests for it. */
export const product = z.object({
  id: z
    .string()
    .optional()
    .describe('Returned only in versions up to 2024-04-04. Later versions identify products by name'),
  name: productName,
  status: z.enum(['available', 'restricted', 'unavailable']),
  status_error: requestError.nullable().describe('The reason that the product is not available'),
  latest_request_id: z.string().nullable(),
  latest_successful_request_id: z.string().nullable(),
  is_subscribable: z.boolean(),
  created_at: timestamp,
  updated_at: timestamp,
})

/** A holder's subscription to a product. */
export const subscription = z.object({
  id: z.string(),
  name: subscriptionName,
  status: z.enum(['active', 'inactive']),
  payload: z.record(z.string(), z.unknown()).nullable(),
  latest_request_id: z.string().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
})
