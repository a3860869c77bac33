import { waitFor } from '@causeway/ui/testing/wait-for'
import { expect } from '@open-wc/testing'
import { listed, reply } from '../dev/fake.js'
import { paymentList } from '../dev/fixtures/money.js'
import { showPage } from './testing/show-page.js'

/** A response that arrives in parts. */
function stream() {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array>
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given
    },
  })
  return {
    reply: reply(body),
    send: (text: string) => controller.enqueue(encoder.encode(text)),
    close: () => controller.close(),
  }
}

const rowsOf = () => [...document.querySelectorAll('tbody tr')].length
const earlier = listed(paymentList.slice(2), { next: 'c_older' })
const latest = listed(paymentList, { next: 'c_older' })

/** Shows the list of payments, as a tab that becomes visible. */
async function showList() {
  const open = stream()
  const page = await showPage('payments', 'plain', {
    'GET /payments': [earlier, earlier, latest],
    'GET /console/live': open.reply,
  })
  page.app.live = true
  document.dispatchEvent(new Event('visibilitychange'))
  await page.settle()
  return { ...page, ...open, reads: () => page.calls('GET /payments').length }
}

describe('new rows', () => {
  it('are announced, and one click shows them and moves the focus to the first', async () => {
    const { has, send, press, settle, text } = await showList()
    const before = rowsOf()
    expect(has('.new-rows button')).to.equal(false)
    send('event: rows\ndata: {"lists":["/entities","/payments"]}\n\n')
    await waitFor(() => has('.new-rows button'))
    await settle()
    expect(rowsOf()).to.equal(before)
    await press('Show 2 new rows')
    expect(rowsOf()).to.equal(before + 2)
    expect(text()).to.not.contain('new rows')
    expect(document.activeElement).to.equal(document.querySelector('tbody .row-link'))
  })

  it('of other lists cause no request, also if their message arrives in parts', async () => {
    const { reads, send, settle, has } = await showList()
    for (const part of [':\n\nevent: ro', 'ws\nda', 'ta: {"lists":["/events"]}\n', '\n']) send(part)
    await settle()
    expect(reads()).to.equal(2)
    for (const part of ['event: ro', 'ws\nda', 'ta: {"lists":["/payments"]}\n', '\n']) send(part)
    await waitFor(() => has('.new-rows button'))
    expect(reads()).to.equal(3)
  })

  it('are not announced on a later page of the list', async () => {
    const { app, has, send, settle, reads } = await showList()
    app.go('/payments?cursor=c_older')
    await settle()
    const before = reads()
    send('event: rows\ndata: {"lists":["/payments"]}\n\n')
    await waitFor(() => reads() > before)
    await settle()
    expect(has('.new-rows button')).to.equal(false)
  })
})

describe('the stream of messages', () => {
  it('is opened once, and asks for the session again when the service ends it', async () => {
    const { calls, send } = await showList()
    document.dispatchEvent(new Event('visibilitychange'))
    expect(calls('GET /console/live')).to.have.length(1)
    const before = calls('GET /session').length
    send('event: end\ndata: {}\n\n')
    await waitFor(() => calls('GET /session').length > before)
  })

  it('that broke is opened again with the next refresh', async () => {
    const { calls, close, settle } = await showList()
    close()
    await settle()
    document.dispatchEvent(new Event('visibilitychange'))
    await waitFor(() => calls('GET /console/live').length === 2)
  })
})
