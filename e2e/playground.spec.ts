/**
 * Checks every screen in every state with axe, using the playground: on the narrowest phone and, in the sweeps, also at
 * 200% zoom and with forced colors. Each screen has its own test so that the tests run in parallel.
 */
import type { Page } from '@playwright/test'
import { violations } from './support/axe.js'
import { screenOf, screens } from './support/playground.js'
import { expect, test } from './support/test.js'

const looks = [
  {
    what: 'a phone 320 px wide, dark',
    appearance: 'dark',
    forcedColors: 'none',
    viewport: { width: 320, height: 640 },
    tag: '',
  },
  {
    what: 'a desktop at 200 %, light',
    appearance: 'light',
    forcedColors: 'none',
    viewport: { width: 640, height: 400 },
    tag: '@sweep',
  },
  {
    what: 'a phone with forced colors, dark',
    appearance: 'dark',
    forcedColors: 'active',
    viewport: { width: 390, height: 844 },
    tag: '@sweep',
  },
] as const

/** Returns the number of pixels by which the page is wider than the window. */
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test('every screen in the playground has a test here', ({ playground: { queries } }) => {
  expect([...new Set(queries.map(screenOf))]).toEqual(screens)
  expect(queries.length).toBeGreaterThan(50)
})

for (const { what, appearance, forcedColors, viewport, tag } of looks)
  for (const screen of screens)
    test(`every state of ${screen} fits and has no accessibility violation on ${what}`, { tag: tag || [] }, async ({
      playground,
    }) => {
      const { queries, page, draw } = playground
      await page.emulateMedia({ forcedColors })
      await page.setViewportSize(viewport)
      for (const query of queries.filter(each => screenOf(each) === screen)) {
        await draw(`${query}&appearance=${appearance}`)
        expect.soft(await overflow(page), `${query} sticks out`).toBe(0)
        expect.soft(await violations(page), query).toEqual([])
      }
      // Reset the page, because other tests share it.
      await page.emulateMedia({ forcedColors: 'none' })
    })

test('most accounts are in view above the button', async ({ playground: { page, draw } }) => {
  for (const [query, viewport, least] of [
    ['screen=selection&state=many', { width: 390, height: 844 }, 4],
    ['screen=selection&state=plain', { width: 320, height: 568 }, 2],
  ] as const) {
    await page.setViewportSize(viewport)
    await draw(query)
    const count = await page.evaluate(() => {
      const end = document.querySelector('.dock')!.getBoundingClientRect().top
      return [...document.querySelectorAll('fieldset .row')].filter(row => row.getBoundingClientRect().bottom <= end)
        .length
    })
    expect(count, query).toBeGreaterThanOrEqual(least)
  }
})

test('a long name has enough width for its words beside a large amount', async ({ playground: { page, draw } }) => {
  for (const size of ['', '200%']) {
    await page.setViewportSize({ width: 390, height: 844 })
    await draw('screen=selection&state=plain')
    const widths = await page.evaluate(given => {
      document.documentElement.style.fontSize = given
      const letters = 8 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      return [...document.querySelectorAll<HTMLElement>('.row')].map(row => {
        row.querySelector('.row-name')!.textContent = 'Pennsylvania Higher Education Assistance Agency'
        row.querySelector('.amount')?.replaceChildren('$1,234,567.89')
        return row.querySelector('.row-name')!.getBoundingClientRect().width / letters
      })
    }, size)
    expect(Math.min(...widths), `with text at ${size || '100%'}`).toBeGreaterThan(0.95)
    expect(await overflow(page)).toBe(0)
    const [brand] = await page
      .locator('.brand-name')
      .evaluateAll(all => all.map(name => name.scrollHeight - name.clientHeight))
    expect(brand, 'the name of the lender is cut off').toBeLessThanOrEqual(1)
    await page.evaluate(() => document.documentElement.style.removeProperty('font-size'))
  }
})

test('the unassigned amount stays in view while the amounts scroll', async ({ playground: { page, draw } }) => {
  for (const viewport of [
    { width: 390, height: 760 },
    { width: 1280, height: 640 },
  ]) {
    await page.setViewportSize(viewport)
    await draw('screen=allocation&state=three')
    const last = page.locator('.alloc').last()
    await last.scrollIntoViewIfNeeded()
    await last.evaluate(row => row.scrollIntoView({ block: 'end' }))
    const { meter, header } = await page.evaluate(() => {
      const rect = (name: string) => document.querySelector(name)!.getBoundingClientRect()
      return { meter: rect('.meter').top, header: rect('.top').bottom }
    })
    expect(meter, `${viewport.width} px wide`).toBeGreaterThanOrEqual(header)
    expect(meter, `${viewport.width} px wide`).toBeLessThan(header + 40)
  }
})
