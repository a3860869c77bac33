import { expect } from '@open-wc/testing'
import { discover, restPayment } from '../dev/fixtures/money.js'
import { showPage } from './testing/show-page.js'

const rowOf = (app: HTMLElement, account: string) =>
  [...app.querySelectorAll('table[aria-label="Where the loan goes"] tbody tr')]
    .map(row => (row.querySelector('td.wide')?.textContent ?? '').replace(/\s+/g, ' ').trim())
    .find((_, index) => app.querySelectorAll('td.grows')[index]?.textContent?.includes(account)) ?? ''
const refusal = 'The payment rail refused this payment.'

describe('the page of a partly paid session', () => {
  it('says how much is still owed', async () => {
    const { app, text } = await showPage('session', 'partly_paid')
    expect(text()).to.match(/Still owed\s*\$2,950\.60/)
    expect(rowOf(app, 'Discover')).to.equal(refusal)
  })

  it('shows the payment of the rest beside the old refusal, and asks for nothing more', async () => {
    const { app, text, has } = await showPage('session', 'rest_paid')
    expect(rowOf(app, 'Discover')).to.equal(`WaitingCreated after the release. The release was refused: ${refusal}`)
    expect(has(`td.wide a[href="/payments/${restPayment.id}"]`)).to.equal(true)
    expect(has('.bad-text')).to.equal(false)
    expect(text()).to.contain('the rest was paid later')
    expect(text()).not.to.match(/Still owed|Pay the rest/)
  })

  it('shows a payment of the rest that failed, and offers to pay again', async () => {
    const { app, text } = await showPage('session', 'rest_failed')
    expect(rowOf(app, 'Discover')).to.match(/^FailedCreated after the release\./)
    expect(text()).to.match(/Still owed\s*\$2,950\.60/)
    expect(text()).to.contain('Pay the rest, $2,950.60')
  })
})

describe('the page of a payment that ended without paying', () => {
  it('links to the later payment of the same amount to the same account', async () => {
    const { text, has, calls } = await showPage('payment', 'paid_later')
    expect(calls('GET /payments').map(({ query }) => query.get('destination'))).to.include(discover.id)
    expect(has(`.answer a[href="/payments/${restPayment.id}"]`)).to.equal(true)
    expect(text()).to.contain('Nothing, if the later payment of the same amount to this account replaces this one.')
  })

  it('mentions none if there is none', async () => {
    const { text } = await showPage('payment', 'failed')
    expect(text()).not.to.contain('later payment')
  })
})

describe('the page of a person', () => {
  it('offers a link to a person whose number the lender supplied, and never calls that number unknown', async () => {
    const { text } = await showPage('person', 'known_phone')
    expect(text()).to.contain('They haven’t asked for a code by text message.')
    expect(text()).to.contain('Copy a link that continues here')
    expect(text()).not.to.match(/entered a phone number|isn’t known yet/)
  })

  it('says when a person who used all attempts can try again', async () => {
    const { text } = await showPage('person', 'locked')
    expect(text()).to.contain('available from Mar 11, 9:00 AM CT')
    expect(text()).not.to.contain('Copy a link that continues here')
  })

  it('says that a release paid only in part, and links to the session', async () => {
    const { text, has } = await showPage('person', 'partly_paid')
    expect(text()).to.match(/no account was paid.*Still owed\s*\$1,200\.00/)
    expect(has('.answer a[href="/sessions/osess_4kYx7RfM2hWpS"]')).to.equal(true)
  })
})
