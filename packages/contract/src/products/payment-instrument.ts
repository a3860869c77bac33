import { z } from 'zod'
import { endpoint } from '../declaration/endpoint.js'
import { liability, record } from '../declaration/examples.js'
import { pointer, recordStatuses } from '../fields/shared.js'
import { product, recordEnd } from './product.js'

const text = z.string().nullable()

const instrumentTypes = ['card', 'network_token', 'inbound_achwire_payment'] as const

/** A way to move money to or from an account. Only the block for the instrument's type is set. The others are null. */
const paymentInstrument = z.object({
  id: z.string(),
  account_id: z.string(),
  type: z.enum(instrumentTypes),
  card: z.object({ number: text, exp_month: text, exp_year: text, billing_zip_code: text }).nullable(),
  network_token: z.object({ token: text }).nullable(),
  inbound_achwire_payment: z.object({ account_number: text, routing_number: text }).nullable(),
  chargeable: z.boolean(),
  status: z.enum([...recordStatuses, 'closed']),
  ...recordEnd,
})

const example = {
  id: 'pmt_inst_4kYq8ZbT1mXe4',
  account_id: liability.id,
  ...record,
  type: 'inbound_achwire_payment',
  card: null,
  network_token: null,
  inbound_achwire_payment: { account_number: '4410028735', routing_number: '062103000' },
  chargeable: true,
}

export const instrumentEndpoints = {
  closePaymentInstrument: endpoint({
    method: 'DELETE',
    path: '/accounts/:acc_id/payment_instruments/:id',
    scope: 'sensitive',
    summary: 'Close a payment instrument',
    since: '2025-12-01',
    description:
      'Available in version 2025-12-01 and later, only for type `inbound_achwire_payment`. The instrument stops accepting payments and is returned with status `closed`.',
    answer: paymentInstrument,
    example: { answer: { ...example, status: 'closed', chargeable: false } },
  }),
}

export const instrumentInput = z.object({ type: z.enum(instrumentTypes) })

export const paymentInstrumentProduct = product({
  holder: 'account',
  name: 'payment_instrument',
  variants: [
    'payment_instrument.card',
    'payment_instrument.network_token',
    'payment_instrument.inbound_achwire_payment',
  ],
  path: 'payment_instruments',
  prefixes: { payment_instrument: 'pmt_inst_' },
  events: ['payment_instrument.create', 'payment_instrument.update'],
  resource: ['PaymentInstrument', paymentInstrument],
  pointers: { payment_instrument: pointer(paymentInstrument).optional() },
  shares: 'number',
  title: 'Payment instruments',
  about: 'Ways to move money to an account or from a card.',
  records: {
    ids: ['PaymentInstrument', 'PaymentInstruments'],
    one: 'a payment instrument',
    many: 'payment instruments',
    scope: 'sensitive',
    example,
    create: {
      description:
        '`card` and `network_token` require a credit card that was verified by a session of type `network`. `inbound_achwire_payment` is available in version 2025-12-01 and later.',
      body: instrumentInput,
      request: { type: 'inbound_achwire_payment' },
    },
  },
  endpoints: instrumentEndpoints,
})
