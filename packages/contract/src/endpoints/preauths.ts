import { z } from 'zod'
import { endpoint, type Family, metadataInput, paging } from '../declaration/endpoint.js'
import * as examples from '../declaration/examples.js'
import { MAX_AMOUNT } from '../money.js'
import { preauth } from '../resources/preauth.js'
import { idText, ipText, text, timeText } from '../text.js'
import { individualInput, zipInput } from './entities.js'

const { first_name, last_name, phone } = individualInput.shape
const sixDigits = text({ max: 6, pattern: /^\d{6}$/, error: 'must be 6 digits' })
const fourDigits = text({ max: 4, pattern: /^\d{4}$/, error: 'must be 4 digits' })

const preauthCard = z.object({
  bin6: sixDigits.describe('The first six digits of the number'),
  last4: fourDigits.describe('The last four digits of the number'),
  first_name,
  last_name,
  phone,
  zip: zipInput.nullish(),
})

const preauthPurchase = z.object({
  amount: z.int().min(1).max(MAX_AMOUNT).describe('In cents'),
  mcc: fourDigits.describe('The category code of the merchant'),
  ip_address: ipText(),
  txn_time: timeText({ offset: true }),
})

const example = {
  id: 'preauth_4kYq8ZbT1mXf3',
  account_id: examples.liability.id,
  status: 'completed',
  verified_ownership: 'match',
  card_standing: 'open',
  success_likelihood: 0.92,
  optimal_retry_date: null,
  error: null,
  metadata: null,
  ...examples.times,
}
const since = '2024-04-04'

export const endpoints = {
  createPreauth: endpoint({
    method: 'POST',
    path: '/preauth',
    summary: 'Request preauth signals',
    description:
      'Asks the network whether a charge to a card would succeed. Send either the `account_id` of a credit card or a `card`. The service sends the card and the purchase to the network, and does not store them.',
    since,
    body: z
      .object({
        account_id: idText.nullish(),
        card: preauthCard.nullish(),
        purchase: preauthPurchase.nullish(),
        metadata: metadataInput('MAX_PREAUTH_METADATA_SIZE_EXCEEDED'),
      })
      .refine(
        ({ account_id, card }) => (account_id == null) !== (card == null),
        'Send either account_id or card, and not both.',
      ),
    answer: preauth,
    errors: ['NOT_FOUND', 'PRODUCT_CONSENT_MISSING', 'SERVICE_UNAVAILABLE', 'TEAM_CAPABILITY_RESTRICTED'],
    example: {
      request: {
        account_id: examples.liability.id,
        purchase: { amount: 4500, mcc: '5732', ip_address: '203.0.113.7', txn_time: examples.times.created_at },
      },
      answer: example,
    },
  }),
  listPreauths: endpoint({
    method: 'GET',
    path: '/preauth',
    summary: 'List preauth signals',
    since,
    query: paging,
    answer: preauth,
    shape: 'list',
    example: { answer: [example] },
  }),
  retrievePreauth: endpoint({
    method: 'GET',
    path: '/preauth/:preauth_id',
    summary: 'Retrieve preauth signals',
    since,
    answer: preauth,
    example: { answer: example },
  }),
}

export const preauthFamily: Family = {
  name: 'Preauth signals',
  about: 'What the network expects of a charge to a card, before you charge it.',
  endpoints,
}
