/**
 * Takes screenshots of every screen and state for review, using the real service: `node scripts/docs/shots.mjs`. Saves the
 * screenshots in `test-results/shots` and the README's two images in `docs/images`.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { Flow, headings } from '../support/flow.js'
import { HostPage, type Opening, type Tag } from '../support/host.js'
import { withFewColours } from '../support/palette.js'
import { phones } from '../support/people.js'
import { demoScenes } from '../support/scenes.demo.js'
import { scenes } from '../support/scenes.js'
import { strip } from '../support/strip.js'
import { test } from '../support/test.js'

const folder = fileURLToPath(new URL('../../test-results/shots', import.meta.url))
const images = fileURLToPath(new URL('../../docs/images', import.meta.url))
/** The size of the phone screenshots in the README, narrow enough for four to be readable side by side. */
const small = { viewport: { width: 375, height: 690 } }
const brand = { name: 'Northwind Lending', support_url: 'https://northwind.example/help' }
const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } }

test.use({ contextOptions: { reducedMotion: 'reduce' } })
test.beforeAll(() => {
  mkdirSync(folder, { recursive: true })
  mkdirSync(images, { recursive: true })
})

/** Waits until no frame has changed size for a moment. An inline frame's height changes shortly after its width. */
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
            if (still > 3) done()
            else setTimeout(look, 50)
          }
          look()
        }),
    )
}

/**
 * Takes four screenshots of one screen, one for each size and color scheme.
 * @param whole true to show the whole page by enlarging the window, because a full-page screenshot could catch a frame
 * that is still changing its layout
 * @param draw draws the screen in a color scheme, for a page that doesn't use the browser's color scheme
 */
async function picture(
  page: Page,
  name: string,
  whole = false,
  draw?: (scheme: string) => Promise<void>,
): Promise<void> {
  for (const [size, viewport] of Object.entries(sizes))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await draw?.(colorScheme)
      await page.setViewportSize(viewport)
      await settle(page)
      if (whole) {
        const height = await page.evaluate(() => document.documentElement.scrollHeight)
        await page.setViewportSize({ ...viewport, height })
        await settle(page)
      }
      await page.screenshot({ path: `${folder}/${name}-${size}-${colorScheme}.png`, animations: 'disabled' })
    }
}

for (const [name, play] of Object.entries(scenes))
  test(name, async ({ begin, flow, hostPage, host, page, api }) => {
    await api.call('PATCH', '/team', { brand })
    await play({ begin, flow, hostPage, host, page, api }, screen => picture(page, screen))
  })

/** Screens that can't be reached in the sandbox, because its limits on codes are too high. */
const limits = {
  'limit-phone': 'screen=phone&state=limited',
  'limit-code': 'screen=code&state=limited',
  'limit-codes': 'screen=blocked&state=too_many_codes',
  'limit-tries': 'screen=blocked&state=too_many_attempts',
}

test('limits', async ({ playground: { page, draw } }) => {
  for (const [name, query] of Object.entries(limits))
    await picture(page, name, false, scheme => draw(`${query}&appearance=${scheme}`))
})

test('every state of every screen in Arabic', async ({ playground: { page, draw, queries } }) => {
  await page.setViewportSize(sizes.phone)
  for (const query of queries) {
    await draw(`${query}&appearance=light&locale=ar`)
    await settle(page)
    const name = [...new URLSearchParams(query).values()].join('-')
    await page.screenshot({ path: `${folder}/${name}-arabic-light.png`, animations: 'disabled' })
  }
})

for (const [name, play] of Object.entries(demoScenes))
  test(name, async ({ demo, flow, page, context, api }) => {
    await api.call('PATCH', '/team', { brand })
    await play({ demo, flow, page, context, api }, (screen, where = page) => picture(where, screen, true))
  })

test('the README’s pictures', async ({ api, host, browser, demo, page }) => {
  await api.call('PATCH', '/team', { brand })
  const entity = await api.person(phones.mixed)

  /** Runs one journey on a separate phone and returns its screenshots. */
  const play = async (
    tag: Tag,
    token: Opening['token'],
    journey: (flow: Flow, take: () => Promise<void>, hostPage: HostPage) => Promise<void>,
  ) => {
    const context = await browser.newContext({ ...small, reducedMotion: 'reduce' })
    const phone = await context.newPage()
    const hostPage = new HostPage(phone)
    const screens: Buffer[] = []
    await hostPage.open(host, { tag, token, appearance: 'light' })
    const take = async () => {
      // Move the mouse away from the last button to an empty area.
      await phone.locator('iframe[part=frame]').hover({ position: { x: 8, y: 8 } })
      await settle(phone)
      screens.push(await phone.locator('iframe[part=frame]').screenshot({ animations: 'disabled' }))
    }
    await journey(new Flow(phone), take, hostPage)
    await context.close()
    return screens
  }

  const linkToken = await api.connectToken(entity)
  const linking = await play(
    'connect-element',
    () => linkToken,
    async (flow, take) => {
      await flow.at(headings.shareAccounts)
      await take()
      await flow.agree()
      await flow.at(headings.code)
      await flow.field('Six-digit code').fill('4193')
      await take()
      await flow.enterCode('419302')
      await flow.at(/^Which accounts should .+ use/)
      await flow.choose('Chase Sapphire Reserve', 'Capital One Venture')
      await take()
      await flow.goOn()
      await flow.at(headings.connected)
      await take()
    },
  )
  const { token, session } = await api.transferToken(entity, {
    loan_amount: 1_000_000,
    residual_amount_max: 150_000,
    loan_apr: 11.99,
  })
  const tag = 'opal-balance-transfer-element'
  let first: string | null = token
  const paying = await play(
    tag,
    () => {
      const given = first ?? api.resumeToken(session)
      first = null
      return given
    },
    async (flow, take, hostPage) => {
      await flow.at(headings.findAccounts)
      await flow.agree()
      await flow.at(headings.which)
      await flow.choose('Chase Sapphire Reserve', 'Capital One Venture', 'Upstart personal loan')
      await take()
      await flow.goOn()
      await flow.field('Card number').fill('4000 0000 0009 0342')
      await flow.press('Check this number')
      await flow.at(headings.split)
      await take()
      await flow.press('Review payments')
      await flow.at(headings.check)
      await take()
      await flow.press('Confirm payments')
      await flow.at(headings.confirmed)
      await flow.press('Done')
      await hostPage.hears('outcome')
      await api.release(session)
      await hostPage.reopen(tag)
      await flow.at('Your payments are on their way')
      await take()
    },
  )
  const wide = await browser.newPage({ viewport: { width: 2_000, height: 640 } })
  const journeys = [
    { caption: 'A person links accounts …', screens: linking },
    { caption: '… and splits a loan between them, until the lender releases it', screens: paying },
  ]
  writeFileSync(`${images}/journey.png`, await withFewColours(wide, await strip(wide, journeys)))

  await page.setViewportSize({ width: 1180, height: 760 })
  await demo.apply(phones.allPayable)
  await demo.linkAccounts()
  const flow = new Flow(page)
  await flow.at(headings.shareAccounts)
  await flow.proveWhoIAm()
  await flow.at(/^Which accounts should .+ use/)
  await flow.choose('Chase Freedom Unlimited', 'LendingClub')
  await settle(page)
  writeFileSync(`${images}/demo.png`, await withFewColours(wide, await page.screenshot({ animations: 'disabled' })))
  await wide.close()
})
