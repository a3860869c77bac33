import { expect } from '@open-wc/testing'
import { failure, reply } from '../dev/fake.js'
import { capabilities, exceptions, increase, notices, payees, rejected, twilio } from '../dev/fixtures/connections.js'
import { showPage } from './testing/show-page.js'

describe('the page of providers', () => {
  it('is in the navigation only for operators', async () => {
    const { app } = await showPage('connections', 'well')
    expect(app.querySelector('.rail [href="/connections"]')?.getAttribute('aria-current')).to.equal('page')
    const { has, text } = await showPage('connections', 'forbidden')
    expect(has('.rail [href="/connections"]')).to.equal(false)
    expect(text()).to.contain('Only operators can see this.')
  })

  it('shows for each provider its environment, proof, calls, failures and webhooks', async () => {
    const { find } = await showPage('connections', 'well')
    const words = (selector: string) => find(selector).textContent?.replace(/\s+/g, ' ') ?? ''
    const card = words('.card[aria-label="Twilio"]')
    for (const each of ['1,204', '9,310', '0.2%', 'It limits requests.', 'identity/send_code', 'Proven in its sandbox'])
      expect(card).to.contain(each)
    expect(card).to.contain('docs/guides/providers/twilio.md')
    expect(words('.card[aria-label="Increase"]')).to.match(/Sandbox.*Webhooks, 24 h 455.*Last webhook Mar 10,? .*9:31/)
    expect(words('.card[aria-label="Sandbox"]')).to.contain('aren’t counted')
  })

  it('says first that a key is rejected, and which variables to check', async () => {
    const { find } = await showPage('connections', 'rejected')
    const answer = find('.answer').textContent?.replace(/\s+/g, ' ')
    expect(answer).to.match(/Increase has rejected the credentials since Mar 10,? .*6:40/)
    expect(answer).to.contain('Check INCREASE_API_KEY and INCREASE_WEBHOOK_SECRET, then restart the service.')
    expect(answer).to.contain('96 of 812 calls to Increase failed in the last 24 hours.')
    expect(answer).to.contain('1+ payees are waiting for a second person.')
    expect(answer).to.contain('A bank asked for other details.')
    expect(answer).to.contain('2 differences to providers’ statements are not explained.')
  })

  it('names secrets and never shows a value for them', async () => {
    const leaked = { name: 'TWILIO_API_SECRET', is_secret: true, is_set: true, value: 'leaked' }
    const { text } = await showPage('connections', 'well', {
      'GET /operator/connections': reply({
        data: [{ ...twilio, settings: [leaked] }],
        capabilities,
        repairs: { count: 0, more: false },
      }),
    })
    expect(text()).to.contain('TWILIO_API_SECRET')
    expect(text()).to.contain('Set (never shown)')
    expect(text()).not.to.contain('leaked')
  })

  it('shows what others serve in place of a provider', async () => {
    const { text } = await showPage('connections', 'well')
    expect(text()).to.contain('2 methods that other providers serve')
    expect(text()).to.match(/identity\/match\s*served by sandbox/)
    expect(text()).to.match(/identity\/begin_sna\s*not served/)
  })

  it('works without the lists of payees and notices', async () => {
    const { text } = await showPage('connections', 'partial')
    expect(text()).to.contain('Nothing needs your attention.')
    expect(text()).to.contain('Twilio')
  })
})

describe('what can be offered', () => {
  it('names what the providers lack, and why', async () => {
    const { find } = await showPage('connections', 'rejected')
    const card = find('[aria-label="What can be offered"]').textContent?.replace(/\s+/g, ' ')
    expect(card).to.match(/1 thing is not offered.*sna.*Verification of people.*no provider in PROVIDERS serves/)
  })

  it('is everything if the providers serve every method', async () => {
    const { find } = await showPage('connections', 'well')
    expect(find('[aria-label="What can be offered"]').textContent).to.contain('The providers serve everything')
  })
})

describe("the providers' summary", () => {
  it('does not report a few failures among many calls', async () => {
    const { answerOf } = await import('./pages/connections/connections-answer.js')
    const { Format } = await import('./format.js')
    const answer = (failures: number, calls: number) =>
      answerOf({ format: new Format('America/Chicago') }, [{ ...increase, day: { calls, failures, webhooks: 0 } }], {
        proposals: null,
        notices: null,
        exceptions: null,
        repairs: { count: 0, more: false },
      }).tone
    expect([answer(2, 2), answer(3, 100), answer(5, 100)]).to.deep.equal(['good', 'good', 'warn'])
    expect(
      answerOf({ format: new Format('America/Chicago') }, [{ ...rejected, settings: [] }], {
        proposals: null,
        notices: null,
        exceptions: null,
        repairs: { count: 0, more: false },
      }).points[0]?.[1],
    ).not.to.contain('Check')
  })
})

describe('the payee directory', () => {
  it('shows who proposed and who confirmed each payee, and no control that changes it', async () => {
    const { find, app } = await showPage('payees', 'active')
    const row = find('tbody tr').textContent?.replace(/\s+/g, ' ')
    for (const each of ['Chase', 'ACH', 'account the debt’s number', '$50,000.00', 'Ana Diaz', 'Ben Okafor'])
      expect(row).to.contain(each)
    expect(app.querySelectorAll('main button').length).to.equal(0)
  })

  it('lists proposals with the id that the command needs', async () => {
    const { press, at, calls, text } = await showPage('payees', 'active', {
      'GET /operator/payees': [
        reply({ data: payees, next_cursor: 'pye_1' }),
        reply({ data: [{ ...payees[0], status: 'proposed' }], next_cursor: null }),
      ],
    })
    await press('Waiting for a second person')
    expect(at()).to.equal('/connections/payees?status=proposed')
    expect(calls('GET /operator/payees').at(-1)?.query.get('status')).to.equal('proposed')
    expect(text()).to.contain('pnpm admin payee confirm PAYEE --by NAME')
    expect(text()).to.contain(payees[0]?.id)
  })

  it('continues with the next page', async () => {
    const { press, at, calls } = await showPage('payees', 'active')
    await press('Older')
    expect(at()).to.equal(`/connections/payees?cursor=${payees[1]?.id}`)
    expect(calls('GET /operator/payees').at(-1)?.query.get('page_cursor')).to.equal(payees[1]?.id)
  })
})

describe('notices of change', () => {
  it('say what they mean and what to do', async () => {
    const { app } = await showPage('notices', 'plain')
    const rows = [...app.querySelectorAll('tbody tr')].map(row => row.textContent?.replace(/\s+/g, ' ') ?? '')
    expect(rows[0]).to.contain('C03 The routing number and the account number are wrong.')
    expect(rows[0]).to.contain('routing 021000021 · account ••1234')
    expect(rows[0]).to.contain('Confirm the new details with the creditor.')
    expect(rows[1]).to.contain('Nothing. The account was corrected automatically.')
    expect(rows[2]).to.match(/^\s*C99 (?!C99)/)
    expect(app.querySelector(`tbody a[href="/payments/${notices[0]?.payment_id}"]`) !== null).to.equal(true)
  })

  it('continue with the next page', async () => {
    const { press, at } = await showPage('notices', 'plain')
    await press('Older')
    expect(at()).to.match(/^\/connections\/notices\?cursor=\d+\.pmt_/)
  })
})

describe('reconciliation', () => {
  it('lists what is not explained, with its meaning and what to do', async () => {
    const { app, find } = await showPage('reconciliation', 'open')
    const rows = [...app.querySelectorAll('table[aria-label="Differences"] tbody tr')].map(row =>
      (row.textContent ?? '').replace(/\s+/g, ' '),
    )
    expect(rows[0]).to.contain('The provider moved money that no payment explains.')
    expect(rows[0]).to.contain('−50.00')
    expect(rows[1]).to.contain('expected $2,950.60')
    expect(find<HTMLAnchorElement>('a[download]').getAttribute('href')).to.equal(
      '/api/operator/exceptions/csv?status=open',
    )
    const run = find('table[aria-label="Comparisons"] tbody tr:nth-child(2)').textContent?.replace(/\s+/g, ' ')
    expect(run).to.contain('Feb 28 – Mar 9')
    expect(run).to.contain('3 × fee_payment −45.00')
  })

  it('explains a difference with a name and a text, once', async () => {
    const { press, find, calls, text } = await showPage('reconciliation', 'open')
    await press(`Explain ${exceptions[0]?.id}`)
    find<HTMLInputElement>('dialog [name="by"]').value = ' Ana Diaz '
    find<HTMLInputElement>('dialog [name="text"]').value = 'A refund that we made'
    await press('Explain')
    const [call] = calls(`POST /operator/exceptions/${exceptions[0]?.id}/explanation`)
    expect(call?.body).to.deep.equal({
      team: 'team_4kWa1NoRtHw1',
      by: 'Ana Diaz',
      text: 'A refund that we made',
    })
    expect(call?.headers.get('Idempotency-Key')).to.match(/^[\w-]{36}$/)
    expect(text()).to.contain('The difference is explained.')
    expect(calls('GET /operator/exceptions')).to.have.length(2)
  })

  it('shows explanations and no control for what is explained or resolved', async () => {
    const { app, text } = await showPage('reconciliation', 'all')
    expect(text()).to.contain('“A refund that we made in the dashboard” Ana Diaz')
    expect(app.querySelectorAll('tbody button')).to.have.length(2)
  })

  it('compares now, in the background', async () => {
    const { press, calls, text } = await showPage('reconciliation', 'open')
    await press('Compare now')
    expect(calls('POST /operator/reconciliations')[0]?.body).to.deep.equal({ team: 'all' })
    expect(text()).to.contain('The comparison runs in the background.')
  })
})

describe('a payment at its provider', () => {
  it("shows the provider, its id, and the bank's code with its meaning", async () => {
    const { find } = await showPage('payment', 'came_back')
    const card = find('[aria-label="At the provider"]').textContent?.replace(/\s+/g, ' ')
    for (const each of ['Increase', 'ach_transfer_uoxatyh3lt5evrsdvo7q', 'R23', 'The receiver refused the payment.'])
      expect(card).to.contain(each)
    expect(card).to.contain('091000013372045')
  })

  it('is not shown for a payment that no provider knows', async () => {
    const { has } = await showPage('payment', 'on_its_way')
    expect(has('[aria-label="At the provider"]')).to.equal(false)
  })

  it('can be loaded again after a failure', async () => {
    const { find, has, press } = await showPage('payment', 'on_its_way', {
      'GET /payments/:id/provider': [failure(503), reply({ objects: [] })],
    })
    expect(find('[aria-label="At the provider"]').textContent).to.contain('The service didn’t respond.')
    await press('Try again')
    expect(has('[aria-label="At the provider"]')).to.equal(false)
  })
})

describe('the institutions that a person linked', () => {
  const card = '[aria-label="Linked institutions"]'

  it('are shown with what needs another sign-in, and with the time at which they were read', async () => {
    const { find } = await showPage('person', 'linked')
    const said = find(card).textContent?.replace(/\s+/g, ' ')
    for (const each of ['Harbor Credit Union', '2 shared accounts', 'Needs another sign-in', 'Last read: Mar 10'])
      expect(said).to.contain(each)
    expect(said).to.contain('Balances and updates fail until the person signs in again')
  })

  it('are not shown if there are none, and can be loaded again after a failure', async () => {
    const { has, find, press } = await showPage('person', 'stuck', {
      'GET /entities/:id/institutions': [failure(503), reply({ institutions: [], checked_at: null })],
    })
    expect(find(card).textContent).to.contain('The service didn’t respond.')
    await press('Try again')
    expect(has(card)).to.equal(false)
  })
})
