/** Every screen in every state, as the playground shows it: on the narrowest phone and at twice the size. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { expect, type Page, test } from '@playwright/test'
import { violations } from './support/axe.js'

let playground: ChildProcess
let origin: string
test.beforeAll(async () => {
  playground = spawn(process.execPath, ['apps/flow/dev/server.mjs', '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const said = await new Promise<string>(resolve =>
    createInterface({ input: playground.stdout! }).once('line', resolve),
  )
  origin = new URL(said.split(' ')[0]!).origin
})
test.afterAll(() => {
  playground.kill()
})

const looks = [
  { what: 'a phone 320 px wide, dark', appearance: 'dark', viewport: { width: 320, height: 640 } },
  { what: 'a desktop at 200 %, light', appearance: 'light', viewport: { width: 640, height: 400 } },
] as const

/** What sticks out sideways. */
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

for (const { what, appearance, viewport } of looks)
  test.describe(() => {
    test.use({ viewport, contextOptions: { reducedMotion: 'reduce' } })

    test(`every screen in every state fits and has no barrier on ${what}`, async ({ page }) => {
      test.setTimeout(600_000)
      await page.goto(`${origin}/dev/gallery.html`)
      const pages = await page
        .locator('a[data-page]')
        .evaluateAll(links => links.map(link => (link as HTMLElement).dataset['page']!))
      expect(pages.length).toBeGreaterThan(50)
      for (const each of pages) {
        await page.goto(`${origin}/dev/gallery.html?${each}&appearance=${appearance}`)
        await page.locator('html[data-drawn]').waitFor()
        expect.soft(await overflow(page), `${each} sticks out`).toBe(0)
        expect.soft(await violations(page), each).toEqual([])
      }
    })
  })
