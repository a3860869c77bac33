/**
 * Runs component tests in a browser for which web-test-runner has no launcher. Opens one page at a time, because a
 * background page has no focus and its timers are throttled.
 */

/**
 * @param name the browser's name in reports
 * @param start resolves to `{ newPage, close }`. Like puppeteer's pages, each page has `goto`, `url`, `close`,
 * `setViewport`, `keyboard` and `mouse`, which web-test-runner's commands need
 */
export function launcher(name, start) {
  const pages = new Map()
  let browser
  return {
    name,
    type: 'puppeteer',
    concurrency: 1,
    async startSession(session, url) {
      browser ??= start()
      const page = await (await browser).newPage()
      pages.set(session, page)
      await page.setViewport({ width: 800, height: 600 })
      await page.goto(url)
    },
    isActive: session => pages.has(session),
    getBrowserUrl: session => pages.get(session)?.url(),
    getPage: session => pages.get(session),
    async stopSession(session) {
      const page = pages.get(session)
      pages.delete(session)
      await page?.close()
      return {}
    },
    startDebugSession() {
      throw new Error(`${name} runs only without a window. Debug in Chromium, or open the page manually.`)
    },
    async stop() {
      await (await browser)?.close()
      browser = undefined
    },
  }
}
