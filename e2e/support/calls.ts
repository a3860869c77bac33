import type { Page } from '@playwright/test'

/** A call of one of a page's callbacks. */
export type Call = [name: string, argument?: Record<string, unknown>]

/** Records what the page's callbacks receive. */
export async function record(page: Page): Promise<Call[]> {
  const calls: Call[] = []
  await page.exposeFunction('record', (...call: Call) => calls.push(call))
  return calls
}
