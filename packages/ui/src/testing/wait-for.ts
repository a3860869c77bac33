import { waitUntil } from '@open-wc/testing'

/**
 * Polls until a condition is true, for changes that trigger no event. The timeout is long enough for a slow machine.
 */
export const waitFor = (holds: () => unknown, what?: string): Promise<void> =>
  waitUntil(holds, what, { interval: 10, timeout: 15_000 })
