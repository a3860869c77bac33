import { expect, waitUntil } from '@open-wc/testing'
import { listed, reply } from '../dev/fake.js'
import {
  attempts,
  deliveries,
  deliveryRequest,
  disabledWebhook,
  emptyStats,
  stats as failing,
  healthyWebhook,
  selectedDelivery,
  webhook,
} from '../dev/fixtures/developers.js'
import { moment, session, userOf } from '../dev/fixtures/people.js'
import { showPage } from './testing/show-page.js'

const resend = `POST /webhooks/${webhook.id}/redeliver`
const engineer = { ...session, user: userOf('Ines Farrow', 'engineer') }
const quietly = { 'GET /webhooks/:id/stats': reply({ ...emptyStats, switched_off_at: '2026-03-10T12:00:00.000Z' }) }
/** Returns true if the first selector's match precedes the second's in the document. */
const isBefore = (one: string, other: string) => {
  const [first, second] = [one, other].map(each => document.querySelector(each) as Element)
  return Boolean(first!.compareDocumentPosition(second!) & Node.DOCUMENT_POSITION_FOLLOWING)
}

describe('a delivery', () => {
  it('shows the body and headers that were sent, and its resource', async () => {
    const { find, calls } = await showPage('webhook', 'failing')
    const panel = find('[aria-label="What was sent"]').textContent
    for (const [name, value] of Object.entries(deliveryRequest.headers)) expect(panel).to.contain(`${name}: ${value}`)
    expect(panel).to.contain('"type": "payment_reversal.create"').and.to.contain('Personal values are masked')
    expect(find('[aria-label="What was sent"] a').getAttribute('href')).to.equal('/payments/pmt_4kYi8ZbT1mXcV')
    expect(calls(`GET /webhooks/${webhook.id}/deliveries/${selectedDelivery}/request`)).to.have.length(1)
  })

  it('shows what the receiver responded to each attempt', async () => {
    const { find } = await showPage('webhook', 'failing')
    expect(find('[aria-label="Attempts"]').textContent).to.contain('{"error":"database is locked"}')
  })

  it('says that responses are not stored, and lets an admin store them', async () => {
    const bare = listed(attempts.map(each => ({ ...each, excerpt: null })))
    const replies = { 'GET /webhooks/:id': reply(healthyWebhook), 'GET /webhooks/:id/deliveries/:dlv/attempts': bare }
    const { press, calls, text } = await showPage('webhook', 'failing', replies)
    expect(text()).to.contain('The text of your server’s responses isn’t stored.')
    await press('Store responses')
    expect(calls(`PATCH /webhooks/${healthyWebhook.id}`).map(({ body }) => body)).to.deep.equal([
      { store_responses: true },
    ])
  })

  it('tells an engineer how responses can be stored', async () => {
    const { text, has } = await showPage('webhook', 'failing', {
      'GET /webhooks/:id': reply(healthyWebhook),
      'GET /session': reply(engineer),
    })
    expect(text()).to.contain('An admin can turn it on here, or with PATCH /webhooks/{id}')
    expect(has('.delivery .btn.small:not([class*="icon"])')).to.equal(true)
  })

  it('appears in the list with its event and its resource', async () => {
    const { find } = await showPage('webhook', 'failing')
    const row = find('[aria-label="Deliveries"] tbody tr').textContent
    expect(row).to.contain('payment.update').and.to.contain('pmt_4kYi…cV')
  })
})

describe('a request', () => {
  const none = { 'GET /timeline': reply({ data: [], missing: [], next_cursor: null }) }

  it('that was rejected says that it changed nothing', async () => {
    const { find } = await showPage('request', 'refused')
    const timeline = find('[aria-label="Everything that happened"]').textContent
    expect(timeline).to.contain('The request was rejected and changed nothing.')
    expect(timeline).not.to.contain('yet')
  })

  it('that succeeded says that it caused no events', async () => {
    const { text } = await showPage('request', 'accepted', none)
    expect(text()).to.contain('The request caused no events.')
  })
})

describe("a person's timeline", () => {
  it('shows each wrong attempt with its account, and not what the person typed', async () => {
    const { app } = await showPage('person', 'stuck')
    const rows = [...app.querySelectorAll('.timeline li')].map(each => each.textContent?.replace(/\s+/g, ' ') ?? '')
    const wrong = rows.filter(each => each.includes('Entered a number that the lender doesn’t recognize'))
    expect(wrong).to.have.length(3)
    expect(wrong[0]).to.contain('7:09:52 AM').and.to.contain('Capital One Venture ··\u00a08045'.replace('\u00a0', ' '))
  })
})

describe('an event', () => {
  it('says that its data differs from what was sent, and where to find the exact body', async () => {
    const { text } = await showPage('event', 'changed')
    expect(text()).to.contain('This isn’t what was sent. Open a delivery below to see its exact body.')
  })
})

describe('a timeline', () => {
  it('hides requests that only read until they are asked for', async () => {
    const at = '2026-03-09T14:30:14.000Z'
    const data = [
      moment(at, 'request', 'GET /payments/:id', { id: 'req_read', status: 200 }),
      moment(at, 'request', 'POST /payments', { id: 'req_write', status: 200 }),
    ]
    const { press } = await showPage('event', 'changed', {
      'GET /timeline': reply({ data, missing: [], next_cursor: null }),
    })
    const rows = () => [...document.querySelectorAll('.timeline li code')].map(each => each.textContent)
    expect(rows()).to.deep.equal(['POST /payments'])
    await press('Reads')
    expect(rows()).to.deep.equal(['GET /payments/:id', 'POST /payments'])
  })

  it("shows the delivery's destination and when it ended, which is later than its event", async () => {
    const delivery = moment('2026-03-09T14:30:14.000Z', 'delivery', 'payment.update', {
      status: 'delivered',
      host: 'hooks.northwind.example',
      finished_at: '2026-03-09T14:41:00.000Z',
      refs: ['evt_4kYw0a7QwE3e9', webhook.id],
    })
    const { find } = await showPage('event', 'changed', {
      'GET /timeline': reply({ data: [delivery], missing: [], next_cursor: null }),
    })
    const row = find('.timeline li').textContent?.replace(/\s+/g, ' ')
    expect(row)
      .to.contain('9:30:14 AM')
      .and.to.contain('Delivered payment.update to hooks.northwind.example, 9:41:00 AM')
  })
})

describe('a webhook', () => {
  it('shows the summary and the failing deliveries before its settings', async () => {
    await showPage('webhook', 'failing')
    expect(isBefore('.answer', '.tiles')).to.equal(true)
    expect(isBefore('.answer', '[aria-label="Deliveries"]')).to.equal(true)
    expect(isBefore('table[aria-label="Deliveries"]', '[aria-label="Signing"]')).to.equal(true)
  })

  it('counts canceled deliveries in a tile and in the chart', async () => {
    const { find } = await showPage('webhook', 'failing')
    expect(find('.tiles').textContent).to.match(/Canceled, 24 h\s+9/)
    expect(find('.chart').getAttribute('aria-label')).to.contain('9 canceled')
    expect(find('.as-table').textContent).to.contain('Canceled')
  })

  it('counts every pending delivery, whatever the list shows', async () => {
    const { find, calls } = await showPage('webhook', 'failing', {
      'GET /webhooks/:id/deliveries': listed(deliveries.filter(({ status }) => status === 'delivered')),
    })
    expect(find('.tiles').textContent).to.match(/Pending now\s+2/)
    expect(calls('GET /deliveries')[0]?.query.toString()).to.equal(
      `webhook_id=${webhook.id}&status=pending&count=capped&page_limit=20`,
    )
  })

  it('names no reason for its failures if it knows none', async () => {
    const { text } = await showPage('webhook', 'failing', {
      'GET /deliveries': listed([]),
      'GET /webhooks/:id/deliveries': listed([]),
    })
    expect(text()).to.match(/Your server has not accepted a delivery since [^.]*\. /)
    expect(text()).not.to.contain('No delivery has reached your server')
  })

  it('counts deliveries by their current status: one that was resent successfully is not failed', async () => {
    const stats = { ...emptyStats, buckets: failing.buckets, outcomes: { delivered: 13, failed: 0, canceled: 0 } }
    const { find } = await showPage('webhook', 'failing', { 'GET /webhooks/:id/stats': reply(stats) })
    const tiles = find('.tiles').textContent?.replace(/\s+/g, ' ')
    expect(tiles)
      .to.contain('Delivered, 24 h 100.0% 13 of 13 deliveries')
      .and.to.match(/Failed, 24 h 0\b/)
    expect(find('.chart').getAttribute('aria-label')).to.contain('80 failed')
  })

  it('that is disabled can be enabled in two clicks, which count and resend the missed deliveries', async () => {
    const { press, calls, find } = await showPage('webhook', 'off', quietly)
    expect(find<HTMLInputElement>('.again input').value).to.equal('2026-03-10T07:00')
    await press('Count them')
    expect(calls(resend).map(({ body }) => body)).to.deep.equal([{ since: '2026-03-10T12:00:00.000Z', dry_run: true }])
    expect(calls(`PATCH /webhooks/${webhook.id}`)).to.have.length(0)
    await press('Enable and send 49 again')
    const writes = calls().filter(({ method }) => method !== 'GET')
    expect(writes.slice(1).map(({ method, body }) => [method, body])).to.deep.equal([
      ['PATCH', { status: 'active' }],
      ['POST', { since: '2026-03-10T12:00:00.000Z' }],
    ])
  })

  it('that is disabled resends nothing for an engineer, and names who can enable it', async () => {
    const { press, calls, text, find } = await showPage('webhook', 'off_engineer', quietly)
    await press('Count them')
    expect(text()).to.contain('Ask an admin to enable it.')
    await press('Enable and send 49 again')
    expect(calls().filter(({ method }) => method !== 'GET')).to.have.length(1)
    expect(find<HTMLButtonElement>('[aria-label="Deliveries"] td .btn').disabled).to.equal(true)
  })

  it('says that a delivery was not sent because the webhook was disabled first', async () => {
    const failed = deliveries[4]!
    const canceled = listed([{ ...failed, status: 'canceled', attempts: 0, response_status: null }])
    const { press, text, calls } = await showPage('webhook', 'failing', {
      'GET /deliveries': canceled,
      [`POST /webhooks/:id/deliveries/:dlv/redeliver`]: reply({ ...failed, status: 'pending', attempts: 0 }),
    })
    await press(`Send ${failed.id} again`)
    expect(calls('GET /deliveries').flatMap(({ query }) => query.getAll('id[]'))).to.deep.equal([failed.id])
    expect(text()).to.contain('Not sent: its webhook is disabled.')
  })

  it('says that it was disabled while many deliveries were sent again', async () => {
    const { press, text } = await showPage('webhook', 'failing', {
      'GET /webhooks/:id': [reply(webhook), reply(webhook), reply(disabledWebhook)],
    })
    await press('Count them')
    await press('Send 49 deliveries again')
    expect(text()).to.contain('49 deliveries are queued.')
    await waitUntil(() => text().includes('The webhook was disabled meanwhile.'), 'nothing was said', {
      timeout: 3_000,
    })
  })

  it('keeps its form in place while it counts', async () => {
    const { press, find } = await showPage('webhook', 'failing')
    const height = () => find('.again').getBoundingClientRect().height
    const before = height()
    await press('Count them')
    expect(find('.again').textContent).to.contain('49 undelivered events since then.')
    expect(height()).to.equal(before)
  })

  it('shows in the list why it needs attention', async () => {
    const { find } = await showPage('webhooks', 'plain')
    expect(find('tbody tr').textContent).to.contain('It returned 5xx errors.')
    expect(disabledWebhook.error?.message).to.equal('It returned 5xx errors.')
  })
})
