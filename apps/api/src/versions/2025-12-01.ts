import type { Step } from './step.js'

/** Payments gained the day they were posted and the key they were made with. */
export const downTo202512: Step = {
  version: '2025-12-01',
  loses: { payment: ['destination_posted_date', 'idempotency_key'] },
}
