import type { Step } from './chain.js'

/** Payments gained these fields later; instruments had one product name for all three kinds. */
const laterPaymentFields = new Set([
  'destination_payment_method',
  'destination_posted_date',
  'reversal_account',
  'payment_instrument',
  'idempotency_key',
])

const lists = [
  'products',
  'restricted_products',
  'subscriptions',
  'available_subscriptions',
  'restricted_subscriptions',
]

function oneInstrument(names: unknown): unknown {
  return Array.isArray(names)
    ? [...new Set(names.map(name => (/^payment_instrument\./.test(String(name)) ? 'payment_instrument' : name)))]
    : names
}

export const downTo2024: Step = {
  version: '2024-04-04',
  down: {
    payment: body => Object.fromEntries(Object.entries(body).filter(([key]) => !laterPaymentFields.has(key))),
    account: body => {
      const out = { ...body }
      for (const list of lists) if (list in out) out[list] = oneInstrument(out[list])
      return out
    },
  },
}
