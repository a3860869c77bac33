import type { Body, Step } from './step.js'

const lists = [
  'products',
  'restricted_products',
  'subscriptions',
  'available_subscriptions',
  'restricted_subscriptions',
]

/** Instruments of two kinds had one name, and there was no third. */
function oneInstrument(names: readonly unknown[]): unknown[] {
  const known = names.filter(name => name !== 'payment_instrument.inbound_achwire_payment')
  return [...new Set(known.map(name => (/^payment_instrument\./.test(String(name)) ? 'payment_instrument' : name)))]
}

const renamed = (body: Body): Body => ({ ...body, name: oneInstrument([body['name']])[0] ?? body['name'] })

/** Payments gained instruments, accounts for a reversal and the way of paying; instruments got a name for each kind. */
export const downTo202507: Step = {
  version: '2025-07-04',
  loses: {
    payment: ['destination_payment_method', 'reversal_account', 'payment_instrument'],
    payment_instrument: ['inbound_achwire_payment'],
  },
  keeps: { card_brand: ['shared'] },
  behaviours: ['one_instrument'],
  down: {
    account(body) {
      const out = { ...body }
      for (const list of lists) if (Array.isArray(out[list])) out[list] = oneInstrument(out[list])
      return out
    },
    product: renamed,
    subscription: renamed,
  },
  notes: [
    {
      resource: 'Subscription',
      in: 'request',
      says: '`enroll` takes `payment_instrument.card` and `payment_instrument.network_token`. Before, it took `payment_instrument`, which is the first of them.',
    },
    {
      resource: 'Account',
      in: 'answer',
      says: 'The lists name an instrument by its kind: `payment_instrument.card`, `.network_token`, `.inbound_achwire_payment`. Before, the first two were `payment_instrument`, and the third was not there.',
    },
    {
      resource: 'PaymentInstrument',
      in: 'behaviour',
      says: '`inbound_achwire_payment` can be made, and closed by DELETE. Before, there were the other two alone, as one product.',
    },
  ],
}
