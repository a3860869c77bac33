import { expect } from '@open-wc/testing'
import { listed } from '../dev/fake.js'
import { deliveries, healthyWebhook, webhook } from '../dev/fixtures/developers.js'
import { showPage } from './testing/show-page.js'

const boxes = () => [...document.querySelectorAll<HTMLInputElement>('tbody input[type="checkbox"]')]

describe('the list of deliveries', () => {
  it('sends the selected deliveries again, and then selects none', async () => {
    const { press, calls, settle } = await showPage('deliveries', 'plain')
    for (const index of [4, 5]) boxes()[index]?.click()
    await settle()
    await press('Send 2 again')
    expect(calls('POST /deliveries/redeliver').map(({ body }) => body)).to.deep.equal([
      { ids: [deliveries[4]?.id, deliveries[5]?.id] },
    ])
    expect(boxes().filter(each => each.checked)).to.have.length(0)
  })

  it('selects every delivery on the page at once', async () => {
    const { find, has, settle } = await showPage('deliveries', 'plain')
    find<HTMLInputElement>('thead input').click()
    await settle()
    expect(boxes().every(each => each.checked)).to.equal(true)
    expect(has('.select-bar .go')).to.equal(true)
  })

  it('shows what failed yesterday in one click, by the time of the failure', async () => {
    const { press, calls, at } = await showPage('deliveries', 'plain')
    await press('Failed yesterday')
    expect(calls('GET /deliveries').at(-1)?.query.toString()).to.equal(
      new URLSearchParams([
        ['status[]', 'failed'],
        ['ended_from_date', '2026-03-09'],
        ['ended_to_date', '2026-03-09'],
        ['count', 'capped'],
        ['page_limit', '50'],
      ]).toString(),
    )
    expect(at()).to.contain('/deliveries?status=failed&ended_from=2026-03-09&ended_to=2026-03-09')
  })

  it('reverses the failures of yesterday, and exports them, by the time of the failure', async () => {
    const { calls, find, settle } = await showPage('deliveries', 'yesterday')
    const heading = find<HTMLAnchorElement>('th[aria-sort] a')
    expect(heading.textContent).to.equal('Ended')
    heading.click()
    await settle()
    expect(calls('GET /deliveries').at(-1)?.query.get('sort')).to.equal('finished_at')
    expect(find('a[download]').getAttribute('href')).to.contain('ended_to_date=2026-03-09&sort=finished_at')
  })

  it('asks for all webhooks of the chosen address', async () => {
    const { calls, find, press } = await showPage('deliveries', 'plain')
    await press('Filter F')
    find<HTMLInputElement>(`[name="endpoint"][value="${webhook.id}"]`).click()
    await press('Apply')
    expect(calls('GET /deliveries').at(-1)?.query.getAll('webhook_id[]')).to.deep.equal([webhook.id, healthyWebhook.id])
  })

  it('opens with the webhooks of an address', async () => {
    const { calls } = await showPage('deliveries', 'of_endpoint')
    const asked = calls('GET /deliveries').map(({ query }) => query.getAll('webhook_id[]'))
    expect(asked).to.deep.equal([[webhook.id, healthyWebhook.id]])
  })

  it('asks for the webhooks of the chosen types of event', async () => {
    const { calls, find, press } = await showPage('deliveries', 'plain')
    await press('Filter F')
    find<HTMLInputElement>(`[name="type"][value="${healthyWebhook.type}"]`).click()
    await press('Apply')
    expect(calls('GET /deliveries').at(-1)?.query.getAll('webhook_id[]')).to.deep.equal([healthyWebhook.id])
  })

  it('links each delivery to its request and its attempts', async () => {
    const { find } = await showPage('deliveries', 'plain')
    expect(find('tbody tr .row-link').getAttribute('href')).to.equal(
      `/webhooks/${webhook.id}?delivery=${deliveries[0]?.id}`,
    )
  })

  it('offers nothing to select to a user who may not send deliveries', async () => {
    await showPage('deliveries', 'viewer', { 'GET /deliveries': listed(deliveries) })
    expect(boxes()).to.have.length(0)
  })
})
