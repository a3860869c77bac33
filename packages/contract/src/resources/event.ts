import { z } from 'zod'
import { eventNouns, webhookAliases, webhookTypes } from '../events.js'
import { mayGainValues } from '../fields/names.js'
import { timestamp } from '../fields/shared.js'

const body = z.record(z.string(), z.unknown())

/** The name of an event type in any API version. */
export const eventType = z
  .enum([...webhookTypes, ...Object.keys(webhookAliases)])
  .describe(
    `The type of the event. In versions up to 2025-12-01, types for attributes begin with \`attribute.\`. A webhook created through \`/enveloped\` can have a type that begins with \`method_jwk.\`. ${mayGainValues}`,
  )

/** A change to a resource. */
export const event = z.object({
  id: z.string(),
  type: eventType,
  resource_id: z.string(),
  resource_type: z.enum(eventNouns).describe(`The first segment of the type. ${mayGainValues}`),
  data: body.describe(
    'The resource as it was at the time of the event, in the API version of the request. Never contains an account number, a name or an address',
  ),
  diff: z
    .object({ before: body.nullable(), after: body.nullable() })
    .describe('The fields that changed. `before` is null for a new resource. Both are null after consent is withdrawn'),
  related_ids: z
    .array(z.string())
    .describe('The ids of the entity, the account and the payment that the resource belongs to'),
  created_at: timestamp,
  updated_at: timestamp,
})
