/**
 * Tabs through every screen of the playground and checks that the top and bottom bars don't cover the focused control
 * or its error message (WCAG 2.4.11). Axe can't check this. If a screen has fields, an incomplete form is submitted
 * first so that the error messages appear.
 */
import type { Page } from '@playwright/test'
import { type Playground, screenOf, screens } from '../support/playground.js'
import { expect, test } from '../support/test.js'

// Tracing is off, because recording a press of Tab takes longer than the press itself.
test.use({ trace: 'off' })

/** An upper limit on the number of Tab presses on a screen. */
const MAX_TAB_STOPS = 60

interface Look {
  what: string
  viewport: { width: number; height: number }
  /** The text size, relative to the default. */
  text: string
  locale?: string
}

const looks: Look[] = [
  { what: '390 px wide', viewport: { width: 390, height: 844 }, text: '100%' },
  { what: '320 px wide', viewport: { width: 320, height: 568 }, text: '100%' },
  { what: '420 px wide', viewport: { width: 420, height: 800 }, text: '100%' },
  { what: '390 px wide with text at 200 %', viewport: { width: 390, height: 844 }, text: '200%' },
  { what: 'a desktop at 400 %', viewport: { width: 320, height: 256 }, text: '100%' },
  { what: '320 px wide in Arabic', viewport: { width: 320, height: 568 }, text: '100%', locale: 'ar' },
  {
    what: '390 px wide in Arabic with text at 200 %',
    viewport: { width: 390, height: 844 },
    text: '200%',
    locale: 'ar',
  },
]

/** Checks whether the focused control or its error message is covered. Returns null if focus has left the screen. */
const look = (page: Page) =>
  page.evaluate(() => {
    const control = document.activeElement
    if (!control || control === document.body) return null
    const [top, dock] = ['.top', '.dock'].map(name => document.querySelector<HTMLElement>(name))
    const bar = [top, dock].find(each => each?.contains(control))
    const sticks = (each: HTMLElement | null | undefined) => each && getComputedStyle(each).position === 'sticky'
    const upper = sticks(top) && !bar ? top!.getBoundingClientRect().bottom : 0
    const lower = sticks(dock) && !bar ? dock!.getBoundingClientRect().top : innerHeight
    const covered = (part: Element) => {
      const { top: from, bottom: to } = part.getBoundingClientRect()
      const hidden = Math.max(upper - from, to - lower)
      // A control that is taller than the visible area counts as covered only if no part of it is visible.
      return to - from > lower - upper ? from > lower || to < upper : hidden > 1
    }
    const seen = control.closest('label') ?? control
    const ids = [control, control.closest('fieldset')].flatMap(
      each => each?.getAttribute('aria-describedby')?.split(' ') ?? [],
    )
    const found = covered(seen) ? ['is covered'] : []
    for (const id of ids.filter(each => each.endsWith('-error'))) {
      const message = document.getElementById(id)!
      const [a, b] = [seen, message].map(each => each.getBoundingClientRect()) as [DOMRect, DOMRect]
      const fits = Math.max(a.bottom, b.bottom) - Math.min(a.top, b.top) <= lower - upper
      if (fits && covered(message)) found.push('has a message that is covered')
    }
    const isNew = !control.hasAttribute('data-been')
    control.setAttribute('data-been', '')
    return { isNew, found: found.map(each => `${control.id || control.className || control.localName} ${each}`) }
  })

/** Presses Tab until every control has had focus. Returns the controls that were covered. */
async function tabThrough(page: Page): Promise<string[]> {
  const found: string[] = []
  let exits = 0
  for (let stops = 0; stops < MAX_TAB_STOPS; stops++) {
    await page.keyboard.press('Tab')
    const stop = await look(page)
    if (stop === null) exits += 1
    // Focus can start in the middle of the screen. In that case, focus leaves the screen once before every control has
    // had focus.
    if (exits > 1 || stop?.isNew === false) return found
    found.push(...(stop?.found ?? []))
  }
  throw new Error('Focus did not return to an earlier control.')
}

/** Sets the text size and waits until the bars have been measured. */
const setText = (page: Page, size: string) =>
  page.evaluate(async given => {
    document.documentElement.style.fontSize = given
    for (let frame = 0; frame < 2; frame++) await new Promise(resolve => requestAnimationFrame(resolve))
  }, size)

/** Checks a screen in the given states. If the screen has a form, first submits the incomplete form. */
async function check({ page, draw }: Playground, { viewport, text, locale }: Look, queries: string[]): Promise<void> {
  await page.setViewportSize(viewport)
  for (const query of queries) {
    await draw(locale ? `${query}&locale=${locale}` : query)
    await setText(page, text)
    if (await page.locator('main input, main select').count()) {
      await page.locator('.dock .cta').dispatchEvent('click')
      await setText(page, text)
      expect.soft((await look(page))?.found ?? [], `${query}, submitted incomplete`).toEqual([])
    }
    expect.soft(await tabThrough(page), query).toEqual([])
  }
  await setText(page, '')
}

/** Returns the queries for a screen's states. */
const statesOf = ({ queries }: Playground, screen: string) => queries.filter(each => screenOf(each) === screen)

for (const screen of screens)
  test(`no bar covers a control or a message of ${screen} when it opens, 390 px wide`, async ({ playground }) => {
    await check(playground, looks[0]!, statesOf(playground, screen).slice(0, 1))
  })

test('no bar covers a control or a message of details, 320 px wide in Arabic', async ({ playground }) => {
  const arabic = looks.find(({ locale }) => locale)!
  await check(playground, arabic, ['screen=details&state=plain', 'screen=details&state=address'])
})

for (const each of looks)
  for (const screen of screens)
    test(
      `no bar covers a control or a message of ${screen} in any state, ${each.what}`,
      { tag: '@sweep' },
      ({ playground }) => check(playground, each, statesOf(playground, screen)),
    )
