import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readForm } from './applications.js'
import type { Debt } from './debts.js'
import { findFundingAccount, updateBrand } from './funding.js'
import { LOAN_APR_PERCENT, type LoanFit, loanFitOf, monthlyPayment } from './loan.js'
import { desk, form, page, useSite, webhookSecret } from './testing/site.js'
import { subscribeToWebhooks } from './webhooks.js'

const { site, visit, submit, ask, borrower, reachTransfer } = useSite()

describe('applying', () => {
  it('accepts phone numbers and amounts in the formats that people type', () => {
    expect(readForm({ ...form, phone: '+1 512.555-0100', amount: '$12,500.50' })).toEqual({
      phone: '+15125550100',
      loan_amount: 1_250_050,
      errors: {},
    })
  })

  it.each([['999.99'], ['50,000.01'], ['ten'], ['1e4'], ['']])('rejects %j as an amount', amount => {
    expect(readForm({ ...form, amount }).errors.amount).toMatch(/\$1,000 to \$50,000/)
  })

  it('creates one entity when the form is sent twice simultaneously', async () => {
    const answers = await Promise.all([submit('/applications', form), submit('/applications', form)])
    expect(answers.map(answer => [answer.status, answer.headers.get('Location')])).toEqual([
      [303, page],
      [303, page],
    ])
    const keys = site.service.calls('POST /entities').map(call => call.key)
    expect(keys.slice(1)).toEqual([`application-${form.id}`, `application-${form.id}`])
  })

  it('keeps the entered values and shows what is wrong', async () => {
    const answer = await submit('/applications', { ...form, phone: '12', first_name: '<b>Ana' })
    const text = await answer.text()
    expect(answer.status).toBe(400)
    expect(text).toContain('value="&lt;b&gt;Ana"')
    expect(text).toContain('Enter a United States phone number')
    expect(site.service.calls('POST /entities')).toHaveLength(1)
  })

  it('shows an application only to the browser that created it', async () => {
    await submit('/applications', form)
    expect((await visit(page)).status).toBe(200)
    expect((await visit(page, { cookie: 'borrower=another' })).status).toBe(404)
    const token = await site.app.request(`${page}/tokens/connect`, {
      method: 'POST',
      headers: { 'Sec-Fetch-Site': 'same-origin' },
    })
    expect(token.status).toBe(404)
  })

  it('rejects a cross-site form', async () => {
    const answer = await submit('/applications', form, { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.test' })
    expect(answer.status).toBe(403)
    expect(site.service.entities).toHaveLength(1)
  })

  it('forbids inline scripts and styles, and has none', async () => {
    await submit('/applications', form)
    const answer = await visit(page)
    const policy = answer.headers.get('Content-Security-Policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self' http://localhost:4100;")
    expect(policy).not.toMatch(/unsafe|\*/)
    expect(await answer.text()).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=/)
  })
})

describe('the balance transfer', () => {
  it('gets a new token for the same session each time, and one session for two simultaneous clicks', async () => {
    await submit('/applications', form)
    const first = await Promise.all([ask(`${page}/tokens/transfer`), ask(`${page}/tokens/transfer`)])
    const tokens = await Promise.all([...first, await ask(`${page}/tokens/transfer`)].map(answer => answer.json()))
    expect(new Set(tokens.map(({ token }) => token)).size).toBe(3)
    expect(site.service.sessions.size).toBe(1)
    const [opened] = site.service.calls('POST /elements/token')
    expect(opened?.body).toMatchObject({
      type: 'balance_transfer',
      entity_id: borrower(),
      balance_transfer: { loan_amount: 1_000_000, minimum_payment: 2_500, residual_amount_max: 150_000 },
    })
  })

  it('checks the confirmation with the service instead of trusting the browser', async () => {
    const { session, debts } = await reachTransfer()
    expect((await ask(`${page}/confirmed`)).status).toBe(409)
    site.service.confirm(session, { [debts[0]]: 521_240, [debts[1]]: 350_000 })
    const answer = await ask(`${page}/confirmed`)
    expect(await answer.json()).toEqual({ accounts: 2, total: 871_240 })
  })

  it('rejects confirmed amounts over the loan', async () => {
    const { session, debts } = await reachTransfer()
    site.service.confirm(session, { [debts[0]]: 1_000_001 })
    expect((await ask(`${page}/confirmed`)).status).toBe(409)
  })

  it('shows the borrower what was confirmed after every reload', async () => {
    const { session, debts } = await reachTransfer()
    site.service.confirm(session, { [debts[0]]: 521_240, [debts[1]]: 0 })
    const text = await (await visit(page)).text()
    expect(text).toContain('Chase Sapphire Reserve ··\u00a01580')
    expect(text).toContain('$5,212.40')
    const amounts = /<dl class="amounts">.*?<\/dl>/s.exec(text)?.[0]
    expect(amounts).toContain('Chase Sapphire Reserve')
    expect(amounts).not.toContain('Capital One Venture')
  })
})

describe('a loan that the linked debts are too small for', () => {
  it('is reported on the page as soon as the debts are known, with every way to continue', async () => {
    await submit('/applications', { ...form, amount: '20,000' })
    expect(await (await visit(page)).text()).not.toContain('too low')
    site.service.link(borrower())
    const text = await (await visit(page)).text()
    expect(text).toContain('Your linked accounts owe $8,712.40. At least $17,000.00 of a $20,000 loan must go to them.')
    expect(text).toContain('Change the loan to $10,200')
    expect(text).toContain('Link other accounts')
    expect(text).toContain('href="/help"')
    expect(text).not.toContain('Choose the payments')
  })

  it('can be changed to the largest loan that fits, which opens a new session', async () => {
    await submit('/applications', { ...form, amount: '20,000' })
    site.service.link(borrower())
    await ask(`${page}/tokens/transfer`)
    const answer = await submit(`${page}/smaller`)
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, page])
    expect(await (await visit(page)).text()).toContain('Choose the payments')
    await ask(`${page}/tokens/transfer`)
    expect(site.service.sessions.size).toBe(2)
    const [, second] = site.service.calls('POST /elements/token')
    expect(second?.body).toMatchObject({ balance_transfer: { loan_amount: 1_020_000 } })
  })

  it('is not changed if it fits, or by another browser', async () => {
    await submit('/applications', form)
    site.service.link(borrower())
    await submit(`${page}/smaller`)
    expect(await (await visit(page)).text()).toContain('your $10,000 loan is ready')
    expect((await submit(`${page}/smaller`, {}, { cookie: 'borrower=another' })).status).toBe(404)
  })

  it.each<[(number | null)[], number, LoanFit | null]>([
    [[59_950], 1_000_000, { most: 59_950, least: 850_000, largest: null }],
    [[500_000, 2_499], 1_000_000, { most: 500_000, least: 850_000, largest: 580_000 }],
    [[850_000], 1_000_000, null],
    [[59_950, null], 1_000_000, null],
  ])('is recognized from balances of %j cents and a loan of %i', (balances, loan_amount, fit) => {
    const debts = balances.map(balance => ({ balance }) as Debt)
    expect(loanFitOf(debts, loan_amount)).toEqual(fit)
    if (fit?.largest) expect(loanFitOf(debts, fit.largest)).toBeNull()
  })
})

it('has the support and privacy pages that the flow links to', async () => {
  await updateBrand(site.causeway, 'http://127.0.0.1:4300')
  const brand = site.service.calls('PATCH /team')[0]?.body['brand'] as Record<string, string>
  for (const url of [brand['support_url'], brand['privacy_url']]) {
    const answer = await visit(new URL(url!).pathname)
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('demo')])
  }
})

describe('the offer', () => {
  it.each([
    [1_000_000, 33_210],
    [5_000_000, 166_048],
  ])('is repaid as %i cents with 36 payments of %i', (amount, payment) => {
    expect(monthlyPayment(amount)).toBe(payment)
    // After the last payment, the balance is zero except for rounding.
    let left = amount
    for (let month = 1; month <= 36; month++) left = left * (1 + LOAN_APR_PERCENT / 100 / 12) - payment
    expect(Math.abs(left)).toBeLessThan(36)
  })

  it("estimates the savings for the highest rates before the borrower chooses, and for the borrower's choice afterward", async () => {
    const { session, debts } = await reachTransfer()
    // The loan replaces $5,212.40 at 27.49% and $3,500 at 24.99% with debt at 11.99%.
    expect(await (await visit(page)).text()).toContain('about $1,263 in the first year')
    site.service.confirm(session, { [debts[1]]: 350_000 })
    expect(await (await visit(page)).text()).toContain('about $455 in the first year')
  })

  it('shows each linked account with its balance, its rate and a logo', async () => {
    await reachTransfer()
    const text = await (await visit(page)).text()
    expect(text).toContain('Chase · 27.49% APR')
    expect(text).toContain('$5,212.40')
    expect(text).toContain('<span class="logo" aria-hidden="true">C</span>')
  })
})

describe('a released loan', () => {
  it('shows the borrower each payment until it arrives', async () => {
    const { session, debts } = await reachTransfer()
    site.service.confirm(session, { [debts[0]]: 521_240, [debts[1]]: 350_000 })
    await submit(`${desk}/release`)
    const tracks = async () => {
      const text = await (await visit(page)).text()
      return [text, [...text.matchAll(/data-reached="(\d)"/g)].map(([, reached]) => reached)] as const
    }
    const [first, released] = await tracks()
    expect(first).toContain('Ana, your payments are on their way')
    expect(released).toEqual(['1', '1'])

    for (const payment of site.service.payments) payment['status'] = 'posted'
    const [last, arrived] = await tracks()
    expect(last).toContain('Ana, your accounts are paid')
    expect(arrived).toEqual(['3', '3'])
  })
})

describe('a webhook from the service', () => {
  const at = Date.parse('2026-03-30T09:00:00Z') / 1_000
  const told = (payload: object, delivery = 'dlv_1', key = webhookSecret) => {
    const body = JSON.stringify(payload)
    const signature = createHmac('sha256', key).update(`${delivery}.${at}.${body}`).digest('base64')
    const headers = { 'webhook-id': delivery, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${signature}` }
    return site.app.request('/webhooks', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
  }
  /** Listens for changes to this application, as a page does. Returns a function that waits for the next message. */
  async function listen() {
    const reader = (await site.app.request(`/news?of=${form.id}`)).body!.getReader()
    return async () => {
      for (;;) {
        const text = new TextDecoder().decode((await reader.read()).value)
        const [, told] = /^data: (\d+)$/m.exec(text) ?? []
        if (told) return Number(told)
      }
    }
  }
  const shown = async () => Number(/data-told="(\d+)"/.exec(await (await visit(desk)).text())?.[1])

  it('refreshes the pages of that application', async () => {
    const { session } = await reachTransfer()
    const next = await listen()
    expect(await next()).toBe(await shown())
    expect((await told({ id: session, type: 'opal_session.update' })).status).toBe(204)
    expect(await next()).toBe(1)
    expect(await shown()).toBe(1)
  })

  it('reaches a page that connects after it arrived', async () => {
    const { session } = await reachTransfer()
    const before = await shown()
    await told({ id: session, type: 'opal_session.update' })
    const next = await listen()
    expect(await next()).toBeGreaterThan(before)
  })

  it('about a payment is matched to its application', async () => {
    const { session, debts } = await reachTransfer()
    site.service.confirm(session, { [debts[0]]: 521_240 })
    await submit(`${desk}/release`)
    expect((await told({ id: site.service.payments[0]?.['id'], type: 'payment.update' })).status).toBe(204)
    expect(await (await listen())()).toBe(1)
  })

  it('is rejected without its signature', async () => {
    const { session } = await reachTransfer()
    expect((await told({ id: session, type: 'opal_session.update' }, 'dlv_1', 'another')).status).toBe(400)
  })

  it('is subscribed with a new secret at each start, once per type', async () => {
    const url = 'http://127.0.0.1:4300/webhooks'
    expect(await subscribeToWebhooks(site.causeway, url, 'first')).toBeNull()
    expect(await subscribeToWebhooks(site.causeway, url, 'second')).toBeNull()
    expect(site.service.calls('POST /webhooks').map(call => call.body['type'])).toEqual([
      'opal_session.update',
      'payment.update',
    ])
    expect(site.service.seen.filter(each => each.call.endsWith('/rotate')).map(each => each.body)).toEqual(
      Array(2).fill({ hmac_secret: 'second' }),
    )
  })
})

describe('the funding account', () => {
  it('is created once and reused after a restart', async () => {
    const first = await findFundingAccount(site.causeway)
    expect(await findFundingAccount(site.causeway)).toBe(first)
    expect(site.service.calls('POST /accounts')).toHaveLength(1)
  })
})
