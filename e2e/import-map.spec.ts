import { serveOpalPage } from './support/migrated-pages.js'
import { phones } from './support/people.js'
import { expect, test } from './support/test.js'

test('a page with an import map links accounts through Opal for React', async ({ service, api, page, flow }) => {
  const token = await api.opalToken('connect', await api.person(phones.allPayable), { selection_type: 'multiple' })
  const host = await serveOpalPage(service, token)
  await page.goto(host.origin)
  await page.getByRole('button', { name: 'Link your accounts' }).click()
  await flow.linkOneAccount()
  await expect(page.locator('output')).toHaveText('open exit')
  await expect(page.locator('opal-element')).toHaveCount(0)
  await host.stop()
})
