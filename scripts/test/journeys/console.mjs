/** The console journey with the real service: sign in with a key, find the cause of a problem, and sign out. */
import { Api } from '../../../e2e/support/api.js'
import { debt, move } from '../../../e2e/support/debts.js'

async function search({ page }, text, result) {
  await page.press(/^Any id/)
  await page.fill('Search', text)
  await page.press(result, 'option')
}

export const consoleJourneys = {
  async 'a console user finds out why a payment failed and why a request was rejected'({ page, service }) {
    const api = new Api(service)
    const { pay } = await debt(api)
    const payment = await pay(295_060)
    await move(api, payment, 'processing', 'sent', 'reversal_required')
    const refused = await fetch(`${service.apiOrigin}/payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      body: '{}',
    })
    const request = refused.headers.get('request-id')

    await page.fill('Secret key', service.key)
    await page.press('Sign in')
    await page.sees({ role: 'link', name: 'Overview' })
    await search({ page }, payment, new RegExp(payment))
    await page.sees({ text: /returned this payment/ })
    await page.sees({ role: 'button', name: 'Approve reversal · $2,950.60' })
    await search({ page }, request, new RegExp(request))
    await page.sees({ text: /It was rejected with 400/ })
    await page.press(/Admin/)
    await page.press('Sign out')
    await page.sees({ label: 'Secret key' })
  },
}
