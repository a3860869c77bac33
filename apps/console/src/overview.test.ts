import { expect } from '@open-wc/testing'
import { listed } from '../dev/fake.js'
import { disabledWebhook } from '../dev/fixtures/developers.js'
import { stuckSession } from '../dev/fixtures/people.js'
import { showPage } from './testing/show-page.js'

type Shown = Awaited<ReturnType<typeof showPage>>
const periodsOf = ({ calls }: Shown) =>
  calls('GET /stats/payments').map(({ query }) => [
    query.get('from_date'),
    query.get('to_date'),
    query.get('time_zone'),
  ])

describe("the overview's chart", () => {
  it('compares the last 30 days with the 30 days before them', async () => {
    const shown = await showPage('overview', 'plain')
    expect(periodsOf(shown)).to.deep.equal([
      ['2026-02-09', '2026-03-10', null],
      ['2026-01-10', '2026-02-08', null],
    ])
    expect(shown.text()).to.match(/\d+% more than in the 30 days before: \$/)
  })

  it('keeps a chosen range in the URL', async () => {
    const shown = await showPage('overview', 'plain')
    await shown.press('7 days')
    expect(shown.at()).to.equal('/overview?range=7')
    expect(periodsOf(shown).at(-2)?.slice(0, 2)).to.deep.equal(['2026-03-04', '2026-03-10'])
    await shown.press('90 days')
    expect(shown.at()).to.equal('/overview?range=90')
    expect(periodsOf(shown).at(-1)?.slice(0, 2)).to.deep.equal(['2025-09-12', '2025-12-10'])
  })

  it('shows the days that the URL names', async () => {
    const shown = await showPage('overview', 'chosen_days')
    expect(periodsOf(shown).map(each => each.slice(0, 2))).to.deep.equal([
      ['2026-02-01', '2026-02-28'],
      ['2026-01-04', '2026-01-31'],
    ])
    expect(shown.text()).to.contain('created Feb 1 – Feb 28')
  })

  it('has a table with the same numbers for both periods', async () => {
    const { find } = await showPage('overview', 'plain')
    const rows = [...find('.as-table table').querySelectorAll('tr')].map(row => row.textContent ?? '')
    expect(rows).to.have.length(31)
    expect(rows[0]).to.contain('Before')
  })

  it('says which periods are possible if the days in the URL are not', async () => {
    const shown = await showPage('overview', 'too_long')
    expect(shown.text()).to.contain('Choose a period of 1 to 92 days.')
    expect(periodsOf(shown)).to.deep.equal([])
    expect(shown.has('.period')).to.equal(true)
  })
})

describe('the steps that people reach', () => {
  const daysOf = ({ calls }: Shown) =>
    calls('GET /stats/funnel').map(({ query }) => [query.get('from_date'), query.get('to_date')])

  it('cover the chosen range', async () => {
    const shown = await showPage('overview', 'plain')
    await shown.press('7 days')
    expect(daysOf(shown)).to.deep.equal([
      ['2026-02-09', '2026-03-10'],
      ['2026-03-04', '2026-03-10'],
    ])
    expect(shown.find('[aria-label="Balance transfers, step by step"]').textContent).to.contain('Mar 4 – Mar 10')
  })

  it('cover the last 31 days of a longer range, and say so', async () => {
    const shown = await showPage('overview', 'quarter')
    expect(daysOf(shown)).to.deep.equal([['2026-02-08', '2026-03-10']])
    expect(shown.text()).to.contain('Feb 8 – Mar 10, UTC · the last 31 days of the period')
  })

  it('say that only the latest sessions are counted', async () => {
    const shown = await showPage('overview', 'many_sessions')
    expect(shown.text()).to.contain('the latest 5,000, created Feb 9 – Mar 10')
  })
})

describe('what needs attention', () => {
  it('includes webhooks that the service disabled, but none that a user disabled', async () => {
    const disabledByUser = {
      ...disabledWebhook,
      url: 'https://old.northwind.example/hook',
      error: {
        ...disabledWebhook.error,
        code: 25005,
        sub_type: 'WEBHOOK_DISABLED_BY_USER',
        message: 'Disabled by request.',
      },
    }
    const { text, calls } = await showPage('overview', 'plain', {
      'GET /webhooks': listed([disabledByUser, disabledWebhook]),
    })
    expect(text()).to.contain('hooks.northwind.example/causeway is disabled')
    expect(text()).not.to.contain('old.northwind.example')
    expect(calls('GET /webhooks')[0]?.query.getAll('status[]')).to.deep.equal(['requires_attention', 'disabled'])
  })

  const partlyPaid = /A release didn’t pay all of its accounts/

  it('finds a partly paid release behind a page whose releases were all paid since', async () => {
    const { text, calls } = await showPage('overview', 'plain', {
      'GET /opal/sessions': [listed([]), listed([]), listed([], { next: 'c_older' }), listed([stuckSession])],
    })
    const unpaidReads = calls('GET /opal/sessions').filter(({ query }) => query.has('unpaid'))
    expect(unpaidReads.map(({ query }) => query.get('page_cursor'))).to.deep.equal([null, 'c_older'])
    expect(text()).to.match(partlyPaid)
  })

  it('counts the loans that wait for their release, for users who can release them', async () => {
    const waiting = /A loan is waiting for your release/
    const admin = await showPage('overview', 'plain')
    expect(admin.text()).to.match(waiting)
    admin.find<HTMLAnchorElement>('.todo a[href*="payout_status"]').click()
    await admin.settle()
    expect(admin.calls('GET /opal/sessions').at(-1)?.query.get('payout_status')).to.equal('pending_release')
    const support = await showPage('overview', 'support')
    expect(support.text()).not.to.match(waiting)
  })

  it('does not ask for attention once every release is paid', async () => {
    const { text } = await showPage('overview', 'plain', { 'GET /opal/sessions': listed([]) })
    expect(text()).not.to.match(partlyPaid)
  })
})

it('says who can approve reversals, for a user who cannot', async () => {
  const { text } = await showPage('overview', 'support')
  expect(text()).to.match(/reversals? (is|are) waiting for an admin or finance user to approve/)
  expect(text()).not.to.contain('your approval')
})
