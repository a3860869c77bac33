/**
 * Pictures of every screen and state, through the real service, for looking at: `node scripts/e2e.mjs --config
 * e2e/shots.config.ts`. They go to `test-results/shots`; the README's two are made from them.
 */
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { asks } from './support/flow.js'
import { phones } from './support/people.js'
import { scenes } from './support/scenes.js'
import { test } from './support/test.js'

const folder = fileURLToPath(new URL('../test-results/shots', import.meta.url))
const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } }

test.use({ contextOptions: { reducedMotion: 'reduce' } })
test.beforeAll(() => mkdirSync(folder, { recursive: true }))

/** An inline frame learns its height a moment after its width: waits until no frame has changed for 20 pictures. */
async function settle(page: Page): Promise<void> {
  for (const frame of page.frames())
    await frame.evaluate(
      () =>
        new Promise<void>(done => {
          let last = ''
          let still = 0
          const look = () => {
            const now = `${innerWidth} ${innerHeight} ${document.documentElement.scrollHeight}`
            still = now === last ? still + 1 : 0
            last = now
            if (still > 20) done()
            else requestAnimationFrame(look)
          }
          look()
        }),
    )
}

/** One screen, four ways. */
async function picture(page: Page, name: string, fullPage = false): Promise<void> {
  for (const [size, viewport] of Object.entries(sizes))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize(viewport)
      await settle(page)
      await page.screenshot({ path: `${folder}/${name}-${size}-${colorScheme}.png`, fullPage, animations: 'disabled' })
    }
}

for (const [name, play] of Object.entries(scenes))
  test(name, async ({ begin, flow, hostPage, host, page, api }) => {
    await play({ begin, flow, hostPage, host, page, api }, screen => picture(page, screen))
  })

test('the lender’s pages', async ({ demo, flow, page }) => {
  await page.goto(demo.origin)
  await picture(page, 'demo-home', true)
  await demo.apply(phones.allPayable)
  await picture(page, 'demo-applied', true)
  await demo.linkAccounts()
  await flow.at(asks.shareAccounts)
  await picture(page, 'demo-modal')
  await flow.proveWhoIAm()
  await flow.at(/^Which accounts will you share/)
  await flow.press('Select all')
  await flow.goOn()
  await flow.at(asks.connected)
  await flow.press('Done')
  await page.getByRole('button', { name: 'Choose the payments' }).waitFor()
  await picture(page, 'demo-linked', true)
  await demo.choosePayments()
  await flow.at(asks.findAccounts)
  await flow.agree()
  await flow.at(asks.which)
  await picture(page, 'demo-inline-selection', true)
  await flow.choose('Chase Freedom Unlimited', 'LendingClub')
  await flow.goOn()
  await flow.at(asks.split)
  await picture(page, 'demo-inline-allocation', true)
  await flow.press('Review payments')
  await flow.at(asks.check)
  await flow.press('Confirm payments')
  await flow.at(asks.confirmed)
  await flow.press('Done')
  await page.getByText('Not placed').waitFor()
  await picture(page, 'demo-confirmed', true)
  await demo.openCase()
  await picture(page, 'demo-case', true)
  await demo.release()
  await demo.letPass('One week passes')
  await picture(page, 'demo-case-posted', true)
  await page.getByRole('link', { name: 'Applications' }).click()
  await picture(page, 'demo-cases', true)
})
