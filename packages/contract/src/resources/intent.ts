import { z } from 'zod'
import { mayGainValues } from '../fields/names.js'
import { metadata, timestamp } from '../fields/shared.js'

/** The events that a team can report about a person who may become a customer. */
export const intentEvents = ['lending.offer_sent'] as const

const blank = z.string().nullable()

/** The circumstances of the event. */
const intentContext = z.object({
  external_user_id: blank.describe('Your id of the person'),
  session_id: blank.describe('Your id of the session'),
  source: blank.describe('The channel, such as `email`'),
  client_ip_address: blank.describe("The address of the person's device"),
  client_user_agent: blank.describe("The user agent of the person's browser"),
})

/** An event that a team reported about a person. It never contains the identity that the team sent. */
export const intent = z.object({
  id: z.string(),
  event: z.enum(intentEvents).describe(`The name of the event. ${mayGainValues}`),
  context: intentContext,
  metadata: metadata.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
})
