/**
 * One small driver, with a back for each browser. What a back gives:
 *   open(url)               shows a page
 *   find(query, inFrame)    the element of finder.mjs, in the page or in its frame, or null
 *   click(element)          as a mouse does
 *   fill(element, text)     over what is in the field, as a keyboard does
 *   reveal(element)         brings it to the middle, where no bar covers it, and says where it is, as a string
 *   words(element)          its text, as it is shown
 *   close()                 ends the browser
 */
import { startChromium, startFirefox } from '../browsers/puppeteer.mjs'
import { startWebKit } from '../browsers/webkit.mjs'
import { find } from './finder.mjs'

const reveal = element => {
  element.scrollIntoView({ block: 'center', behavior: 'instant' })
  const { x, y, width, height } = element.getBoundingClientRect()
  return [x, y, width, height, innerHeight].join(' ')
}
// biome-ignore lint/performance/useDomNodeTextContent: what a person can't see is not meant.
const words = element => element.innerText
const middle = element => {
  const { x, y, width, height } = element.getBoundingClientRect()
  return [x + width / 2, y + height / 2]
}
/** The position in the page of a point of a frame. Scrolls to it: here a frame of another origin can't do that. */
const pointIn = (frame, x, y) => {
  const inPage = () => {
    const { left, top } = frame.getBoundingClientRect()
    return [left + x, top + y]
  }
  const below = inPage()[1]
  if (below < 0 || below > innerHeight) scrollBy({ top: below - innerHeight / 2, behavior: 'instant' })
  return inPage()
}
const select = element => element.select()

async function overPuppeteer(browser) {
  const page = await browser.newPage()
  const one = async (frame, query) => {
    const handle = await frame.evaluateHandle(find, query)
    return handle.asElement()
  }
  return {
    open: url => page.goto(url),
    async find(query, inFrame) {
      if (!inFrame) return one(page.mainFrame(), query)
      const frame = await (await one(page.mainFrame(), { css: 'iframe' }))?.contentFrame()
      return frame ? one(frame, query) : null
    },
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
 * Here an element can be used only as long as no other frame is entered. The mouse gets coordinates: the driver's own
 * click misses what is in a frame of a page that is scrolled.
 */
function overWebDriver(session) {
  let frame = null
  async function click(element) {
    const point = await session.run(middle, element)
    await session.enter(null)
    const [x, y] = frame ? await session.run(pointIn, frame, ...point) : point
    await session.clickAt(Math.round(x), Math.round(y))
  }
  return {
    open: session.open,
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
    close: session.close,
  }
}

/** Starts a browser, by its name and path. */
export const drivers = {
  chromium: async path => overPuppeteer(await startChromium(path)),
  firefox: async path => overPuppeteer(await startFirefox(path)),
  webkit: async path => overWebDriver(await startWebKit(path)),
}
