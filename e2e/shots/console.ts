/**
 * Takes screenshots of the console with the real service, for review and for docs/guides/console.md:
 * `node scripts/docs/shots.mjs --grep console`. Saves the screenshots in `test-results/shots` and those for the guide in
 * `docs/images`.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { debt, move } from '../support/debts.js'
import { startStuckSession, test } from '../support/desk.js'
import { withFewColours } from '../support/palette.js'
import { expect } from '../support/test.js'

const folder = fileURLToPath(new URL('../../test-results/shots', import.meta.url))
const images = fileURLToPath(new URL('../../docs/images', import.meta.url))
const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } }

test('the console', async ({ api, desk, context, page, service }) => {
  test.setTimeout(600_000)
  mkdirSync(folder, { recursive: true })
  const { pay } = await debt(api)
  const failed = await pay(295_060)
  await move(api, failed, 'processing', 'sent', 'reversal_required')
  await move(api, await pay(50_000), 'processing', 'sent', 'posted')
  await move(api, await pay(120_000), 'processing')
  await pay(82_000)
  await pay(10).catch(() => undefined)
  const flowPage = await context.newPage()
  const entity = await startStuckSession(api, flowPage)
  await flowPage.close()
  const hook = { type: 'payment.update', url: 'http://127.0.0.1:9/hook' }
  const webhook = await api.call<{ id: string }>('POST', '/webhooks', hook)
  await move(api, await pay(64_000), 'processing', 'sent')
  let refused = ''
  await expect
    .poll(async () => {
      const { data } = await api.call<{ data: { id: string }[] }>('GET', '/requests?sub_type=INVALID_AMOUNT')
      refused = data[0]?.id ?? ''
      return refused
    })
    .toMatch(/^req_/)
  // Decode the screenshots on a separate page, because the console's policy would block the images.
  const plain = await context.newPage()
  const guide = {
    payments: '/payments',
    payment: `/payments/${failed}`,
    person: `/people/${entity}`,
    request: `/requests/${refused}`,
    webhook: `/webhooks/${webhook.id}`,
    bench: '/bench',
    overview: '/overview',
  }
  const first = async (list: string) => (await api.call<{ data: { id: string }[] }>('GET', list)).data[0]?.id
  const others = {
    people: '/people',
    sessions: '/sessions',
    session: `/sessions/${await first('/opal/sessions')}`,
    requests: '/requests',
    webhooks: '/webhooks',
    events: '/events',
    event: `/events/${await first('/events')}`,
    health: '/health',
  }
  const { id: team } = await api.call<{ id: string }>('GET', '/team')
  for (const [name, path] of Object.entries({ ...guide, ...others })) {
    // Only operators can open the health page.
    if (name === 'health') await page.goto(await service.consoleLink(team))
    for (const [size, viewport] of Object.entries(sizes))
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.setViewportSize(viewport)
        await desk.open(path)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await page.waitForLoadState('networkidle')
        const shot = await page.screenshot({
          path: `${folder}/console-${name}-${size}-${colorScheme}.png`,
          animations: 'disabled',
        })
        if (size === 'desktop' && colorScheme === 'light' && name in guide)
          writeFileSync(`${images}/console-${name}.png`, await withFewColours(plain, shot))
      }
  }
})
