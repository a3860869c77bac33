/**
 * Checks every page of the console in every state with axe, using the play page: on a phone in dark mode and, in the
 * sweeps, also on a desktop in light mode. Each page has its own test so that the tests run in parallel.
 */
import type { Page } from '@playwright/test'
import { violations } from './support/axe.js'
import { expect, test } from './support/test.js'

const looks = [
  { what: 'a phone, dark', colorScheme: 'dark', viewport: { width: 390, height: 844 }, tag: '' },
  { what: 'a desktop, light', colorScheme: 'light', viewport: { width: 1280, height: 800 }, tag: '@sweep' },
] as const

/** The pages that the play page shows. `shell` is the layout around them. */
const pages = [
  'account',
  'overview',
  'payment',
  'payments',
  'person',
  'people',
  'repairs',
  'session',
  'sessions',
  'request',
  'requests',
  'webhook',
  'webhooks',
  'event',
  'events',
  'bench',
  'health',
  'connections',
  'payees',
  'notices',
  'reconciliation',
  'deliveries',
  'approval',
  'approvals',
  'users',
  'keys',
  'settings',
  'audit',
  'own_account',
  'shell',
]

/** Returns the number of pixels by which the page is wider than the window. */
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test('every page in the play page has a test here', ({ consolePlay: { states } }) => {
  expect([...new Set(states.map(([page]) => page))].sort()).toEqual([...pages].sort())
})

test('a phone shows the state of each account and the time of each delivery', async ({ consolePlay }) => {
  const { page, draw } = consolePlay
  await page.setViewportSize({ width: 390, height: 844 })
  const first = (table: string) => page.getByRole('table', { name: table }).locator('tbody tr').first()
  await draw('person', 'stuck')
  await expect(first('Accounts').getByText('Active').filter({ visible: true })).toHaveCount(1)
  await expect(first('Accounts').getByText('After its number is entered').filter({ visible: true })).toHaveCount(1)
  await draw('webhook', 'failing')
  await expect(first('Deliveries').getByText('9:40:52 AM').filter({ visible: true })).toHaveCount(1)
})

test('a phone selects all deliveries, and shows the endpoint of each', async ({ consolePlay }) => {
  const { page, draw } = consolePlay
  await page.setViewportSize({ width: 390, height: 844 })
  await draw('deliveries', 'plain')
  await page.getByRole('checkbox', { name: 'Select all deliveries on this page' }).check()
  await expect(page.getByRole('button', { name: 'Send 9 again' })).toBeEnabled()
  const first = page.getByRole('table', { name: 'Deliveries' }).locator('tbody tr').first()
  await expect(first.getByText('hooks.northwind.example/causeway').filter({ visible: true })).toHaveCount(1)
})

for (const { what, colorScheme, viewport, tag } of looks)
  for (const name of pages)
    test(`every state of the console's ${name} fits and has no accessibility violation on ${what}`, {
      tag: tag || [],
    }, async ({ consolePlay }) => {
      const { states, page, draw } = consolePlay
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize(viewport)
      for (const [, state] of states.filter(([each]) => each === name)) {
        await draw(name, state)
        expect.soft(await overflow(page), `${state} sticks out`).toBe(0)
        expect.soft(await violations(page), state).toEqual([])
      }
    })
