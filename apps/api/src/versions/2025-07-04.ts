import type { Step } from './step.js'

const lists = [
  'products',
  'restricted_products',
  'subscriptions',
  'available_subscriptions',
  'restricted_subscriptions',
]

/** Instruments of three kinds had one name. */
function oneInstrument(names: unknown): unknown {
  return Array.isArray(names)
    ? [...new Set(names.map(name => (/^payment_instrument\./.test(String(name)) ? 'payment_instrument' : name)))]
    : names
}

/** Payments gained instruments, accounts for a reversal and the way of paying; instruments got a name for each kind. */
export const downTo202507: Step = {
  version: '2025-07-04',
  loses: { payment: ['destination_payment_method', 'reversal_account', 'payment_instrument'] },
  behaviours: ['one_instrument'],
  down: {
    account(body) {
      const out = { ...body }
      for (const list of lists) if (list in out) out[list] = oneInstrument(out[list])
      return out
    },
  },
}
