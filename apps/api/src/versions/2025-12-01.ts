import type { Step } from './step.js'

const subscriptions = ['subscriptions', 'available_subscriptions', 'restricted_subscriptions']

/** Payments gained the day they were posted and the key they were made with; attributes of accounts came to be watched. */
export const downTo202512: Step = {
  version: '2025-12-01',
  loses: { payment: ['destination_posted_date', 'idempotency_key'] },
  behaviours: ['named_attributes'],
  down: {
    account(body) {
      const out = { ...body }
      for (const list of subscriptions)
        if (Array.isArray(out[list])) out[list] = out[list].filter(name => name !== 'attribute')
      return out
    },
    account_attribute(body) {
      if (body['attributes'] === null) return body
      const values = Object.entries(body['attributes'] as Record<string, { value: unknown }>)
      return { ...body, attributes: Object.fromEntries(values.map(([name, { value }]) => [name, { value }])) }
    },
  },
}
