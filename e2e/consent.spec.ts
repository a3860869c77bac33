/**
 * Checks that the consent statement and the button that accepts it are visible at the same time. Axe can't check this.
 */
import { expect, test } from './support/test.js'

const windows = [
  { width: 320, height: 568 },
  { width: 390, height: 844 },
  { width: 1_280, height: 800 },
]

for (const query of ['screen=consent&state=plain', 'screen=consent&state=identity', 'screen=review&state=plain'])
  test(`the statement is in view directly above the button: ${query}`, async ({ playground: { page, draw } }) => {
    for (const viewport of windows) {
      await page.setViewportSize(viewport)
      await draw(query)
      const bounds = async (selector: string) => (await page.locator(selector).boundingBox())!
      const [statement, button] = [await bounds('.agreement'), await bounds('.dock .cta')]
      const size = `${viewport.width} by ${viewport.height}`
      expect(statement.y, size).toBeGreaterThan(0)
      expect(button.y + button.height, size).toBeLessThanOrEqual(viewport.height)
      const gap = button.y - statement.y - statement.height
      expect(gap, size).toBeGreaterThanOrEqual(0)
      expect(gap, size).toBeLessThanOrEqual(16)
    }
  })

test('the documents are one click away from the statement', async ({ playground: { page, draw } }) => {
  for (const viewport of windows) {
    await page.setViewportSize(viewport)
    await draw('screen=consent&state=plain')
    await page.getByRole('button', { name: 'Read the documents' }).click()
    const title = page.getByRole('heading', { name: 'What you agree to' })
    await expect(title).toBeFocused()
    await expect(title).toBeInViewport({ ratio: 1 })
  }
})

test('the longest names of the recipients fit in the screen and the documents', async ({
  playground: { page, draw },
}) => {
  for (const locale of ['en', 'ar'])
    for (const size of ['100%', '200%']) {
      await page.setViewportSize({ width: 320, height: 568 })
      await draw(`screen=consent&state=long&locale=${locale}`)
      await page.evaluate(given => {
        document.documentElement.style.fontSize = given
        for (const each of document.querySelectorAll('details')) each.open = true
      }, size)
      await expect(page.locator('.paper p[lang=en]').first()).toBeVisible()
      const wide = await page.evaluate(() => {
        const { clientWidth, scrollWidth } = document.documentElement
        const over = [...document.querySelectorAll<HTMLElement>('.body *')].filter(
          part =>
            part.offsetParent &&
            !part.closest('.sr') &&
            part.scrollWidth > part.clientWidth + 1 &&
            part.clientWidth > 0,
        )
        return [scrollWidth - clientWidth, ...over.map(part => part.outerHTML.slice(0, 200))]
      })
      expect(wide, `${locale} with text at ${size}`).toEqual([0])
      await page.evaluate(() => document.documentElement.style.removeProperty('font-size'))
    }
})
