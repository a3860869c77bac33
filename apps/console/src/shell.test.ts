import { waitFor } from '@causeway/ui/testing/wait-for'
import { expect } from '@open-wc/testing'
import { failure, reply } from '../dev/fake.js'
import { corwin, NOW, REAL_NOW, session } from '../dev/fixtures/people.js'
import { operator } from '../dev/scenes/operations.js'
import { showPage } from './testing/show-page.js'

const key = (name: string, init: KeyboardEventInit = {}) =>
  document.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true, ...init }))

describe('the shell', () => {
  it('shows the team, the environment, the role and the time zone', async () => {
    const { find } = await showPage('payments', 'plain')
    expect(find('.rail').textContent).to.contain('Northwind Lending').and.to.contain('Sandbox')
    expect(find('.rail').textContent).to.contain('Admin')
    expect(find('.zone').textContent).to.contain('CT')
  })

  it('shows times in the selected zone', async () => {
    const { find, settle, text } = await showPage('payment', 'on_its_way')
    expect(text()).to.contain('created Mar 3, 9:41 AM')
    const select = find<HTMLSelectElement>('.zone select')
    select.value = 'utc'
    select.dispatchEvent(new Event('change'))
    await settle()
    expect(text()).to.contain('created Mar 3, 3:41 PM')
    // A bank date is the same in every zone.
    expect(text()).to.contain('expected Mar 6')
  })

  it('opens a page with G followed by its key, and moves the focus to the heading', async () => {
    const { at, settle } = await showPage('payments', 'plain')
    key('g')
    key('e')
    await settle()
    expect(at()).to.equal('/people')
    expect(document.activeElement?.textContent?.trim()).to.equal('People')
  })

  it('finds any resource by its id', async () => {
    const { app, at, settle } = await showPage('payments', 'plain')
    app.go('/go/pmt_4kYi8ZbT1mXcV')
    await settle()
    expect(at()).to.equal('/payments/pmt_4kYi8ZbT1mXcV')
  })

  it('sends a search as a POST request, and opens the selected result', async () => {
    const { find, calls, at, settle } = await showPage('shell', 'search', {
      'POST /search': reply({
        data: [
          {
            kind: 'person',
            id: corwin.id,
            title: 'Corwin Ashe',
            hint: '1 account ends in 2835',
            status: null,
            created_at: '2026-03-03T15:41:00.000Z',
          },
        ],
      }),
    })
    key('k', { metaKey: true })
    const input = find<HTMLInputElement>('.search input')
    input.value = 'corwin'
    input.dispatchEvent(new InputEvent('input', { bubbles: true }))
    await waitFor(() => document.querySelector('.search li')?.textContent?.includes('Corwin Ashe'))
    expect(find('.search li small').textContent).to.equal('1 account ends in 2835 · Mar 3, 9:41 AM')
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
    await settle()
    expect(calls('POST /search').map(({ body }) => body)).to.deep.equal([{ q: 'corwin' }])
    expect(calls().every(({ path, query }) => !/corwin/i.test(path + String(query)))).to.equal(true)
    expect(at()).to.equal(`/people/${corwin.id}`)
  })

  it('exchanges a pasted key for a session and does not store the key', async () => {
    const { find, calls, settle, text } = await showPage('shell', 'sign_in', {
      'GET /session': [failure(401, 'UNAUTHORIZED'), reply(session)],
      'POST /session': reply({}),
    })
    find<HTMLInputElement>('input[name="key"]').value = 'sk_test_example'
    find<HTMLFormElement>('.sign form').requestSubmit()
    await waitFor(() => document.querySelector('.rail'))
    await settle()
    expect(calls('POST /session')[0]?.body).to.deep.equal({ key: 'sk_test_example' })
    expect(document.documentElement.outerHTML).not.to.contain('sk_test_example')
    expect(text()).to.contain('Payments')
    expect(sessionStorage.length + localStorage.length).to.equal(0)
  })

  for (const [status, sentence] of [
    [401, 'That key isn’t valid, or it was revoked.'],
    [
      403,
      'That key can’t read the team’s data. Use a key that has the read scope, and open the console at its own address.',
    ],
    [400, 'The service rejected the request.'],
    [503, 'The service didn’t respond.'],
  ] as const)
    it(`explains in its own words why a sign-in failed with ${status}`, async () => {
      const { find } = await showPage('shell', 'sign_in', { 'POST /session': failure(status) })
      find<HTMLInputElement>('input[name="key"]').value = 'sk_test_example'
      find<HTMLFormElement>('.sign form').requestSubmit()
      await waitFor(() => document.querySelector('[role="alert"]'))
      expect(find('[role="alert"]').textContent).to.equal(sentence)
    })

  it('prompts the user to sign in again when the session ends', async () => {
    const { find } = await showPage('payments', 'plain', { 'GET /payments': failure(401, 'UNAUTHORIZED') })
    await waitFor(() => document.querySelector('.sign'))
    expect(find('.sign').textContent).to.contain('Your session ended')
  })

  it('shows on every page that payments are stopped', async () => {
    const { text } = await showPage('payments', 'stopped')
    expect(text()).to.contain('This team’s payments have been stopped since Mar 10, 9:02 AM (real time).')
  })

  it('counts days by the team’s clock, not the browser’s', async () => {
    const from = async (ahead_seconds: number) => {
      const now = new Date(REAL_NOW + ahead_seconds * 1000).toISOString()
      const { calls } = await showPage('overview', 'plain', {
        'GET /session': reply({ ...session, clock: { now, ahead_seconds } }),
      })
      expect(calls('GET /stats/payments')[0]?.query.has('time_zone')).to.equal(false)
      return calls('GET /stats/payments')[0]?.query.get('from_date')
    }
    expect(await from(0)).to.equal('2026-02-02')
    expect(await from(31 * 86_400)).to.equal('2026-03-05')
    // Lists filter by days in UTC, where the next day has begun, although it is 21:00 in Chicago.
    expect(await from((Date.parse('2026-03-04T03:00:00.000Z') - REAL_NOW) / 1_000)).to.equal('2026-02-03')
  })

  it('states that requests show real times if the sandbox clock differs by more than a minute', async () => {
    const at = (ahead_seconds: number) => ({
      'GET /session': reply({ ...session, clock: { now: new Date(NOW).toISOString(), ahead_seconds } }),
    })
    const moved = await showPage('requests', 'plain', at(61))
    expect(moved.text()).to.contain('Requests show the real time. The sandbox clock shows Mar 10, 9:41 AM.')
    expect((await showPage('requests', 'plain', at(60))).text()).not.to.contain('real time')
    expect((await showPage('request', 'refused', at(61))).text()).to.contain('Requests show the real time.')
    const operating = at(61)['GET /session'].body as object
    const health = await showPage('health', 'well', { 'GET /session': reply({ ...operating, ...operator }) })
    expect(health.text()).to.contain('This page shows the real time.')
    expect((await showPage('payment', 'came_back', at(61))).text()).to.contain(
      'Requests and staff actions show the real time. Everything else shows the sandbox clock.',
    )
    const live = { 'GET /session': reply({ ...session, environment: 'production', clock: null }) }
    expect((await showPage('requests', 'plain', live)).text()).not.to.contain('real time')
  })

  it('closes a menu after a selection, and after a click outside it', async () => {
    const { app, find, settle } = await showPage('payments', 'plain')
    const menu = find<HTMLDetailsElement>('.tabbar .menu')
    menu.open = true
    find<HTMLElement>('.tabbar > a[href="/people"]').click()
    await settle()
    expect(menu.open).to.equal(false)
    menu.open = true
    find<HTMLElement>('.tabbar .menu a[href="/webhooks"]').click()
    await settle()
    expect(menu.open).to.equal(false)
    menu.open = true
    app.querySelector<HTMLElement>('main')?.click()
    expect(menu.open).to.equal(false)
  })

  it("names the funnel's days if there are no sessions", async () => {
    const { text } = await showPage('overview', 'empty')
    expect(text()).to.contain('No balance transfers were created on these days.').and.not.to.contain('No sessions yet')
  })

  it('disables the bench for a viewer and names the required role', async () => {
    const { app, text } = await showPage('bench', 'viewer')
    expect(text()).to.contain('Your role is viewer, so you can view the sandbox but not change it.')
    const acting = [...app.querySelectorAll<HTMLButtonElement>('.page .card button')]
    expect(acting.length).to.be.greaterThan(10)
    expect(acting.every(({ disabled }) => disabled)).to.equal(true)
    const other = await showPage('bench', 'plain')
    expect(other.app.querySelector<HTMLButtonElement>('.page .card button')?.disabled).to.equal(false)
  })

  it("shows the team's clock after the bench moves it", async () => {
    const moved = new Date(NOW + 3 * 86_400_000).toISOString()
    const { press, text } = await showPage('bench', 'plain', {
      'GET /session': [reply(session), reply({ ...session, clock: { now: moved, ahead_seconds: 864_000 } })],
    })
    expect(text()).not.to.contain('Mar 13, 2026')
    await press('+3 days')
    await waitFor(() => text().includes('10 d ahead'))
  })

  it('shows that a panel is loading only after a short delay', async () => {
    const started = performance.now()
    let waited = 0
    const watch = new MutationObserver(() => {
      if (!waited && document.querySelector('.skeleton')) waited = performance.now() - started
    })
    watch.observe(document.body, { childList: true, subtree: true })
    const { find } = await showPage('payments', 'loading')
    await waitFor(() => waited)
    watch.disconnect()
    expect(waited).to.be.greaterThan(145)
    expect(find('.skeleton .sr').textContent).to.equal('Loading Payments')
  })
})

describe('a person', () => {
  it('shows where they are stuck, what they see and what helps, without revealing anything', async () => {
    const { find, text } = await showPage('person', 'stuck')
    const answer = find('.answer').textContent
    expect(answer).to.contain('They haven’t entered a valid card or account number.')
    expect(answer).to.contain('2 attempts are left.')
    expect(text()).to.contain('Stuck for 26 h')
    expect(text()).not.to.contain('(555)')
  })

  it('reveals one field after a reason is given, and hides it when the page closes', async () => {
    const { app, press, find, calls, settle, text } = await showPage('person', 'stuck')
    await press('Reveal…')
    find<HTMLInputElement>('dialog[open] input[name="reason"]').value = 'caller asked for a text'
    await press('Reveal for 30 seconds')
    await waitFor(() => document.querySelector('dialog[open]') === null)
    await settle()
    expect(calls(`POST /entities/ent_4kYe5HcQ0vRtA/reveal`)[0]?.body).to.deep.equal({
      fields: ['phone'],
      reason: 'caller asked for a text',
    })
    expect(text()).to.contain('(555) 010-0108')
    const page = app.querySelector('page-person') as HTMLElement
    page.remove()
    app.querySelector('main')?.append(page)
    await settle()
    expect(text()).not.to.contain('(555) 010-0108')
  })

  it("hides a revealed value at the time set by the service, according to the service's clock", async () => {
    const { press, find, text } = await showPage('person', 'stuck', {
      'POST /entities/:id/reveal': reply({
        values: { phone: '(555) 010-0108' },
        until: new Date(REAL_NOW + 1_500).toISOString(),
      }),
    })
    await press('Reveal…')
    find<HTMLInputElement>('dialog[open] input[name="reason"]').value = 'caller asked for a text'
    await press('Reveal for 30 seconds')
    await waitFor(() => text().includes('(555) 010-0108'))
    await waitFor(() => !text().includes('(555) 010-0108'))
  })

  it('offers a viewer neither a reveal nor a link', async () => {
    const { has } = await showPage('person', 'viewer')
    expect(has('.head .btn')).to.equal(false)
    expect(has('.answer .btn.go')).to.equal(false)
  })

  it('shows only the ids and payments of a person who withdrew consent', async () => {
    const { text } = await showPage('person', 'erased')
    expect(text()).to.contain('This person withdrew consent.')
    expect(text()).not.to.contain('Reveal')
    expect(text()).not.to.contain('Masked')
  })
})

describe('a webhook', () => {
  it('counts undelivered events since a given time before it resends them', async () => {
    const { find, press, calls, text } = await showPage('webhook', 'failing')
    const since = find<HTMLInputElement>('input[type="datetime-local"]')
    since.value = '2026-03-10T07:00'
    since.dispatchEvent(new InputEvent('input', { bubbles: true }))
    await press('Count them')
    await waitFor(() => text().includes('49 undelivered events since then.'))
    await press('Send 49 deliveries again')
    const sent = calls('POST /webhooks/whk_4kXb2NfWq7ZsC/redeliver').map(({ body }) => body)
    // This is 7:00 in Chicago, after daylight saving time began on March 8.
    const instant = new Date(NOW - 9_666_000).toISOString()
    expect(instant).to.equal('2026-03-10T12:00:00.000Z')
    expect(sent).to.deep.equal([{ since: instant, dry_run: true }, { since: instant }])
  })

  it("shows the server's response and how close the webhook is to being disabled", async () => {
    const { find } = await showPage('webhook', 'failing')
    const answer = find('.answer').textContent
    expect(answer).to.contain('Your server has not accepted a delivery since Mar 10, 6:31 AM. It last returned 503.')
    expect(answer).to.contain('If no delivery succeeds before Mar 13, 6:31 AM, the next failed attempt disables')
  })

  it('shows no message if nothing is wrong', async () => {
    const { has } = await showPage('webhook', 'calm')
    expect(has('.answer')).to.equal(false)
  })

  it("shows the chart's numbers as a table", async () => {
    const { app } = await showPage('webhook', 'failing')
    expect(app.querySelectorAll('.as-table tbody tr')).to.have.length(24)
  })
})

describe('the health page', () => {
  it('is in the navigation only for operators', async () => {
    const { app } = await showPage('health', 'dead_jobs')
    expect(app.querySelector('.rail [href="/health"]')?.getAttribute('aria-current')).to.equal('page')
    expect(app.querySelector('.tabbar .on')?.textContent).to.contain('More')
    const { has } = await showPage('health', 'forbidden')
    expect(has('.rail [href="/health"]')).to.equal(false)
  })

  it('stops all payments only after the user types the words and enters a reason', async () => {
    const stopped = { scope: 'all', since: new Date(NOW).toISOString() }
    const { press, find, calls, text } = await showPage('health', 'dead_jobs', {
      'GET /session': [
        reply({ ...session, ...operator }),
        reply({ ...session, ...operator, payments_stopped: stopped }),
      ],
    })
    await press('Stop all payments')
    find<HTMLInputElement>('dialog[open] [name="reason"]').value = 'wrong amounts'
    await press('Stop all payments')
    expect(calls('POST /operator/payments/stop')).to.have.length(0)
    const typed = find<HTMLInputElement>('dialog[open] .field:last-of-type input')
    typed.value = 'STOP ALL'
    typed.dispatchEvent(new InputEvent('input', { bubbles: true }))
    await press('Stop all payments')
    await waitFor(() => document.querySelector('dialog[open]') === null)
    expect(calls('POST /operator/payments/stop')[0]?.body).to.deep.equal({
      team: 'all',
      confirm: 'STOP ALL',
      reason: 'wrong amounts',
    })
    await waitFor(() => text().includes('All payments on this installation have been stopped since Mar 10'))
  })

  it('retries a dead job, and runs the ledger check', async () => {
    const { press, calls, text } = await showPage('health', 'dead_jobs')
    await press('Retry job_4kZ1aB2cD3eF4')
    expect(calls('POST /operator/jobs/job_4kZ1aB2cD3eF4/retry')[0]?.body).to.deep.equal({ team: 'team_4kWa1NoRtHw1' })
    await press('Check now')
    await waitFor(() => text().includes('The postings do not match the status.'))
  })
})

describe('an account', () => {
  it("opens its holder's page", async () => {
    const { app, at, settle } = await showPage('person', 'stuck', {
      'GET /accounts/:id': reply({ id: 'acc_4kYs1NwB5eVqC', holder_id: 'ent_4kYe5HcQ0vRtA' }),
    })
    app.go('/go/acc_4kYs1NwB5eVqC')
    await settle()
    await waitFor(() => at() === '/people/ent_4kYe5HcQ0vRtA')
  })
})
