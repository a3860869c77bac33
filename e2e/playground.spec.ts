/**
 * Checks every screen in every state with axe, as the playground shows it: on the narrowest phone, and in the sweeps at
 * twice the size. Each screen is a test of its own, so that they run in parallel.
 */
import type { Page } from '@playwright/test'
import { violations } from './support/axe.js'
import { screenOf, screens } from './support/playground.js'
import { expect, test } from './support/test.js'

const looks = [
  { what: 'a phone 320 px wide, dark', appearance: 'dark', viewport: { width: 320, height: 640 }, tag: [] },
  { what: 'a desktop at 200 %, light', appearance: 'light', viewport: { width: 640, height: 400 }, tag: '@sweep' },
]

/** What sticks out sideways. */
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test('every screen of the playground has a test here', ({ playground: { queries } }) => {
  expect([...new Set(queries.map(screenOf))]).toEqual(screens)
  expect(queries.length).toBeGreaterThan(50)
})

for (const { what, appearance, viewport, tag } of looks)
  for (const screen of screens)
    test(`every state of ${screen} fits and has no barrier on ${what}`, { tag }, async ({ playground }) => {
      const { queries, page, draw } = playground
      await page.setViewportSize(viewport)
      for (const query of queries.filter(each => screenOf(each) === screen)) {
        await draw(`${query}&appearance=${appearance}`)
        expect.soft(await overflow(page), `${query} sticks out`).toBe(0)
        expect.soft(await violations(page), query).toEqual([])
      }
    })
