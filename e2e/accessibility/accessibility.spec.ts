/**
 * Checks every screen with axe, using the real service. The tests without the tag `@sweep` cover everything that the
 * playground does not show: the element around the frame, the hosted page, and one flow on a customer's page. With
 * forced colors, the sweeps check only the demo lender's pages and the screens that the playground does not show.
 * `playground.spec.ts` checks the other screens with forced colors.
 */
import type { Frame, Page } from '@playwright/test'
import { violations } from '../support/axe.js'
import { demoScenes } from '../support/scenes.demo.js'
import { hostedScenes } from '../support/scenes.hosted.js'
import { scenes } from '../support/scenes.js'
import { expect, test } from '../support/test.js'

const looks = [
  { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const

/** System colors, as in Windows high contrast mode. */
const forced = [
  { forcedColors: 'active', colorScheme: 'light', viewport: looks[0].viewport },
  { forcedColors: 'active', colorScheme: 'dark', viewport: looks[1].viewport },
] as const

const always = new Set([...Object.keys(hostedScenes), 'linking accounts', 'a frame that does not respond'])

/** Returns true if anything in the frame overflows horizontally. */
const overflows = (frame: Frame) =>
  frame.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

async function check(page: Page, screen: string, given: readonly (typeof looks | typeof forced)[number][]) {
  for (const { viewport, ...media } of given) {
    await page.emulateMedia(media)
    await page.setViewportSize(viewport)
    expect.soft(await violations(page), `${screen}, ${Object.values(media)}, ${viewport.width} px wide`).toEqual([])
  }
}

async function checkWidth(page: Page, screen: string, frame: Frame) {
  await page.setViewportSize({ width: 320, height: 640 })
  expect.soft(await overflows(frame), `${screen} is wider than 320 px`).toBe(false)
  await page.setViewportSize(looks[0].viewport)
}

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
      await check(page, screen, looks)
      await checkWidth(page, screen, page.frames().at(-1)!)
    })
  })
}

for (const name of always)
  test(`no accessibility violation with forced colors: ${name}`, { tag: '@sweep' }, async ({
    begin,
    flow,
    hostPage,
    host,
    page,
    api,
  }) => {
    await scenes[name]!({ begin, flow, hostPage, host, page, api }, screen => check(page, screen, forced))
  })

for (const [name, play] of Object.entries(demoScenes))
  test(`no accessibility violation, light or dark, with forced colors or without: ${name}`, { tag: '@sweep' }, async ({
    demo,
    flow,
    page,
    context,
    api,
  }) => {
    test.slow()
    await play({ demo, flow, page, context, api }, async (screen, where = page) => {
      await check(where, screen, [...looks, ...forced])
      await where.emulateMedia({ forcedColors: 'none' })
      await checkWidth(where, screen, where.mainFrame())
    })
  })
