import { expect } from '@open-wc/testing'
import { failure, reply } from '../dev/fake.js'
import { healthyWebhook, webhook } from '../dev/fixtures/developers.js'
import { showPage } from './testing/show-page.js'

const spoken = () => document.querySelector('.toast')?.textContent?.trim()
const secretShown = () => document.querySelector('dialog[open] .secret')?.textContent?.trim()

describe('the tools of a webhook', () => {
  it('send a test and say how the server responded', async () => {
    const { press, calls } = await showPage('webhook', 'failing')
    await press('Send a test')
    expect(calls(`POST /webhooks/${webhook.id}/test`)).to.have.length(1)
    expect(spoken()).to.contain('Your server responded with 204 in 84 ms.')
  })

  it('say why a test got no response', async () => {
    const none = { webhook_id: webhook.id, delivered: false, response_status: null, failure: 'timeout', ms: 5_000 }
    const { press } = await showPage('webhook', 'failing', { 'POST /webhooks/:id/test': reply(none) })
    await press('Send a test')
    expect(spoken()).to.contain('The test request failed: timeout.')
  })

  it('rotate the secret to a new one, which is shown once', async () => {
    const { press, calls, settle } = await showPage('webhook', 'failing')
    void press('Rotate the secret')
    await settle()
    await press('Rotate the secret')
    const [call] = calls(`POST /webhooks/${webhook.id}/rotate`)
    const secret = (call?.body as { hmac_secret: string } | undefined)?.hmac_secret
    expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(secretShown()).to.equal(secret)
    await press('I stored it')
    expect(secretShown()).to.equal(undefined)
  })

  it('keep the secret when the rotation fails', async () => {
    const { press, settle } = await showPage('webhook', 'failing', { 'POST /webhooks/:id/rotate': failure(503) })
    void press('Rotate the secret')
    await settle()
    await press('Rotate the secret')
    expect(document.querySelector('dialog[open] [role="alert"]')?.textContent).to.contain('Something went wrong')
    expect(secretShown()).to.equal(undefined)
    await press('Go back')
  })
})

describe('the list of webhooks', () => {
  it('repeats an uncertain attempt under the same key, and a refused one under another', async () => {
    const refused = failure(400, 'INVALID_REQUEST', 'type must be one of the event types.')
    const { press, calls, find, settle } = await showPage('webhooks', 'creating', {
      'POST /webhooks': [failure(503), refused, refused],
    })
    void press('Create a webhook')
    await settle()
    find<HTMLInputElement>('dialog[open] [name="url"]').value = 'https://lender.example/hooks'
    find<HTMLInputElement>('dialog[open] [name="type"]').value = 'payment'
    for (let attempt = 0; attempt < 3; attempt++) {
      await press('Create a webhook')
      await settle()
    }
    const [first, second, third] = calls('POST /webhooks').map(({ headers }) => headers.get('idempotency-key'))
    expect(first).to.match(/^[0-9a-f-]{36}$/)
    expect(second).to.equal(first)
    expect(third).to.not.equal(first)
    await press('Go back')
  })

  it('creates a webhook, shows its secret once, and opens it', async () => {
    const { press, calls, at, find, settle } = await showPage('webhooks', 'creating')
    void press('Create a webhook')
    await settle()
    find<HTMLInputElement>('dialog[open] [name="url"]').value = ' https://lender.example/hooks '
    find<HTMLInputElement>('dialog[open] [name="type"]').value = 'payment.update'
    await press('Create a webhook')
    expect(calls('POST /webhooks').map(({ body }) => body)).to.deep.equal([
      { url: 'https://lender.example/hooks', type: 'payment.update', expand_event: false },
    ])
    expect(secretShown()).to.equal('whsec_x')
    await press('I stored it')
    await settle()
    expect(at()).to.equal(`/webhooks/${healthyWebhook.id}`)
  })
})
