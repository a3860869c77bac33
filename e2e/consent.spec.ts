/**
 * Checks that the statement that a person agrees to is visible together with the button that they press. Axe can't
 * check this.
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
