/**
 * One small driver, with a back for each browser. What a back gives:
 *   open(url)               shows a page
 *   find(query, inFrame)    the element of finder.mjs, in the page or in its frame, or null
 *   click(element)          as a mouse does
 *   fill(element, text)     over what is in the field, as a keyboard does
 *   reveal(element)         brings it to the middle, where no bar covers it, and says where it is, as a string
 *   close()                 ends the browser
 */
import { startChromium, startFirefox } from '../../scripts/browsers/puppeteer.mjs'
import { startWebKit } from '../../scripts/browsers/webkit.mjs'
import { find } from './finder.mjs'

const reveal = element => {
  element.scrollIntoView({ block: 'center', behavior: 'instant' })
  const { x, y, width, height } = element.getBoundingClientRect()
  return [x, y, width, height, innerHeight].join(' ')
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
    close: () => browser.close(),
  }
}

/** Here an element can be used only as long as no other frame is entered. */
function overWebDriver(session) {
  return {
    open: session.open,
    async find(query, inFrame) {
      await session.enter(null)
      if (!inFrame) return session.run(find, query)
      const frame = await session.run(find, { css: 'iframe' })
      if (!frame) return null
      await session.enter(frame)
      return session.run(find, query)
    },
    click: session.click,
    async fill(element, text) {
      await session.click(element)
      await session.run(select, element)
      for (const character of text) await session.press(character)
    },
    reveal: element => session.run(reveal, element),
    close: session.close,
  }
}

/** Starts a browser, by its name and path. */
export const drivers = {
  chromium: async path => overPuppeteer(await startChromium(path)),
  firefox: async path => overPuppeteer(await startFirefox(path)),
  webkit: async path => overWebDriver(await startWebKit(path)),
}
