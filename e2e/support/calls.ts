import type { Page } from '@playwright/test'

/** A call of one of a page's callbacks. */
export type Call = [name: string, argument?: Record<string, unknown>]

/** Returns true for a report that the frame or page is slow. On a busy machine, it can come before any other call. */
const isSlow = (call: Call): boolean => /"(?:FRAME|PAGE)_UNREACHABLE"/.test(JSON.stringify(call))

/** Records what the page's callbacks receive, except reports that the frame is slow. */
export async function record(page: Page): Promise<Call[]> {
  const calls: Call[] = []
  await page.exposeFunction('record', (...call: Call) => {
    if (!isSlow(call)) calls.push(call)
  })
  return calls
}
