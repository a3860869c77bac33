import { z } from 'zod'
import { endpoint, type Family, metadataInput } from '../declaration/endpoint.js'
import * as examples from '../declaration/examples.js'
import { intent, intentEvents } from '../resources/intent.js'
import { ipText, visibleText } from '../text.js'
import { addressInput, individualInput } from './entities.js'

const line = (max: number) => visibleText(max).nullish()

const person = individualInput
  .safeExtend({ address: addressInput.nullish() })
  .refine(
    ({ phone, email, ssn, first_name: name }) => [phone, email, ssn, name].some(value => value != null),
    'must have a first_name, a phone, an email or an ssn',
  )

const context = {
  external_user_id: 'usr_7',
  session_id: null,
  source: 'email',
  client_ip_address: '203.0.113.7',
  client_user_agent: 'Mozilla/5.0',
}

export const endpoints = {
  createIntent: endpoint({
    method: 'POST',
    path: '/intents',
    summary: 'Report an intent',
    description:
      'Beta. Records that you did something for a person, such as sending an offer. It creates no entity, causes no credit inquiry, and sends no webhook. The response does not show whether the person is known. The service stores the identity and the context encrypted for 90 days, and passes them to nobody.',
    since: '2024-04-04',
    body: z.object({
      event: z.enum(intentEvents),
      identity: z.object({ individual: person }),
      context: z
        .object({
          external_user_id: line(200),
          session_id: line(200),
          source: line(100),
          client_ip_address: ipText().nullish(),
          client_user_agent: line(1_000),
        })
        .nullish(),
      metadata: metadataInput('MAX_INTENT_METADATA_SIZE_EXCEEDED'),
    }),
    answer: intent,
    example: {
      request: {
        event: 'lending.offer_sent',
        identity: {
          individual: {
            first_name: 'Ana',
            last_name: 'Reyes',
            phone: '+12025550123',
            email: 'ana@example.com',
            address: examples.entity.address,
          },
        },
        context,
      },
      answer: { id: 'int_evt_4kYq8ZbT1mXf1', event: 'lending.offer_sent', context, metadata: null, ...examples.times },
    },
  }),
}

export const intentFamily: Family = {
  name: 'Intents',
  about: 'Reports about people who may become customers. In beta.',
  endpoints,
}
