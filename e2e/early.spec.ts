/**
 * Tests the first screen, which the service renders into the frame's page. The screen is visible and accepts a press
 * before the app has loaded.
 */
import type { Page } from '@playwright/test'
import { violations } from './support/axe.js'
import { headings } from './support/flow.js'
import { phones } from './support/people.js'
import { expect, test } from './support/test.js'

/** Delays the app's script until the returned function is called. */
async function holdApp(page: Page): Promise<() => void> {
  let release: () => void = () => undefined
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route(/\/assets\/index-[^/]*\.js$/, async route => {
    await held
    await route.continue()
  })
  return release
}

/** Returns the positions and sizes of all visible controls and headings in the frame, in whole pixels. */
const places = (page: Page) =>
  page
    .frames()
    .at(-1)!
    .evaluate(() =>
      [...document.querySelectorAll('h1,h2,button,summary,a,.agreement')].flatMap(each => {
        const { x, y, width, height } = each.getBoundingClientRect()
        const text = each.textContent!.replace(/\s+/g, ' ').trim()
        return height === 0 ? [] : [[text, ...[x, y, width, height].map(Math.round)]]
      }),
    )

for (const opening of [
  {},
  { display: 'inline' },
  { locale: 'ar', appearance: 'dark' },
  { locale: 'es', appearance: 'light' },
] as const)
  test(`the first screen is shown without the app, and the app does not move it (${JSON.stringify(opening)})`, {
    tag: 'display' in opening || 'locale' in opening ? '@sweep' : [],
  }, async ({ page, hostPage, flow, begin }) => {
    const release = await holdApp(page)
    await begin(phones.allPayable, undefined, opening)
    await expect(flow.frame.locator('#early .dock .cta')).toBeVisible()
    await page.setViewportSize({ width: 390, height: 1_400 })
    const look = () =>
      flow.frame.locator('html').evaluate(root => {
        const { lang, dir, dataset, style } = root as HTMLElement
        const { color, backgroundColor } = getComputedStyle(root.querySelector('.dock .cta')!)
        return {
          lang,
          dir,
          display: dataset['display'],
          scheme: dataset['scheme'],
          color,
          backgroundColor,
          own: style.length > 0,
        }
      })
    const [early, before] = [await look(), await places(page)]
    expect(await violations(page)).toEqual([])
    expect(hostPage.types()).not.toContain('element-ready')
    release()
    await hostPage.hears('element-ready')
    await expect(flow.frame.locator('#early')).toHaveCount(0)
    expect(await look()).toEqual({ ...early, own: true })
    if (!('display' in opening)) expect(await places(page)).toEqual(before)
    expect(hostPage.refused).toEqual([])
  })

test('a press before the app has loaded is applied once it has', async ({ page, flow, begin, hostPage }) => {
  const steps: string[] = []
  page.on('request', request => {
    if (request.url().includes('/s/steps/')) steps.push(new URL(request.url()).pathname)
  })
  const release = await holdApp(page)
  await begin(phones.allPayable)
  await flow.frame.locator('#early .dock .cta').dblclick()
  expect(steps).toEqual([])
  release()
  await flow.at(headings.code)
  expect(steps).toEqual(['/s/steps/consent'])
  expect(hostPage.refused).toEqual([])
})

test('a press is dropped if the app shows something else', async ({ page, flow, begin }) => {
  const steps: string[] = []
  page.on('request', request => {
    if (request.url().includes('/s/steps/')) steps.push(request.url())
  })
  const release = await holdApp(page)
  await begin(phones.allPayable)
  await flow.frame.locator('#early .dock .cta').click()
  // Change the displayed statement, so that it differs from the one that the app shows.
  await flow.frame.locator('#early .agreement').evaluate(agreement => agreement.prepend('Another statement. '))
  release()
  await expect(flow.frame.locator('causeway-flow .dock .cta')).toBeVisible()
  await expect(flow.frame.locator('#early')).toHaveCount(0)
  expect(steps).toEqual([])
})

test('an app that never loads ends in an error with a retry', async ({ page, flow, begin, hostPage }) => {
  await page.route(/\/assets\/index-[^/]*\.js$/, route => route.abort())
  await begin(phones.allPayable, undefined, { timeout: 3_000 })
  await expect(flow.frame.locator('#early .dock .cta')).toBeVisible()
  expect((await hostPage.hears('element-error'))['sub_type']).toBe('FRAME_UNREACHABLE')
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await page.unroute(/\/assets\/index-[^/]*\.js$/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await hostPage.hears('element-ready')
})
