import { expect } from '@open-wc/testing'
import { reply } from '../dev/fake.js'
import { discover, operatingSource, reserveSource, restPayment } from '../dev/fixtures/money.js'
import { stuckSession } from '../dev/fixtures/people.js'
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

const shown = (element: Element | null) => element?.textContent?.replace(/\s+/g, ' ').trim()
const dialog = (selector: string) => document.querySelector<HTMLSelectElement>(`dialog[open] ${selector}`)!

describe('a release', () => {
  const path = `POST /opal/sessions/${stuckSession.id}`

  it('lets the user choose the account that pays, and begins with the default', async () => {
    const { press, calls } = await showPage('session', 'waits_for_release')
    await press('Release $7,750.60')
    const field = dialog('[name="source"]')
    expect([...field.options].map(shown)).to.deep.equal([
      'Checking ·· 6789 of Northwind Lending (default)',
      'Savings ·· 4410 of Northwind Reserve',
    ])
    expect(field.value).to.equal(operatingSource.id)
    expect(shown(dialog('.unusable'))).to.contain('Checking ·· 0912 of Northwind Lending (not verified)')
    field.value = reserveSource.id
    await press('Release $7,750.60')
    const data = { source: reserveSource.id }
    expect(calls(path).map(({ body }) => body)).to.deep.equal([{ action: 'release_payments', data }])
  })

  it('names the account that pays if only one can', async () => {
    const { press, calls } = await showPage('session', 'releasing_from_one')
    await press('Release $7,750.60')
    expect(shown(dialog('.dialog-body'))).to.contain('created from Checking ·· 6789 of Northwind Lending.')
    expect(dialog('select') === null).to.equal(true)
    await press('Release $7,750.60')
    expect(calls(path)[0]?.body).to.deep.include({ data: { source: operatingSource.id } })
  })

  it('chooses no account for the user if the default cannot pay', async () => {
    const old = { ...operatingSource, id: 'acc_old', why_not: 'INVALID_SOURCE' }
    const others = [{ ...operatingSource, is_default: false }, reserveSource]
    const { press, calls } = await showPage('session', 'waits_for_release', {
      'GET /console/sources': reply({ data: [old, ...others], more: false }),
    })
    await press('Release $7,750.60')
    expect(dialog('[name="source"]').value).to.equal('')
    await press('Release $7,750.60')
    expect(calls(path)).to.deep.equal([])
    await press('Go back')
  })

  it('is disabled if no account can pay, and says where to see why', async () => {
    const { find, text } = await showPage('session', 'no_usable_source')
    expect(find<HTMLButtonElement>('.answer .btn.go').disabled).to.equal(true)
    expect(text()).to.contain('None of the team’s bank accounts can pay.')
    expect(find<HTMLAnchorElement>('.blocked a').pathname).to.equal('/settings')
    const none = await showPage('session', 'no_source')
    expect(none.text()).to.contain('The team has no bank account to pay from.')
  })
})

describe('a user who may not act', () => {
  it('reads who can release, and gets no button', async () => {
    const { text, has } = await showPage('session', 'waits_for_finance')
    expect(text()).to.contain('Waiting for an admin or finance user to release the loan.')
    expect(text()).not.to.match(/your release/)
    expect(has('.answer .btn.go')).to.equal(false)
  })

  it('sees whom to ask if a link has no origin to return to', async () => {
    const admin = await showPage('session', 'stuck')
    await admin.press('Copy a link that continues here')
    expect(admin.text()).to.contain('Add an origin in the settings.')
    const support = await showPage('session', 'stuck_support')
    await support.press('Copy a link that continues here')
    expect(support.text()).to.contain('Ask an admin to add one in the settings.')
  })
})

describe('a session with a request that waits', () => {
  it('says who asked and when, and offers nothing that would be refused', async () => {
    const { text, find, calls } = await showPage('session', 'waiting')
    expect(text()).to.contain('Ines Farrow asked on Mar 3, 8:20 AM: Release $7,750.60. It waits for a second person.')
    expect(find<HTMLAnchorElement>('.approval-note a').pathname).to.equal('/approvals/capr_4kYq8ZbT1mXd7')
    expect(find<HTMLButtonElement>('.answer .btn.go').disabled).to.equal(true)
    expect(find('.blocked').textContent).to.contain('A request about this session waits for a second person.')
    expect(calls('GET /console/approvals').map(({ query }) => query.toString())).to.deep.equal([
      `session_id=${stuckSession.id}`,
    ])
    const own = await showPage('session', 'waiting_own')
    expect(own.text()).to.contain('You asked on')
  })

  it('also for a payment of the rest', async () => {
    const { text, find } = await showPage('session', 'waiting_rest')
    expect(text()).to.contain('Ines Farrow asked on Mar 3, 8:20 AM: Pay $2,950.60.')
    expect(find<HTMLButtonElement>('.answer .btn.go').disabled).to.equal(true)
  })
})

describe('a payment of the rest', () => {
  it('comes from the account that paid the others, unless the user chooses another', async () => {
    const { press, calls } = await showPage('session', 'partly_paid', {
      'GET /console/sources': reply({ data: [{ ...reserveSource, is_default: true }, operatingSource], more: false }),
      'POST /payments': reply(restPayment),
    })
    await press('Pay the rest, $2,950.60')
    expect([...dialog('[name="source"]').options].map(shown)).to.deep.equal([
      'Savings ·· 4410 of Northwind Reserve (default)',
      'Checking ·· 6789 of Northwind Lending (paid the others)',
    ])
    const reason = document.querySelector<HTMLInputElement>('dialog [name="reason"]')!
    reason.value = 'Discover is fixed'
    await press('Pay the rest, $2,950.60')
    expect(calls('POST /payments').map(({ body }) => (body as { source: string }).source)).to.deep.equal([
      operatingSource.id,
    ])
  })

  it('claims nothing about other payments if none was made', async () => {
    const { press, find, text } = await showPage('session', 'none_paid')
    expect(find('h1 ~ .pill').textContent).to.equal('Failed')
    expect(text()).not.to.contain('Partly paid')
    await press('Pay the rest, $7,750.60')
    expect(shown(dialog('form'))).not.to.contain('paid the others')
    expect(dialog('[name="source"]').value).to.equal(operatingSource.id)
    await press('Go back')
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

  it('says that a release paid nothing, and links to the session', async () => {
    const { text, has } = await showPage('person', 'none_paid')
    expect(text()).to.match(/no account was paid.*Still owed\s*\$1,200\.00/)
    expect(has('.answer a[href="/sessions/osess_4kYx7RfM2hWpS"]')).to.equal(true)
  })
})
