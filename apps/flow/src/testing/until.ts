import { waitUntil } from '@open-wc/testing'

/** Waits until a condition that triggers no event is true. The timeout is long enough for a slow machine. */
export const until = (holds: () => unknown, what?: string): Promise<void> =>
  waitUntil(holds, what, { interval: 10, timeout: 15_000 })
