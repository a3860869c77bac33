import { expect, waitUntil } from '@open-wc/testing'
import { listed, reply } from '../dev/fake.js'
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

  it('says what happened to each delivery that is sent again', async () => {
    const { find, press, settle, text } = await showPage('deliveries', 'resent')
    for (const index of [4, 5, 6, 7]) boxes()[index]?.click()
    await settle()
    await press('Send 4 again')
    expect(text()).to.contain('3 deliveries are queued.')
    expect(find('.resent [role="status"]').textContent).to.equal('Delivered: 1 · Failed again: 1 · Not sent: 2')
    const rows = [...document.querySelectorAll('.resent li')]
    const resources = rows.map(row => row.querySelector('.id')?.getAttribute('title'))
    expect(resources).to.deep.equal(deliveries.slice(4, 8).map(({ resource_id }) => resource_id))
    const outcomes = rows.map(each => each.lastElementChild?.textContent)
    expect(outcomes).to.deep.equal([
      'Delivered: your server responded with 204.',
      'Failed again: 503. The next attempt is in 5 s.',
      'Not sent: its webhook is disabled.',
      'Not sent: its webhook is disabled.',
    ])
  })

  it('follows a delivery until it is sent', async () => {
    const row = deliveries[4]!
    const waiting = listed([{ ...row, status: 'pending', attempts: 0 }])
    const sent = listed([{ ...row, status: 'delivered', attempts: 1, response_status: 200 }])
    const { find, press, settle } = await showPage('deliveries', 'plain', {
      'GET /deliveries': [listed([row]), waiting, waiting, sent],
      'POST /deliveries/redeliver': reply({ queued: 1, deliveries: [{ id: row.id, queued: true, reason: null }] }),
    })
    boxes()[0]?.click()
    await settle()
    await press('Send 1 again')
    const summary = () => find('.resent [role="status"]').textContent
    expect(summary()).to.equal('Waiting: 1')
    await waitUntil(() => summary() === 'Delivered: 1', 'the delivery was not followed', { timeout: 3_000 })
  })

  it('says that nothing is sent if the webhooks of all selected deliveries are deleted', async () => {
    const row = deliveries[4]!
    const { calls, press, settle, text } = await showPage('deliveries', 'plain', {
      'GET /deliveries': listed([row]),
      'GET /webhooks': listed([healthyWebhook]),
      'POST /deliveries/redeliver': reply({
        queued: 0,
        deliveries: [{ id: row.id, queued: false, reason: 'webhook_deleted' }],
      }),
    })
    boxes()[0]?.click()
    await settle()
    await press('Send 1 again')
    expect(text()).to.contain('None was sent').and.to.contain('Not sent: its webhook was deleted.')
    expect(calls('GET /deliveries').some(({ query }) => query.has('id[]'))).to.equal(false)
    await press('Close')
    expect(text()).not.to.contain('Not sent')
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
        // The team is in Chicago.
        ['ended_from_date', '2026-03-09T05:00:00.000Z'],
        ['ended_to_date', '2026-03-10T05:00:00.000Z'],
        ['count', 'capped'],
        ['page_limit', '50'],
      ]).toString(),
    )
    expect(at()).to.contain('/deliveries?status=failed&ended_from=2026-03-09&ended_to=2026-03-09')
  })

  it('says where deliveries are that will be tried again, if none failed yesterday', async () => {
    const { text } = await showPage('deliveries', 'none_yesterday')
    expect(text()).to.contain('Deliveries that will be tried again are under Pending')
  })

  it('reverses the failures of yesterday, and exports them, by the time of the failure', async () => {
    const { calls, find, settle } = await showPage('deliveries', 'yesterday')
    const heading = find<HTMLAnchorElement>('th[aria-sort] a')
    expect(heading.textContent).to.equal('Ended')
    heading.click()
    await settle()
    expect(calls('GET /deliveries').at(-1)?.query.get('sort')).to.equal('finished_at')
    expect(find('a[download]').getAttribute('href')).to.contain(
      'ended_to_date=2026-03-10T05%3A00%3A00.000Z&sort=finished_at',
    )
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
