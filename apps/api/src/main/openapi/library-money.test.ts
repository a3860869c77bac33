/** Tests payments and events with an existing server library. See testing/library.ts. */
import { createHmac } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { common, expectRefusal, keys, keysOf, library, startLender } from '../../testing/library.js'

const lender = await startLender()
const method = lender.method
const source = (await lender.source()).id
const card = (await lender.connected()).accounts.find(account => account.products.includes('payment'))!.id
// Advances the clock, so that codes can be sent to the same number again.
beforeEach(() => lender.service.advance(3_600_001))

const pay = (amount = 5_000, more: object = {}) =>
  method.payments.create({ amount, source, destination: card, description: 'Loan', ...more })
const move = (id: string, status: string, error_code?: number) =>
  method.simulate.payments.update(id, { status, ...(error_code ? { error_code } : {}) } as never)
/** Creates a payment that is returned after it arrives. */
async function returned() {
  const { id } = await pay()
  for (const status of ['processing', 'sent', 'posted']) await move(id, status)
  return move(id, 'reversal_required', 10009)
}

describe('payments', () => {
  it('can be validated without being created', async () => {
    const tried = await pay(4_321, { dry_run: true })
    expect(tried).toMatchObject({ amount: 4_321, status: 'pending' })
    expect((await method.payments.list({ source })).map(payment => payment.amount)).not.toContain(4_321)
  })

  it('have a fee', async () => {
    const made = await pay(5_000, { fee: { type: 'total', amount: 100 } })
    expect((await method.payments.retrieve(made.id)).fee).toEqual({ type: 'total', amount: 100 })
  })

  it("are found by each of the library's filters", async () => {
    const { id } = await pay(6_001)
    const { holder_id } = await method.accounts.retrieve(source)
    for (const filter of [
      { source },
      { destination: card },
      { acc_id: card },
      { source_holder_id: holder_id },
      { holder_id },
      { status: 'pending' },
      { type: 'standard' },
    ])
      expect((await method.payments.list(filter)).map(payment => payment.id)).toContain(id)
    expect(await method.payments.list({ source, status: 'cashed' })).toEqual([])
  })

  it.each(['pending', 'processing', 'sent', 'posted'])(
    'with status %s are returned, for every direction of the money',
    async at => {
      const { id } = await pay()
      for (const status of ['processing', 'sent', 'posted'].slice(
        0,
        ['pending', 'processing', 'sent', 'posted'].indexOf(at),
      ))
        await move(id, status)
      const told = await method.payments.retrieve(id)
      expect(told.status).toBe(at)
      expect(Object.values(library.PaymentStatuses)).toEqual(
        expect.arrayContaining([told.source_status, told.destination_status]),
      )
      expect(Object.values(library.PaymentFundStatuses)).toContain(told.fund_status)
    },
  )

  it('are rejected below one cent, and the error names the field', async () => {
    expect(await expectRefusal(pay(0))).toMatchObject({ code: 400, type: 'INVALID_REQUEST' })
  })
})

describe('reversals', () => {
  it('await approval, are approved once, and return the money', async () => {
    const payment = await returned()
    const { reversals } = method.payments(payment.id)
    const [waiting] = await reversals.list()
    expect(keysOf(waiting)).toEqual(
      keys(`id pmt_id target_account trace_id direction description amount status ${common}`),
    )
    expect(waiting).toMatchObject({ id: payment.reversal_id, status: 'pending_approval', amount: 5_000 })
    expect(await reversals.retrieve(waiting!.id)).toEqual(waiting)
    const approved = await reversals.update(waiting!.id, { status: 'pending', description: 'Back' })
    expect(approved).toMatchObject({ id: waiting!.id, status: 'pending', description: 'Back' })
    expect(await expectRefusal(reversals.update(waiting!.id, { status: 'pending' }))).toMatchObject({
      sub_type: 'INVALID_REVERSAL_STATUS',
    })
    expect(await method.payments.list({ reversal_id: waiting!.id })).toMatchObject([{ id: payment.id }])
    await move(payment.id, 'reversed')
    expect(await reversals.retrieve(waiting!.id)).toMatchObject({ status: 'sent' })
  })
})

describe('events', () => {
  it('for a payment are listed with the changes, and retrieved', async () => {
    const { id } = await pay()
    await move(id, 'processing')
    const listed = await method.events.list({ resource_id: id })
    expect(keysOf(listed[0])).toEqual(keys('id type resource_id resource_type data diff created_at updated_at'))
    expect(listed.map(event => event.type)).toEqual(['payment.update', 'payment.create'])
    expect(listed[0]).toMatchObject({ diff: { before: { status: 'pending' }, after: { status: 'processing' } } })
    expect(await method.events.retrieve(listed[1]!.id)).toEqual(listed[1])
    const created = await method.events.list({ type: 'payment.create' })
    expect(created.every(event => event.type === 'payment.create')).toBe(true)
    expect(created.map(event => event.resource_id)).toContain(id)
  })

  it('can be simulated for a person', async () => {
    const entity_id = await lender.verified()
    await method.entities(entity_id).connect.create()
    await lender.service.settle()
    await method.entities(entity_id).subscriptions.create('connect')
    await method.simulate.events.create({ type: 'account.opened', entity_id } as never)
    const [told] = await method.events.list({ type: 'account.opened' as never })
    expect(told).toMatchObject({ type: 'account.opened', resource_type: 'account' })
  })
})

describe('webhooks', () => {
  let receiver: Server
  let arrived: { headers: IncomingMessage['headers']; body: string }[] = []
  beforeAll(async () => {
    receiver = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      arrived.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
      response.writeHead(204).end()
    })
    await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => new Promise(resolve => receiver.close(resolve)))

  it("arrive signed, with the library's names", async () => {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`
    const hmac_secret = 'a long secret of this lender'
    const made = await method.webhooks.create({ type: 'payment.update', url, hmac_secret } as never)
    expect(made).not.toHaveProperty('hmac_secret')
    const { id } = await pay()
    arrived = []
    await move(id, 'processing')
    await lender.service.settle()
    const [first] = arrived.filter(({ body }) => JSON.parse(body).id === id)
    expect(JSON.parse(first!.body)).toMatchObject({ id, type: 'payment.update' })
    const at = first!.headers['webhook-timestamp']
    const signed = `${first!.headers['webhook-id']}.${at}.${first!.body}`
    const signature = createHmac('sha256', hmac_secret).update(signed).digest('base64')
    expect(first!.headers['webhook-signature']).toContain(`v1,${signature}`)
    await method.webhooks.delete(made.id)
    expect(await expectRefusal(method.webhooks.retrieve(made.id))).toMatchObject({ code: 404 })
  })
})

describe('reports', () => {
  it.each(Object.values(library.ReportTypes))('%s is created, shown and downloaded as rows', async type => {
    const made = await method.reports.create({ type, metadata: { of: 'today' } })
    expect(keysOf(made)).toEqual(keys('id type url status metadata created_at updated_at'))
    await lender.service.settle()
    expect(await method.reports.retrieve(made.id)).toMatchObject({ id: made.id, type, status: 'completed' })
    const rows = await method.reports.download(made.id)
    expect(rows.split('\n')[0]).toContain('id')
  })
})

describe('simulations', () => {
  it('make a purchase with a card that is verified and subscribed', async () => {
    const entity = await lender.verified('+15121231111')
    await method.entities(entity).connect.create()
    await lender.service.settle()
    const held = await method.accounts.list({ holder_id: entity } as never)
    const citi = held.find(account => account.liability?.mask === '7102')!
    const of = method.accounts(citi.id)
    const session = await of.verificationSessions.create({ type: 'network' } as never)
    const network = {
      number: '4000000000007102',
      exp_month: '09',
      exp_year: '2028',
      cvv: '539',
      billing_zip_code: '78758',
    }
    await of.verificationSessions.update(session.id, { network } as never)
    await of.subscriptions.create('transaction')
    const bought = await method.simulate.accounts(citi.id).transactions.create()
    expect(await of.transactions.retrieve(bought.id)).toEqual(bought)
    expect(await of.transactions.list()).toEqual([bought])
  })
})

describe('the Opal flow', () => {
  // The library declares these configuration types but does not export them.
  const configs: Record<string, () => object> = {
    identity_verification: () => ({ skip_pii: ['ssn_4'] }),
    connect: () => ({ selection_type: 'all', account_filters: { exclude: { mch_ids: ['mch_302086'] } } }),
    card_connect: () => ({ selection_type: 'single' }),
    account_verification: () => ({ account_id: card }),
    transactions: () => ({}),
  }
  it.each(Object.keys(configs))('starts in mode %s', async mode => {
    const { holder_id } = await method.accounts.retrieve(card)
    const made = await method.opal.token.create({ mode, entity_id: holder_id, [mode]: configs[mode]!() } as never)
    expect(keysOf(made)).toEqual(['session_id', 'token', 'valid_until'])
  })
})
