import { createHmac } from 'node:crypto'
import { Causeway } from '@causeway/sdk'
import { beforeEach, describe, expect, it } from 'vitest'
import { createApp } from './app.js'
import { readForm } from './applications.js'
import { findFunding } from './funding.js'
import { subscribe } from './news.js'
import { createFakeService } from './testing/service.js'

let service: ReturnType<typeof createFakeService>
let causeway: Causeway
let app: ReturnType<typeof createApp>
let cookie = ''
const secret = 'what webhooks are signed with'

beforeEach(async () => {
  service = createFakeService()
  causeway = new Causeway({
    apiKey: 'sk_test',
    baseUrl: 'http://service.test',
    maxRetries: 0,
    fetch: async (input, init) => service.app.request(String(input), init),
  })
  app = createApp({
    causeway,
    frameOrigin: 'http://localhost:4100',
    funding: await findFunding(causeway),
    webhookSecret: secret,
    newId: () => crypto.randomUUID(),
    now: () => new Date('2026-03-30T09:00:00Z'),
  })
  cookie = (await app.request('/')).headers.get('Set-Cookie')?.split(';')[0] ?? ''
})

const visit = (path: string, headers: Record<string, string> = { cookie }) => app.request(path, { headers })
const submit = (path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  app.request(path, {
    method: 'POST',
    headers: { cookie, 'Sec-Fetch-Site': 'same-origin', Accept: 'text/html', ...headers },
    body: new URLSearchParams(fields),
  })
const ask = (path: string) =>
  app.request(path, { method: 'POST', headers: { cookie, 'Sec-Fetch-Site': 'same-origin' } })

const form = {
  id: '11111111-1111-4111-8111-111111111111',
  first_name: 'Ana',
  last_name: 'Rivera',
  phone: '(512) 555-0100',
  amount: '10,000',
}
const page = `/applications/${form.id}`
const desk = `/operations/${form.id}`
const borrower = () => service.entities.find(entity => entity['type'] === 'individual')?.['id'] as string

/** Applies, links two debts and opens the balance transfer; answers the ids of session and debts. */
async function reachTransfer() {
  await submit('/applications', form)
  const debts = service.link(borrower())
  await ask(`${page}/tokens/transfer`)
  return { session: [...service.sessions.keys()][0] as string, debts }
}

describe('applying', () => {
  it('reads a phone and an amount as people type them', () => {
    expect(readForm({ ...form, phone: '+1 512.555-0100', amount: '$12,500.50' })).toEqual({
      phone: '+15125550100',
      loan_amount: 1_250_050,
      errors: {},
    })
  })

  it.each([['999.99'], ['50,000.01'], ['ten'], ['1e4'], ['']])('asks for another amount than %j', amount => {
    expect(readForm({ ...form, amount }).errors.amount).toMatch(/\$1,000 to \$50,000/)
  })

  it('makes one entity when the form is sent twice at once', async () => {
    const answers = await Promise.all([submit('/applications', form), submit('/applications', form)])
    expect(answers.map(answer => [answer.status, answer.headers.get('Location')])).toEqual([
      [303, page],
      [303, page],
    ])
    const keys = service.calls('POST /entities').map(call => call.key)
    expect(keys.slice(1)).toEqual([`application-${form.id}`, `application-${form.id}`])
  })

  it('keeps what was typed and says what is wrong', async () => {
    const answer = await submit('/applications', { ...form, phone: '12', first_name: '<b>Ana' })
    const text = await answer.text()
    expect(answer.status).toBe(400)
    expect(text).toContain('value="&lt;b&gt;Ana"')
    expect(text).toContain('Enter a United States phone number')
    expect(service.calls('POST /entities')).toHaveLength(1)
  })

  it('shows an application to the browser that made it alone', async () => {
    await submit('/applications', form)
    expect((await visit(page)).status).toBe(200)
    expect((await visit(page, { cookie: 'borrower=another' })).status).toBe(404)
    const token = await app.request(`${page}/tokens/connect`, {
      method: 'POST',
      headers: { 'Sec-Fetch-Site': 'same-origin' },
    })
    expect(token.status).toBe(404)
  })

  it('refuses a form that another site sent', async () => {
    const answer = await submit('/applications', form, { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.test' })
    expect(answer.status).toBe(403)
    expect(service.entities).toHaveLength(1)
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
  it('gets a new token for the same session each time, and one session for two clicks at once', async () => {
    await submit('/applications', form)
    const first = await Promise.all([ask(`${page}/tokens/transfer`), ask(`${page}/tokens/transfer`)])
    const tokens = await Promise.all([...first, await ask(`${page}/tokens/transfer`)].map(answer => answer.json()))
    expect(new Set(tokens.map(({ token }) => token)).size).toBe(3)
    expect(service.sessions.size).toBe(1)
    const [opened] = service.calls('POST /elements/token')
    expect(opened?.body).toMatchObject({
      type: 'balance_transfer',
      entity_id: borrower(),
      balance_transfer: { loan_amount: 1_000_000, minimum_payment: 2_500, residual_amount_max: 150_000 },
    })
  })

  it('does not believe a browser that says the borrower confirmed', async () => {
    const { session, debts } = await reachTransfer()
    expect((await ask(`${page}/confirmed`)).status).toBe(409)
    service.confirm(session, { [debts[0]]: 521_240, [debts[1]]: 350_000 })
    const answer = await ask(`${page}/confirmed`)
    expect(await answer.json()).toEqual({ accounts: 2, total: 871_240 })
  })

  it('does not accept more than was lent', async () => {
    const { session, debts } = await reachTransfer()
    service.confirm(session, { [debts[0]]: 1_000_001 })
    expect((await ask(`${page}/confirmed`)).status).toBe(409)
  })

  it('shows the borrower what was confirmed, after any reload', async () => {
    const { session, debts } = await reachTransfer()
    service.confirm(session, { [debts[0]]: 521_240, [debts[1]]: 0 })
    const text = await (await visit(page)).text()
    expect(text).toContain('Chase Sapphire Reserve ··\u00a01580')
    expect(text).toContain('$5,212.40')
    expect(text).not.toContain('Capital One Venture')
  })
})

describe('operations', () => {
  it('cannot release before the borrower confirmed, and says why', async () => {
    await reachTransfer()
    const answer = await submit(`${desk}/release`)
    expect(answer.status).toBe(409)
    const text = await answer.text()
    expect(text).toContain('BT_NO_ALLOCATIONS')
    expect(text).toMatch(/<button class="button" type="submit" disabled>/)
  })

  it('releases from the funding account and shows each payment move with the clock', async () => {
    const { session, debts } = await reachTransfer()
    service.confirm(session, { [debts[0]]: 521_240, [debts[1]]: 350_000 })
    expect((await submit(`${desk}/release`)).status).toBe(303)
    const [release] = service.calls(`POST /opal/sessions/${session}`)
    expect(release?.body).toEqual({ action: 'release_payments', data: { source: service.payments[0]?.['source'] } })
    expect((await (await visit(desk)).text()).match(/badge calm">pending/g)).toHaveLength(2)

    expect((await submit(`${desk}/clock`, { advance: 'P1D' })).status).toBe(303)
    expect(service.calls('POST /simulate/clock')[0]?.body).toEqual({ advance: 'P1D' })
    expect((await (await visit(desk)).text()).match(/badge busy">processing/g)).toHaveLength(2)
  })

  it('takes no other duration than its buttons', async () => {
    await submit('/applications', form)
    await submit(`${desk}/clock`, { advance: 'P1000Y' })
    expect(service.calls('POST /simulate/clock')[0]?.body).toEqual({ advance: 'P1D' })
  })

  describe('what a release did not pay', () => {
    const attemptOn = async () => /name="attempt" value="(\d+)"/.exec(await (await visit(desk)).text())?.[1] ?? ''
    async function releasePart() {
      const { session, debts } = await reachTransfer()
      service.confirm(session, { [debts[0]]: 455_000, [debts[1]]: 245_000 })
      service.refusing.add(debts[1])
      await submit(`${desk}/release`)
      return { session, debts }
    }

    it('is shown to the staff and to the borrower, and not as a success', async () => {
      await releasePart()
      const text = await (await visit(desk)).text()
      expect(text).toContain('PAYMENT_REFUSED_BY_RAIL')
      expect(text).toContain('$2,450.00 was not paid.')
      expect(text).toContain('Partly paid')
      expect(await (await visit('/operations')).text()).toContain('Partly paid')
      const own = await (await visit(page)).text()
      expect(own).toContain('there is news about your loan')
      expect(own).toContain('not every payment went through')
      expect(own).toContain('Not made')
      expect(own).not.toContain('PAYMENT_REFUSED_BY_RAIL')
    })

    it.each([
      ['reversal_required', 'Sent back'],
      ['partially_reversed', 'Sent back'],
      ['failed', 'Not made'],
    ])('is not a success either where a payment is %s later', async (status, standing) => {
      const { session, debts } = await reachTransfer()
      service.confirm(session, { [debts[0]]: 455_000, [debts[1]]: 245_000 })
      await submit(`${desk}/release`)
      expect(await (await visit(page)).text()).toContain('the payments are on their way')
      service.payments.find(({ destination }) => destination === debts[1])!['status'] = status
      const own = await (await visit(page)).text()
      for (const part of ['there is news about your loan', 'not every payment went through', standing])
        expect(own).toContain(part)
    })

    it('is paid with one press, of which a second does nothing', async () => {
      const { session, debts } = await releasePart()
      service.refusing.clear()
      const attempt = await attemptOn()
      await Promise.all([submit(`${desk}/rest`, { attempt }), submit(`${desk}/rest`, { attempt })])
      await submit(`${desk}/rest`, { attempt })
      const later = service.payments.filter(payment => payment['destination'] === debts[1])
      expect(later).toMatchObject([{ amount: 245_000, metadata: { session_id: session } }])
      expect(new Set(service.calls('POST /payments').map(call => call.key)).size).toBe(1)
      const text = await (await visit(desk)).text()
      expect(text).toContain('Sent $2,450.00 to Capital One Venture')
      expect(text).toContain('Paid after the release.')
      expect(text).not.toContain('Pay the rest')
      expect(await (await visit(page)).text()).toContain('the payments are on their way')
    })

    it('that is refused again says so, and can be tried again with another key', async () => {
      await releasePart()
      await submit(`${desk}/rest`, { attempt: await attemptOn() })
      expect(await (await visit(desk)).text()).toMatch(/was refused again\. <strong>PAYMENT_REFUSED_BY_RAIL/)
      service.refusing.clear()
      await submit(`${desk}/rest`, { attempt: await attemptOn() })
      expect(new Set(service.calls('POST /payments').map(call => call.key)).size).toBe(2)
      expect(await (await visit(desk)).text()).toContain('Sent $2,450.00 to Capital One Venture')
    })
  })

  it('names a payment that could not be made', async () => {
    const { session, debts } = await reachTransfer()
    service.confirm(session, { [debts[0]]: 5_000 })
    const error = { type: 'INVALID_REQUEST', code: 400, sub_type: 'PAYMENT_REFUSED_BY_RAIL', message: 'Refused.' }
    const nothing = {
      payout_status: 'released',
      payment_ids: { [debts[0]]: null },
      payment_errors: { [debts[0]]: error },
    }
    Object.assign(service.sessions.get(session)?.bt ?? {}, nothing)
    expect(await (await visit(desk)).text()).toContain('PAYMENT_REFUSED_BY_RAIL: Refused.')
  })
})

describe('what the service tells', () => {
  const at = Date.parse('2026-03-30T09:00:00Z') / 1_000
  const told = (payload: object, delivery = 'dlv_1', key = secret) => {
    const body = JSON.stringify(payload)
    const signature = createHmac('sha256', key).update(`${delivery}.${at}.${body}`).digest('base64')
    const headers = { 'webhook-id': delivery, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${signature}` }
    return app.request('/webhooks', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
  }
  /** What a page of this application that listens is told, one after the other. */
  async function listen() {
    const reader = (await app.request(`/news?of=${form.id}`)).body!.getReader()
    return async () => {
      for (;;) {
        const text = new TextDecoder().decode((await reader.read()).value)
        const [, told] = /^data: (\d+)$/m.exec(text) ?? []
        if (told) return Number(told)
      }
    }
  }
  const shown = async () => Number(/data-told="(\d+)"/.exec(await (await visit(desk)).text())?.[1])

  it('makes the pages of that application look again', async () => {
    const { session } = await reachTransfer()
    const next = await listen()
    expect(await next()).toBe(await shown())
    expect((await told({ id: session, type: 'opal_session.update' })).status).toBe(204)
    expect(await next()).toBe(1)
    expect(await shown()).toBe(1)
  })

  it('reaches a page that was not listening yet when it came', async () => {
    const { session } = await reachTransfer()
    const before = await shown()
    await told({ id: session, type: 'opal_session.update' })
    const next = await listen()
    expect(await next()).toBeGreaterThan(before)
  })

  it('of a payment is asked back to whom it belongs', async () => {
    const { session, debts } = await reachTransfer()
    service.confirm(session, { [debts[0]]: 521_240 })
    await submit(`${desk}/release`)
    expect((await told({ id: service.payments[0]?.['id'], type: 'payment.update' })).status).toBe(204)
    expect(await (await listen())()).toBe(1)
  })

  it('is not believed without its signature', async () => {
    const { session } = await reachTransfer()
    expect((await told({ id: session, type: 'opal_session.update' }, 'dlv_1', 'another')).status).toBe(400)
  })

  it('is asked for with a secret of this start, once for each type', async () => {
    const url = 'http://127.0.0.1:4300/webhooks'
    expect(await subscribe(causeway, url, 'first')).toBeNull()
    expect(await subscribe(causeway, url, 'second')).toBeNull()
    expect(service.calls('POST /webhooks').map(call => call.body['type'])).toEqual([
      'opal_session.update',
      'payment.update',
    ])
    expect(service.seen.filter(each => each.call.endsWith('/rotate')).map(each => each.body)).toEqual(
      Array(2).fill({ hmac_secret: 'second' }),
    )
  })
})

describe('the funding account', () => {
  it('is made once and found again by a later start', async () => {
    const first = await findFunding(causeway)
    expect(await findFunding(causeway)).toBe(first)
    expect(service.calls('POST /accounts')).toHaveLength(1)
  })
})
