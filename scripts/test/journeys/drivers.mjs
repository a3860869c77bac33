/**
 * One small driver interface, implemented for each browser:
 * open(url)               begins to open a page
 * address()               returns the URL of the page
 * find(query, inFrame)    returns the element that finder.mjs finds in the page or in its frame, or null
 * click(element)          clicks with the mouse
 * fill(element, text)     replaces the value of a field by typing
 * reveal(element)         scrolls it to the middle, where no bar covers it, and returns its position as a string
 * words(element)          returns its visible text
 * enterWindow()           makes the window that the page opened last the current page
 * leaveWindow(isClosing)  makes the first page current again, after closing the window if `isClosing`
 * blockWindows()          makes the frame's script unable to open windows, as a popup blocker does
 * reload()                loads the page again
 * close()                 closes the browser
 */
import { startChromium, startFirefox } from '../browsers/puppeteer.mjs'
import { startWebKit } from '../browsers/webkit.mjs'
import { find } from './finder.mjs'

const reveal = element => {
  element.scrollIntoView({ block: 'center', behavior: 'instant' })
  const { x, y, width, height } = element.getBoundingClientRect()
  return [x, y, width, height, innerHeight].join(' ')
}
// biome-ignore lint/performance/useDomNodeTextContent: textContent includes text that a person can't see.
const words = element => element.innerText
const middle = element => {
  const { x, y, width, height } = element.getBoundingClientRect()
  return [x + width / 2, y + height / 2]
}
/**
 * Converts a point in a frame to a position in the page. The page itself scrolls to the point, because a cross-origin
 * frame cannot scroll the page.
 */
const pointIn = (frame, x, y) => {
  const inPage = () => {
    const { left, top } = frame.getBoundingClientRect()
    return [left + x, top + y]
  }
  const below = inPage()[1]
  if (below < 0 || below > innerHeight) scrollBy({ top: below - innerHeight / 2, behavior: 'instant' })
  return inPage()
}
const block = () => {
  window.open = () => null
}
const OPENS_WITHIN = 10_000

/** Waits for a window that is not in a list. */
async function newWindow(list, known) {
  for (const late = Date.now() + OPENS_WITHIN; ; ) {
    const added = (await list()).find(each => !known.includes(each))
    if (added) return added
    if (Date.now() > late) throw new Error('The page opened no window.')
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}
const select = element => element.select()
const goTo = url => location.assign(url)

async function overPuppeteer(browser) {
  const first = await browser.newPage()
  let page = first
  let known = await browser.pages()
  const frameOf = async () => (await one(page.mainFrame(), { css: 'iframe' }))?.contentFrame()
  const one = async (frame, query) => {
    const handle = await frame.evaluateHandle(find, query)
    return handle.asElement()
  }
  return {
    // Does not wait for the page, because a page that replaces its own address while it loads never counts as loaded.
    open: url => page.evaluate(goTo, url),
    address: async () => page.url(),
    async find(query, inFrame) {
      if (!inFrame) return one(page.mainFrame(), query)
      const frame = await frameOf()
      return frame ? one(frame, query) : null
    },
    async enterWindow() {
      page = await newWindow(() => browser.pages(), known)
    },
    async leaveWindow(isClosing) {
      if (isClosing) await page.close()
      page = first
      await page.bringToFront()
      known = await browser.pages()
    },
    blockWindows: async () => (await frameOf()).evaluate(block),
    reload: () => page.reload(),
    click: element => element.click(),
    async fill(element, text) {
      await element.click()
      await element.evaluate(select)
      await page.keyboard.type(text)
    },
    reveal: element => element.evaluate(reveal),
    words: element => element.evaluate(words),
    close: () => browser.close(),
  }
}

/**
 * An element reference is valid only until the driver enters another frame. Clicks use coordinates, because the
 * driver's own click misses elements in a frame on a scrolled page.
 */
async function overWebDriver(session) {
  let frame = null
  let known = await session.windows()
  const [first] = known
  async function click(element) {
    const point = await session.run(middle, element)
    await session.enter(null)
    const [x, y] = frame ? await session.run(pointIn, frame, ...point) : point
    await session.clickAt(Math.round(x), Math.round(y))
  }
  return {
    open: session.open,
    async address() {
      await session.enter(null)
      return session.run(() => location.href)
    },
    async find(query, inFrame) {
      await session.enter(null)
      frame = inFrame ? await session.run(find, { css: 'iframe' }) : null
      if (inFrame && !frame) return null
      if (frame) await session.enter(frame)
      return session.run(find, query)
    },
    click,
    async fill(element, text) {
      await click(element)
      if (frame) await session.enter(frame)
      await session.run(select, element)
      for (const character of text) await session.press(character)
    },
    reveal: element => session.run(reveal, element),
    words: element => session.run(words, element),
    async enterWindow() {
      await session.enterWindow(await newWindow(session.windows, known))
    },
    async leaveWindow(isClosing) {
      if (isClosing) await session.closeWindow()
      await session.enterWindow(first)
      known = await session.windows()
    },
    async blockWindows() {
      await session.enter(null)
      await session.enter(await session.run(find, { css: 'iframe' }))
      await session.run(block)
    },
    reload: session.reload,
    close: session.close,
  }
}

/** Starts a browser with the given name and path. */
export const drivers = {
  chromium: async path => overPuppeteer(await startChromium(path)),
  firefox: async path => overPuppeteer(await startFirefox(path)),
  webkit: async path => overWebDriver(await startWebKit(path)),
}
