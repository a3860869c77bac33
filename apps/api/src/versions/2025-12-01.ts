import { healthOf } from './credit-health.js'
import type { Step } from './step.js'

/** Payments gained the day they were posted and the key they were made with; attributes were credit health with a rating. */
export const downTo202512: Step = {
  version: '2025-12-01',
  loses: { payment: ['destination_posted_date', 'idempotency_key'] },
  behaviours: ['named_attributes'],
  down: {
    entity_attribute: ({ attributes, ...body }) => ({
      ...body,
      attributes: attributes && healthOf(attributes as Record<string, Record<string, unknown>>),
    }),
    event: body => ({ ...body, ...renamed(body) }),
  },
}

/** Events of attributes had one noun. */
function renamed({ type, resource_type }: Record<string, unknown>): Record<string, unknown> {
  const old = (text: unknown) =>
    String(text)
      .replace(/^(entity|account)_attribute\b/, 'attribute')
      .replace(/_value\.(increased|decreased)$/, '.$1')
  return { ...(type ? { type: old(type) } : {}), ...(resource_type ? { resource_type: old(resource_type) } : {}) }
}
