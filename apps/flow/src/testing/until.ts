import { waitUntil } from '@open-wc/testing'

/** Waits for a condition that has no event. The timeout is long enough for a slow machine. */
export const until = (holds: () => unknown, what?: string): Promise<void> =>
  waitUntil(holds, what, { interval: 10, timeout: 15_000 })
