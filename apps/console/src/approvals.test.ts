import { expect } from '@open-wc/testing'
import { failure, reply } from '../dev/fake.js'
import { approval } from '../dev/scenes/approvals.js'
import { centsOf } from './pages/team/approval-settings.js'
import { showPage } from './testing/show-page.js'

const field = (name: string) => document.querySelector<HTMLInputElement>(`dialog [name="${name}"]`)!
const stored = { status: 202, body: { approval: approval() } }
const needsReason = {
  ...failure(403, 'FORBIDDEN', 'A second person must approve this.'),
  headers: { 'Approval-Required': 'true' },
}
const PATH = '/payments/pmt_4kYi8ZbT1mXcV/reversals/rvs_4kYwB3nT8uQe1'

it('says that an approved payment failed, in place of calling it approved', async () => {
  const { text, find } = await showPage('approval', 'lost')
  expect(find('h1 ~ .pill').textContent).to.equal('Failed')
  expect(text()).to.match(/approved, but nothing was paid.*The payment now\s*Failed/)
})

describe('a request that needs a second person', () => {
  it('asks for a reason, sends it with the same key, and says that it waits', async () => {
    const { press, calls, text } = await showPage('payment', 'came_back', {
      'PUT /payments/:id/reversals/:rvs': [needsReason, stored],
    })
    await press('Approve reversal · $2,950.60')
    const approve = [...document.querySelectorAll<HTMLElement>('dialog .btn.go')]
    expect(approve.map(each => each.textContent)).to.deep.equal(['Approve reversal · $2,950.60'])
    await press('Approve reversal · $2,950.60')
    expect(document.querySelector('dialog [role="alert"]')?.textContent).to.equal('A second person must approve this.')
    expect(document.activeElement === field('approval_reason')).to.equal(true)
    field('approval_reason').value = ' The card was closed – refund '
    await press('Ask for approval')
    const sent = calls(`PUT ${PATH}`)
    expect(sent.map(({ headers }) => headers.get('Approval-Reason'))).to.deep.equal([
      null,
      encodeURIComponent('The card was closed – refund'),
    ])
    expect(new Set(sent.map(({ headers }) => headers.get('Idempotency-Key'))).size).to.equal(1)
    expect(document.querySelector('dialog[open]') === null).to.equal(true)
    expect(text()).to.contain('It runs when another person approves it.')
  })

  it('is shown where it began, in the navigation and in the overview', async () => {
    const payment = await showPage('payment', 'waiting')
    expect(payment.text()).to.contain(
      'Ines Farrow asked on Mar 3, 8:20 AM: Approve reversal · $2,950.60. It waits for a second person.',
    )
    expect(payment.find<HTMLAnchorElement>('.approval-note a').pathname).to.equal('/approvals/capr_4kYq8ZbT1mXd5')
    expect(payment.has('.answer .btn.go')).to.equal(false)
    expect(payment.find('.rail .badge').textContent).to.equal('1 waiting')
    const overview = await showPage('overview', 'second_person')
    expect(overview.text()).to.contain('2 requests wait for a second person')
  })
})

describe('the page of a request', () => {
  it('says what happens, to which account, who asked and why', async () => {
    const { text } = await showPage('approval', 'reversal')
    expect(text()).to.contain('$2,950.60 of a returned payment moves back.')
    expect(text()).to.contain('Ines Farrow')
    expect(text()).to.contain('Discover closed the card.')
    expect(text()).to.contain('Credit to Checking')
  })

  it('approves it, and says if the service rejected it', async () => {
    const { press, calls, text } = await showPage('approval', 'reversal', {
      'POST /console/approvals/:id/approve': reply(approval({ status: 'failed' })),
    })
    await press('Approve')
    await press('Approve')
    expect(calls('POST /console/approvals/capr_4kYq8ZbT1mXd5/approve')).to.have.length(1)
    expect(text()).to.contain('The service rejected the request.')
  })

  it('declines it with a reason', async () => {
    const { press, calls } = await showPage('approval', 'reversal')
    await press('Decline')
    field('reason').value = 'Not needed'
    await press('Decline')
    const [sent] = calls('POST /console/approvals/capr_4kYq8ZbT1mXd5/decline')
    expect(sent?.body).to.deep.equal({ reason: 'Not needed' })
  })

  it('lets the person who asked only withdraw it, and says why', async () => {
    const { press, calls, text } = await showPage('approval', 'own')
    expect(text()).to.contain('You asked for it, so another person decides.')
    expect([...document.querySelectorAll('.answer .btn')].map(each => each.textContent?.trim())).to.include('Withdraw')
    expect([...document.querySelectorAll('.answer .btn')].map(each => each.textContent?.trim())).not.to.include(
      'Approve',
    )
    await press('Withdraw')
    await press('Withdraw')
    expect(calls('POST /console/approvals/capr_4kYq8ZbT1mXd6/withdraw')).to.have.length(1)
  })

  it('shows a payee for each account of a release', async () => {
    const { text } = await showPage('approval', 'release')
    expect(text()).to.contain('Chase Sapphire')
    expect(text()).to.contain('$4,800.00')
  })

  it('names the person, and the account that pays, and links to the session', async () => {
    const { find, text } = await showPage('approval', 'release')
    expect(find('.facts a[href^="/people/"]').textContent).to.equal('Tamsin Rowe')
    expect(find<HTMLAnchorElement>('.facts a[href^="/sessions/"]').pathname).to.equal('/sessions/osess_4kYx7RfM2hWpS')
    expect(text()).to.contain('Paid from Checking ·· 6789 of Northwind Lending')
    const list = await showPage('approvals', 'waiting')
    expect(list.text()).to.contain('For Tamsin Rowe')
  })

  it('says that the default source account pays a release that names none', async () => {
    const { text } = await showPage('approval', 'release_default')
    expect(text()).to.contain('Checking ·· 6789 of Northwind Lending, the default source account')
    const none = await showPage('approval', 'release_no_source')
    expect(none.text()).to.contain('The team has no default source account, so the release would fail.')
  })

  it('names the accounts of a change of the default source', async () => {
    const { find, text } = await showPage('approval', 'source_change')
    expect(find('h1').textContent).to.contain('Change the default source account')
    expect(text()).to.match(/Checking ·· 6789 of Northwind Lending\s*Savings ·· 4410 of Northwind Lending/)
  })
})

describe('the amount above which a second person is needed', () => {
  it('is changed in the settings', async () => {
    const { press, calls } = await showPage('settings', 'plain')
    await press('Change the amount')
    field('amount').value = '1,250.50'
    await press('Save')
    expect(calls('POST /console/approval_settings').map(({ body }) => body)).to.deep.equal([{ approve_above: 125_050 }])
  })

  it('is read in dollars, and empty for none', () => {
    expect(centsOf(' ')).to.equal(null)
    expect(centsOf('0')).to.equal(0)
    expect(centsOf('19.99')).to.equal(1_999)
    for (const wrong of ['-1', '1.999', '1e3', 'ten']) expect(() => centsOf(wrong)).to.throw('in dollars')
  })
})
