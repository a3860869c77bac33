import { waitUntil } from '@open-wc/testing'

/** Waits for a condition without an event, for as long as a test may take: a busy machine is no failure. */
export const until = (holds: () => unknown, what?: string): Promise<void> =>
  waitUntil(holds, what, { interval: 10, timeout: 15_000 })
