import { waitFor } from '@causeway/ui/testing/wait-for'
import { expect } from '@open-wc/testing'
import { failure, listed, reply } from '../dev/fake.js'
import { paymentList, returnedPayment } from '../dev/fixtures/money.js'
import { showPage } from './testing/show-page.js'

const approve = `PUT /payments/${returnedPayment.id}/reversals/rvs_4kYwB3nT8uQe1`

describe('a returned payment', () => {
  it('shows the cause, where the money is and what to do before anything else', async () => {
    const { find } = await showPage('payment', 'came_back')
    const answer = find('.answer').textContent
    expect(answer).to.contain('Discover returned this payment. The money is safe and is waiting for your approval.')
    expect(answer).to.contain('10009')
    expect(answer).to.contain('$2,950.60 is in clearing.')
    expect(answer).to.contain('Approve the reversal.')
  })

  it("shows the bank's own code for the return, its time and its trace", async () => {
    const { find } = await showPage('payment', 'came_back')
    expect(find('.answer').textContent).to.match(/INSTITUTION · R23 · Mar 9,? .*9:30.* · 091000013372045/)
  })

  it('approves the reversal after confirmation, with an idempotency key', async () => {
    const { press, calls, text } = await showPage('payment', 'came_back')
    await press('Approve reversal · $2,950.60')
    expect(calls(approve)).to.have.length(0)
    await press('Approve reversal · $2,950.60')
    await waitFor(() => document.querySelector('dialog[open]') === null)
    const [call] = calls(approve)
    expect(call?.body).to.deep.equal({ status: 'pending' })
    expect(call?.headers.get('Idempotency-Key')).to.match(/^[\w-]{36}$/)
    expect(text()).to.contain('The reversal is approved.')
  })

  it('shows which account will be debited before the debit is approved', async () => {
    const { press, find } = await showPage('payment', 'taken_back')
    await press('Approve reversal · $2,950.60')
    const question = find<HTMLDialogElement>('dialog[open]').textContent
    expect(question).to.contain('$2,950.60 is debited from Checking ··\u00a06789.')
    expect(question).not.to.contain('returns')
    await press('Go back')
  })

  it('shows the expected day only while the payment is in transit', async () => {
    expect((await showPage('payment', 'on_its_way')).text()).to.contain('expected Mar 6')
    expect((await showPage('payment', 'failed')).text()).not.to.contain('expected')
  })

  it('keeps the confirmation dialog open if the service fails, and retries with the same key', async () => {
    const { press, calls } = await showPage('payment', 'came_back', {
      'PUT /payments/:id/reversals/:rvs': [failure(503, 'SERVICE_UNAVAILABLE', 'The service is stopping.'), reply({})],
    })
    await press('Approve reversal · $2,950.60')
    await press('Approve reversal · $2,950.60')
    await waitFor(() => document.querySelector('dialog[open] [role="alert"]'))
    expect(document.querySelector('dialog[open] [role="alert"]')?.textContent).to.equal('The service is stopping.')
    await press('Approve reversal · $2,950.60')
    await waitFor(() => document.querySelector('dialog[open]') === null)
    const [first, second] = calls(approve)
    expect(first?.headers.get('Idempotency-Key')).to.equal(second?.headers.get('Idempotency-Key'))
  })

  it('sends nothing if the user goes back', async () => {
    const { press, calls } = await showPage('payment', 'came_back')
    await press('Approve reversal · $2,950.60')
    await press('Go back')
    expect(document.querySelectorAll('dialog[open]').length).to.equal(0)
    expect(calls(approve)).to.have.length(0)
  })

  it('shows the rest of the page if the ledger and one kind of timeline entry fail to load', async () => {
    const { text } = await showPage('payment', 'partial')
    expect(text()).to.contain('Deliveries didn’t respond.')
    expect(text()).to.contain('The service didn’t respond.')
    expect(text()).to.contain('req_7Qd2Ma0Xk')
    expect(text()).to.contain('Discover it ·· 2835 −2,950.60, Clearing +2,950.60')
  })

  it('hides a kind of timeline entry', async () => {
    const { find, settle } = await showPage('payment', 'came_back')
    expect(find('.timeline + h3 ~ .timeline').textContent).to.contain('Delivered')
    const kinds = [...document.querySelectorAll<HTMLElement>('.switches button')]
    kinds.find(each => each.textContent?.trim() === 'Deliveries')?.click()
    await settle()
    const entries = [...document.querySelectorAll('.timeline')].map(each => each.textContent).join(' ')
    expect(entries).not.to.contain('Delivered')
    expect(entries).to.contain('Ledger')
  })

  it('combines the postings of one leg, and adds older entries at the bottom', async () => {
    const { press, text, calls } = await showPage('payment', 'came_back')
    expect(text()).to.contain('Ledger: Checking ·· 6789 −2,950.60, Clearing +2,950.60')
    await press('Show older entries')
    expect(calls('GET /timeline').at(-1)?.query.get('page_cursor')).to.equal('c_older')
    expect(text()).to.contain('POST /entities')
    expect(text()).not.to.contain('Show older entries')
  })

  it("copies the summary without the person's name", async () => {
    const { answerText } = await import('./parts/answer.js')
    const { answerOf } = await import('./pages/payments/payment-answer.js')
    const { explanations, byStatus } = await import('../dev/fixtures/money.js')
    const { Format } = await import('./format.js')
    const { session } = await import('../dev/fixtures/people.js')
    const format = new Format('America/Chicago')
    const text = answerText(answerOf({ format, session }, byStatus.came_back, explanations.came_back, 'Discover'))
    expect(text).to.contain('10009 PAYMENT_REJECTED_BY_DESTINATION_INSTITUTION')
    expect(text).not.to.match(/corwin|ashe/i)
  })
})

describe('the list of payments', () => {
  it('takes its filters only from the URL, and a new filter starts on the first page', async () => {
    const { press, find, at, calls } = await showPage('payments', 'plain')
    await press('Older')
    expect(at()).to.equal('/payments?cursor=c_older')
    find<HTMLDetailsElement>('.menu:has(.add)').open = true
    find<HTMLInputElement>('input[value="failed"]').checked = true
    find<HTMLInputElement>('input[name="from"]').value = '2026-03-03'
    await press('Apply')
    expect(at()).to.equal('/payments?status=failed&from=2026-03-03')
    const last = calls('GET /payments').at(-1)
    expect(last?.query.getAll('status[]')).to.deep.equal(['failed'])
    expect(last?.query.get('from_date')).to.equal('2026-03-03')
    expect(last?.query.has('page_cursor')).to.equal(false)
  })

  it('shows the names of the people in its rows, using a single request', async () => {
    const { text, calls } = await showPage('payments', 'plain')
    expect(text()).to.contain('Mirek Sandoval')
    expect(calls('GET /entities')).to.have.length(1)
  })

  it('shows ids for people whose names could not be loaded', async () => {
    const { text } = await showPage('payments', 'plain', { 'GET /entities': failure(503) })
    expect(text()).to.contain('ent_4kYb')
    expect(text()).not.to.contain('Mirek')
  })

  it('states that a payment is held by a team stop', async () => {
    expect((await showPage('payments', 'stopped')).find('tbody').textContent).to.contain('Payments are stopped')
  })

  it('states that a payment is held by the rail if nothing is stopped', async () => {
    const { find } = await showPage('payments', 'plain')
    expect(find('tbody').textContent).to.contain('Held by the rail')
    expect(find('tbody').textContent).not.to.contain('Payments are stopped')
  })

  it('says that a filter by days uses days in UTC', async () => {
    const { find, text } = await showPage('payments', 'filtered')
    expect(text()).to.match(/Created \(UTC\)\s*Mar 3 – Mar 10/)
    expect(find('fieldset:has([name="from"]) legend').textContent).to.equal('Created (UTC)')
  })

  it('removes one filter and keeps the others', async () => {
    const { press, at } = await showPage('payments', 'filtered')
    await press('Remove the filter Status')
    expect(at()).to.equal('/payments?from=2026-03-03&to=2026-03-10')
  })

  it('keeps its rows and shows their age if it cannot be reloaded', async () => {
    const { app, settle, text } = await showPage('payments', 'stale')
    app.querySelector<HTMLElement & { refresh(): void }>('page-payments')?.refresh()
    await settle()
    expect(text()).to.contain('from 9:41 AM')
    expect(app.querySelectorAll('tbody tr')).to.have.length(paymentList.length)
  })

  it("hides the previous filter's rows while the next ones load", async () => {
    const { app, press } = await showPage('payments', 'plain', { 'GET /payments': [listed(paymentList), failure(503)] })
    await press('Needs a look')
    expect(app.querySelectorAll('tbody tr')).to.have.length(0)
  })

  it('retries after a failure', async () => {
    const { app, press } = await showPage('payments', 'plain', { 'GET /payments': [failure(503), listed(paymentList)] })
    await press('Try again')
    expect(app.querySelectorAll('tbody tr')).to.have.length(paymentList.length)
  })

  it('names the role that has access', async () => {
    const { text } = await showPage('payments', 'forbidden')
    expect(text()).to.contain('Ask an admin for the viewer role.')
  })

  it('opens a row with the J and Enter keys', async () => {
    const { app, at, settle } = await showPage('payments', 'plain')
    const press = (key: string) => document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    press('j')
    press('j')
    expect(document.activeElement === app.querySelectorAll('.row-link')[1]).to.equal(true)
    ;(document.activeElement as HTMLElement).click()
    await settle()
    expect(at()).to.equal(`/payments/${paymentList[1]?.id}`)
  })
})
