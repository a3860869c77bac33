/**
 * Checks every screen with axe, using the real service. The tests without the tag `@sweep` cover everything that the
 * playground does not show: the element around the frame, the hosted page, and one flow on a customer's page.
 */
import type { Page } from '@playwright/test'
import { violations } from './support/axe.js'
import { hostedScenes } from './support/scenes.hosted.js'
import { scenes } from './support/scenes.js'
import { expect, test } from './support/test.js'

/** Together, these cover light and dark mode, a desktop and a small phone. */
const looks = [
  { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const

const always = new Set([...Object.keys(hostedScenes), 'linking accounts', 'a frame that does not respond'])

/** Returns true if anything overflows horizontally on the narrowest screen. */
const overflows = (page: Page) =>
  page
    .frames()
    .at(-1)!
    .evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

for (const [name, play] of Object.entries(scenes)) {
  const tag = always.has(name) ? [] : '@sweep'
  test(`no accessibility violation, light or dark, large or small: ${name}`, { tag }, async ({
    begin,
    flow,
    hostPage,
    host,
    page,
    api,
  }) => {
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
}
