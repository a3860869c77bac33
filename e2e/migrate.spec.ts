/** Pages that use the interfaces of Opal and of Elements, with only an import or a script's address changed. */
import type { Page } from '@playwright/test'
import { bundleFor } from '../frameworks/react/bundle.mjs'
import { type Call, record } from './support/calls.js'
import { cards, enterCard } from './support/cards.js'
import { headings } from './support/flow.js'
import { phones } from './support/people.js'
import type { Service } from './support/processes.js'
import { type Host, servePage } from './support/serve-page.js'
import { expect, test, usualLoan } from './support/test.js'

test.describe('a page of Elements', () => {
  const html = (service: Service) => `<!doctype html><html lang="en"><title>Yours</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <script src="${service.frameOrigin}/elements/v1/stable/init.js" crossorigin="anonymous"></script>`
  const policy = (service: Service, frames: string) =>
    `default-src 'none'; script-src ${service.frameOrigin}; frame-src ${frames}; require-trusted-types-for 'script'`

  /** Opens the flow, as the page's own script would. */
  async function open(page: Page, host: Host, token: string, beforeOpening = async () => {}): Promise<Call[]> {
    const calls = await record(page)
    await page.goto(host.origin)
    await beforeOpening()
    await page.evaluate(given => {
      const { Method, record } = window as unknown as {
        Method: new (options: object) => { open: (token: string) => void }
        record: (...call: unknown[]) => void
      }
      const names = ['onOpen', 'onSuccess', 'onError', 'onExit']
      const callbacks = Object.fromEntries(names.map(name => [name, (payload: unknown) => record(name, payload)]))
      new Method({ env: 'dev', ...callbacks }).open(given)
    }, token)
    return calls
  }
  const names = (calls: Call[]) => calls.map(([name]) => name)

  test('links accounts under a strict policy', async ({ service, api, page, flow }) => {
    const headers = { 'content-security-policy': policy(service, service.frameOrigin) }
    const host = await servePage(html(service), headers)
    const entity = await api.person(phones.allPayable)
    const calls = await open(page, host, await api.connectToken(entity))
    await flow.linkOneAccount()
    await expect.poll(() => names(calls)).toEqual(['onOpen', 'onSuccess', 'onExit'])
    expect(calls[1]![1]).toEqual({
      op: 'success',
      element_type: 'connect',
      entity_id: entity,
      accounts: [expect.stringMatching(/^acc_/)],
    })
    await expect(page.locator('connect-element')).toHaveCount(0)
    await host.stop()
  })

  test('is notified that its policy blocks the frame', async ({ service, api, page }) => {
    const host = await servePage(html(service), { 'content-security-policy': policy(service, "'none'") })
    const token = await api.connectToken(await api.person(phones.allPayable))
    const calls = await open(page, host, token)
    await expect.poll(() => names(calls)).toEqual(['onOpen', 'onError', 'onExit'])
    expect(calls[1]![1]).toMatchObject({ sub_type: 'FRAME_BLOCKED' })
    await expect(page.locator('connect-element')).toHaveCount(0)
    await host.stop()
  })

  test('is notified that the device is offline', async ({ service, api, page, context }) => {
    const host = await servePage(html(service))
    const token = await api.connectToken(await api.person(phones.allPayable))
    const calls = await open(page, host, token, () => context.setOffline(true))
    await expect.poll(() => names(calls)).toEqual(['onOpen', 'onError', 'onExit'])
    expect(calls[1]![1]).toMatchObject({ sub_type: 'OFFLINE', type: 'API_ERROR' })
    await expect(page.locator('connect-element')).toHaveCount(0)
    await host.stop()
  })

  test('is notified that it may not embed the flow', async ({ service, api, page }) => {
    const host = await servePage(html(service))
    const more = { allowed_origins: ['https://www.lender.example'] }
    const token = await api.connectToken(await api.person(phones.allPayable), more)
    const calls = await open(page, host, token)
    await expect.poll(() => names(calls)).toEqual(['onOpen', 'onError', 'onExit'])
    expect(calls[1]![1]).toMatchObject({ sub_type: 'FRAME_REFUSED' })
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await host.stop()
  })
})

test.describe('a page of Opal for React', () => {
  const html = (service: Service) => `<!doctype html><html lang="en"><title>Yours</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="causeway-frame-origin" content="${service.frameOrigin}"><div id="app"></div>`
  interface Opened {
    calls: Call[]
    types: () => string[]
  }
  let code: string
  let host: Host

  test.beforeAll(async () => {
    code = await bundleFor(19, 'opal')
  })
  test.beforeEach(async ({ service, page }) => {
    host = await servePage(html(service))
    await page.route(`${host.origin}/opal.js`, route => route.fulfill({ contentType: 'text/javascript', body: code }))
  })
  test.afterEach(() => host.stop())

  /** Opens the flow, as the page's component would. Returns the calls, and the types of the events. */
  async function open(page: Page, token: string): Promise<Opened> {
    const calls = await record(page)
    await page.goto(host.origin)
    await start(page, token)
    return { calls, types: () => typesOf(calls) }
  }
  const typesOf = (calls: Call[]) =>
    calls.flatMap(([name, event]) => (name === 'onEvent' ? [String(event!['type'])] : []))
  async function start(page: Page, token: string): Promise<void> {
    await page.evaluate(async given => {
      const { record } = window as unknown as { record: (...call: unknown[]) => void }
      const { start } = await import(`${location.origin}/opal.js`)
      const names = ['onOpen', 'onEvent', 'onError', 'onExit']
      const config = Object.fromEntries(names.map(name => [name, (argument: unknown) => record(name, argument)]))
      start(document.querySelector('#app'), { provider: {}, config }).opal().open({ token: given })
    }, token)
  }
  /** Loads the page again, and opens the flow with another token. Returns only the calls after that. */
  async function reopen(page: Page, { calls }: { calls: Call[] }, token: string): Promise<Opened> {
    calls.length = 0
    await page.goto(host.origin)
    await start(page, token)
    return { calls, types: () => typesOf(calls) }
  }
  const ends = (types: string[]) => types.filter(type => type.startsWith('opal.session.'))
  const started = 'opal.session.started'
  const finished = [started, 'opal.session.completed', 'opal.session.exited']

  test('verifies an identity', async ({ api, page, flow }) => {
    const token = await api.opalToken('identity_verification', await api.person(phones.mixed))
    const { calls, types } = await open(page, token)
    await flow.at('Ready to confirm who you are?')
    await flow.proveWhoIAm()
    await flow.at('Your identity is verified')
    await flow.press('Done')
    await expect.poll(() => calls.at(-1)).toEqual(['onExit', { reason: 'completed' }])
    expect(ends(types())).toEqual(finished)
    expect(types()).toEqual(
      expect.arrayContaining([
        'identity_verification.flow.started',
        'opal.flow.started',
        'identity_verification.step.completed',
        'opal.step.completed',
        'identity_verification.identity.completed',
        'identity_verification.flow.completed',
      ]),
    )
  })

  test('links accounts, and reports no personal data', async ({ api, page, flow }) => {
    const entity = await api.person(phones.allPayable)
    const token = await api.opalToken('connect', entity, { selection_type: 'multiple' })
    const { calls, types } = await open(page, token)
    await flow.linkOneAccount()
    await expect.poll(() => calls.at(-1)).toEqual(['onExit', { reason: 'completed' }])
    expect(ends(types())).toEqual(finished)
    const order = ['connect.flow.started', 'connect.accounts.selected', 'connect.flow.completed']
    expect(types().filter(type => order.includes(type))).toEqual(order)
    for (const secret of ['Rivera', '5550101', '123456', token.slice(-33)])
      expect(JSON.stringify(calls)).not.toContain(secret)
  })

  test('connects a card, and reports its verification in order', async ({ api, page, flow }) => {
    const token = await api.opalToken('card_connect', await api.person(phones.mixed), { selection_type: 'single' })
    const { calls, types } = await open(page, token)
    await flow.at('Ready to connect your cards?')
    await flow.proveWhoIAm()
    await flow.at(/^Which card should .+ use/)
    await flow.frame.getByRole('radio', { name: /Chase Sapphire Reserve/ }).check()
    await flow.goOn()
    await enterCard(flow, cards.sapphire)
    await flow.at('Your card is connected')
    await flow.press('Done')
    await expect.poll(() => calls.at(-1)).toEqual(['onExit', { reason: 'completed' }])
    const order = [
      started,
      'identity_verification.flow.started',
      'identity_verification.flow.completed',
      'connect.flow.started',
      'connect.accounts.selected',
      'connect.flow.completed',
      'account_verification.flow.started',
      'account_verification.card.verified',
      'card_connect.card.verified',
      'account_verification.flow.completed',
      'opal.session.completed',
      'opal.session.exited',
    ]
    expect(types().filter(type => order.includes(type))).toEqual(order)
  })

  test('verifies a bank account with two deposits', async ({ api, page, flow }) => {
    const entity = await api.person(phones.mixed)
    const account_id = await api.bankAccount(entity)
    const token = () => api.opalToken('account_verification', entity, { account_id })
    const first = await open(page, await token())
    await flow.at(headings.verifyAccount)
    await flow.proveWhoIAm()
    await flow.at(headings.sendDeposits)
    await flow.press('Send the deposits')
    await flow.at(headings.onTheirWay)
    await flow.press('Close and come back later')
    await expect.poll(() => first.calls.at(-1)).toEqual(['onExit', { reason: 'user' }])
    const begun = ['account_verification.flow.started', 'account_verification.deposits.sent', 'opal.session.exited']
    expect(first.types().filter(type => begun.includes(type))).toEqual(begun)
    await api.advance('P2D')
    const [one, other] = await api.depositsTo(account_id)
    const { calls, types } = await reopen(page, first, await token())
    await flow.at(headings.verifyAccount)
    await flow.agree()
    await flow.at(headings.amounts)
    await flow.field('One amount').fill(String(one))
    await flow.field('Other amount').fill(String(other))
    await page.keyboard.press('Enter')
    await flow.at('Your account is verified')
    await flow.press('Done')
    await expect.poll(() => calls.at(-1)).toEqual(['onExit', { reason: 'completed' }])
    const order = [
      started,
      'account_verification.flow.started',
      'account_verification.account.verified',
      'account_verification.flow.completed',
      'opal.session.completed',
      'opal.session.exited',
    ]
    expect(types().filter(type => order.includes(type))).toEqual(order)
  })

  test('shares the transactions of a card', async ({ api, page, flow }) => {
    const { products } = await api.call<{ products: (string | { type: string })[] }>('GET', '/team')
    const names = products.map(product => (typeof product === 'string' ? product : product.type))
    await api.call('PATCH', '/team', { products: [...new Set([...names, 'transaction'])] })
    const token = await api.opalToken('transactions', await api.person(phones.mixed))
    const { calls, types } = await open(page, token)
    await flow.agree()
    await flow.at(headings.code)
    await flow.enterCode('123456')
    await expect.poll(() => types(), { timeout: 15_000 }).toContain('transactions.step.started')
    await flow.at(/^Which cards should .+ use/)
    await flow.choose('Capital One Venture')
    await flow.goOn()
    await enterCard(flow, cards.venture)
    await flow.press('Done')
    await expect.poll(() => calls.at(-1)).toEqual(['onExit', { reason: 'completed' }])
    const order = [
      started,
      'identity_verification.flow.completed',
      'transactions.flow.started',
      'transactions.accounts.linked',
      'transactions.flow.completed',
      'opal.session.completed',
      'opal.session.exited',
    ]
    expect(types().filter(type => order.includes(type))).toEqual(order)
  })

  test('splits a loan', async ({ api, page, flow }) => {
    const { token } = await api.transferToken(await api.person(phones.allPayable), usualLoan)
    const { calls, types } = await open(page, token)
    await flow.at(headings.findAccounts)
    await flow.proveWhoIAm()
    await flow.at(headings.which)
    await flow.choose('Chase Freedom Unlimited', 'LendingClub')
    await flow.goOn()
    await flow.at(headings.split)
    await flow.press('Review payments')
    await flow.at(headings.check)
    await flow.press('Confirm payments')
    await flow.at(headings.confirmed)
    await flow.press('Done')
    await expect.poll(() => calls.at(-1)).toEqual(['onExit', { reason: 'completed' }])
    expect(ends(types())).toEqual(finished)
    const order = ['balance_transfer.flow.started', 'opal.flow.completed', 'opal.session.completed']
    expect(types()).toEqual(expect.arrayContaining(order))
    expect(calls.filter(([name]) => name === 'onError')).toEqual([])
  })

  test('reports the error of a session that cannot continue, and the exit', async ({ api, page, flow }) => {
    const token = await api.opalToken('connect', await api.person(phones.frozenFile))
    const { calls, types } = await open(page, token)
    await flow.at(headings.shareAccounts)
    await flow.proveWhoIAm()
    await expect.poll(() => types()).toContain('opal.session.errored')
    expect(calls.find(([name]) => name === 'onError')![1]).toMatchObject({ sub_type: 'CREDIT_FREEZE' })
    await expect(page.locator('#state')).toHaveText('open')
    await page.keyboard.press('Escape')
    await expect.poll(() => calls.at(-1)?.[0]).toBe('onExit')
    await expect(page.locator('#state')).toHaveText('CREDIT_FREEZE')
  })

  test('reports that its token was already used', async ({ api, page, flow }) => {
    const token = await api.opalToken('connect', await api.person(phones.allPayable))
    const first = await open(page, token)
    await flow.at(headings.shareAccounts)
    await flow.redeemed()
    expect(first.calls.filter(([name]) => name === 'onError')).toEqual([])
    await page.reload()
    await page.evaluate(async given => {
      const { start } = await import(`${location.origin}/opal.js`)
      start(document.querySelector('#app'), { provider: {}, config: {} }).opal().open({ token: given })
    }, token)
    await flow.at('Your session has ended')
  })
})
