import type { Page } from '@playwright/test'
import { violations } from './support/axe.js'
import { scenes } from './support/scenes.js'
import { expect, test } from './support/test.js'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

/** Between them: light and dark, a desktop and a small phone. */
const looks = [
  { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const

/** Whether anything sticks out sideways on the narrowest screen. */
const overflows = (page: Page) =>
  page
    .frames()
    .at(-1)!
    .evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

for (const [name, play] of Object.entries(scenes))
  test(`no barrier, light or dark, large or small: ${name}`, async ({ begin, flow, hostPage, host, page, api }) => {
    test.setTimeout(90_000)
    await play({ begin, flow, hostPage, host, page, api }, async screen => {
      for (const { colorScheme, viewport } of looks) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize(viewport)
        expect.soft(await violations(page), `${screen}, ${colorScheme}, ${viewport.width} px wide`).toEqual([])
      }
      await page.setViewportSize({ width: 320, height: 640 })
      expect.soft(await overflows(page), `${screen} is wider than 320 px`).toBe(false)
      await page.setViewportSize(looks[0].viewport)
    })
  })
