import { z } from 'zod'
import { timestamp } from '../fields/shared.js'
import { address, entityStatuses, individual } from '../products/entity.js'
import { opalSession } from './opal.js'

/** The results and events of a flow that an element token opened. */
export const tokenResults = z.object({
  authenticated: z.boolean().describe('True if the person verified their phone'),
  cxn_id: z.string().nullable(),
  accounts: z.array(z.string()).describe('The accounts that the person chose; empty until they finish'),
  entity_id: z.string().nullable(),
  events: z.array(z.object({ type: z.string(), timestamp, metadata: z.record(z.string(), z.unknown()).nullable() })),
})

/** A step that a person took in the flow. */
export const opalEvent = z.object({
  type: z.string(),
  mode: z.string().optional(),
  object: z.string().optional(),
  action: z.string().optional(),
  timestamp,
  data: z.record(z.string(), z.unknown()).nullable(),
})

/** The status of one part of a flow. Null if the mode does not include that part. */
const flow = z.object({ completed: z.boolean(), accounts: z.array(z.string()).describe('Empty until completed') })

/** The fields that an Opal token's holder may see. The person's details are omitted once the token is invalid. */
export const opalView = opalSession.extend({
  config: z.object({
    name: z.string(),
    logo: z.string().nullable(),
    opal_should_prefill_entities: z.boolean(),
    primary_color: z.string().nullable(),
    event_channel: z.null(),
    accounts_liability_allow_number_update: z.boolean(),
    appearance: z.enum(['light', 'dark', 'system']),
  }),
  entity: z
    .object({
      id: z.string(),
      individual: individual.nullable(),
      address: address.nullable(),
      status: z.enum(entityStatuses),
      verification: z.object({
        identity: z.object({ matched: z.boolean(), verified: z.boolean() }),
        phone: z.object({ verified: z.boolean() }),
      }),
    })
    .nullable(),
  idv: z.object({ completed: z.boolean() }).nullable(),
  cxn: flow.nullable(),
  avf: flow.nullable(),
  txn: flow.nullable(),
  completed_at: timestamp.nullable(),
})
