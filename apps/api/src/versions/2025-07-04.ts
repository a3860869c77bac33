import { z } from 'zod'
import { omitting, type Step } from './step.js'

const productLists = [
  'products',
  'restricted_products',
  'subscriptions',
  'available_subscriptions',
  'restricted_subscriptions',
]
const withoutSubscriptions = omitting(productLists.slice(2))

/**
 * Replaces the name of an instrument kind with the name that all kinds used to share. Returns other names unchanged.
 */
const sharedName = (name: string): string => name.replace(/^(payment_instrument)\..*/, '$1')

/**
 * Returns the older name of a product or subscription, or null for inbound_achwire_payment, which did not exist yet.
 */
const olderName = (name: string): string | null =>
  name === 'payment_instrument.inbound_achwire_payment' ? null : sharedName(name)

/** The body of a request for an instrument. Only two kinds of instruments existed in this version. */
const namedInstrument = z.object({ type: z.enum(['card', 'network_token']) })

/** Replaces the names of the two older kinds of instruments with their shared name, and removes the third kind. */
function mergeInstrumentNames(names: unknown): unknown {
  if (!Array.isArray(names)) return names
  return [...new Set(names.flatMap(name => olderName(String(name)) ?? []))]
}

/** Merges the kinds of instruments in a team's products. The product is enabled if one of its kinds is. */
function mergeInstrumentProducts(products: unknown): unknown[] {
  const enabled = new Map<string, boolean>()
  for (const { type, enabled: isEnabled } of products as { type: string; enabled: boolean }[]) {
    const name = olderName(type)
    if (name !== null) enabled.set(name, isEnabled || (enabled.get(name) ?? false))
  }
  return [...enabled].map(([type, isEnabled]) => ({ type, enabled: isEnabled }))
}

/**
 * The next version added instruments, reversal accounts and payment methods to payments. That version also gave each
 * kind of instrument its own name.
 */
export const downTo202507: Step = {
  version: '2025-07-04',
  newerFields: {
    account: ['consent_status'],
    payment: ['destination_payment_method', 'reversal_account', 'payment_instrument'],
    payment_instrument: ['inbound_achwire_payment'],
    reversal: ['fee'],
    event: ['related_ids'],
  },
  olderFields: { card_brand: ['shared'] },
  behaviors: ['approved_accounts'],
  names: { product: olderName, subscription: olderName },
  newerParameters: ['include_pending_consent'],
  requests: {
    'POST /accounts/:acc_id/payment_instruments': { body: namedInstrument, example: { type: 'card' } },
  },
  examples: {
    payment_instrument: {
      type: 'card',
      card: { number: '4111111111118721', exp_month: '04', exp_year: '2028', billing_zip_code: '10001' },
    },
  },
  down: {
    account(body) {
      // Only liability accounts had subscription lists.
      const out = body['type'] === 'ach' ? withoutSubscriptions(body) : { ...body }
      for (const list of productLists) if (list in out) out[list] = mergeInstrumentNames(out[list])
      return out
    },
    subscription: ({ name, ...body }) => ({ ...body, name: sharedName(String(name)) }),
    team: body => ({ ...body, products: mergeInstrumentProducts(body['products']) }),
    product: ({ name, ...body }) => ({ ...body, name: sharedName(String(name)) }),
  },
  notes: [
    {
      resource: 'Account',
      in: 'request',
      says: "`include_pending_consent` also returns accounts awaiting the holder's consent, and `consent_status=pending` returns only those. Previously, they were not returned.",
    },
    {
      resource: 'Subscription',
      in: 'request',
      says: '`enroll` accepts `payment_instrument.card` and `payment_instrument.network_token`. Previously, it accepted `payment_instrument`, which means `payment_instrument.card`.',
    },
    {
      resource: 'Account',
      in: 'answer',
      says: 'The lists contain a name for each kind of instrument: `payment_instrument.card`, `.network_token`, `.inbound_achwire_payment`. Previously, the first two were `payment_instrument`, and the third did not exist.',
    },
    {
      resource: 'Account',
      in: 'answer',
      says: 'An ach account has `subscriptions`, `available_subscriptions` and `restricted_subscriptions`, which are empty. Previously, only liability accounts had them.',
    },
    {
      resource: 'Team',
      in: 'answer',
      says: '`products` contains a name for each kind of instrument. Previously, all kinds appeared as `payment_instrument`.',
    },
    {
      resource: 'PaymentInstrument',
      in: 'behavior',
      says: 'You can create an `inbound_achwire_payment`, and close it with DELETE. Previously, only the other two kinds existed, as a single product.',
    },
  ],
}
