/** Payments, their ends, and the ways in which the upper service learns about them. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { achNumbers } from '../../apps/api/dist/sandbox/tables/inputs.js'
import { verifyWebhook } from '../../packages/sdk/dist/index.js'
import { runAdmin } from '../torture/bank.mjs'
import { until } from './chain.mjs'
import { phones } from './phones.mjs'

const GOOD = '123456789'
const days = count => Array.from({ length: count }, () => 'P1D')

const pay = (above, source, destination, more = {}) =>
  above.payments.create({ source, destination, amount: 5_000, description: 'Loan', ...more })

/** Pays between two bank accounts, and waits until the lower service has the payment. */
async function payBank(chain, number = GOOD) {
  const source = await chain.bankAccount(number)
  const destination = await chain.bankAccount('555001')
  const { id } = await pay(chain.above, source, destination)
  const [below] = await until(
    () => chain.paymentsBelow(id),
    found => found.length > 0,
    `The payment ${id} at the upstream`,
  )
  return { id, below: below.id }
}

/** Moves the lower service's payment through these statuses. */
async function move({ below }, id, ...statuses) {
  for (const status of statuses)
    await below.simulate.payments.update(id, { status, ...(status === 'reversal_required' && { error_code: 10_009 }) })
}
const reach = ({ above }, id, status) =>
  until(
    () => above.payments.retrieve(id),
    payment => payment.status === status,
    `The status ${status} of ${id}`,
  )

/** Starts a customer's server. `events` are the verified ones that it received. */
async function startReceiver(secret) {
  const events = []
  const server = createServer(async (request, response) => {
    const parts = []
    for await (const part of request) parts.push(part)
    const body = Buffer.concat(parts).toString()
    events.push(await verifyWebhook({ body, headers: request.headers, secret }))
    response.writeHead(200).end()
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return { events, url: `http://127.0.0.1:${server.address().port}/hook`, close: () => server.close() }
}

export const cases = {
  async 'a payment to a debt is made once at the upstream, and is posted when it is posted there'(chain) {
    const { above, ours, advance, paymentsBelow } = chain
    const { accounts } = await ours.debtor(phones.payable)
    const { id, status } = await pay(above, await chain.bankAccount(GOOD), accounts[0], {
      fee: { type: 'total', amount: 100 },
    })
    assert.equal(status, 'pending')
    await until(
      () => paymentsBelow(id),
      found => found.length > 0,
      'A payment at the upstream',
    )
    for (const day of days(7)) await advance(day)
    const posted = await reach(chain, id, 'posted')
    const found = await paymentsBelow(id)
    assert.deepEqual(
      found.map(payment => [payment.amount, payment.fee, payment.status]),
      [[5_000, posted.fee, 'posted']],
    )
  },

  async 'the upstream refuses what its rail refuses, with the same error'(chain) {
    const { above, ours } = chain
    const refusing = achNumbers.filter(({ refuses }) => refuses)
    assert.ok(refusing.length > 0)
    const { accounts } = await ours.debtor(phones.payable)
    for (const { number, refuses } of refusing) {
      const source = await chain.bankAccount(number)
      const amount = (refuses.above ?? 1_000) + 1_000
      await assert.rejects(pay(above, source, accounts[0], { amount }), { sub_type: refuses.sub_type })
    }
    const unpayable = await ours.debtor(phones.unpaid)
    const debts = await Promise.all(unpayable.accounts.map(id => above.accounts.retrieve(id)))
    const { id } = debts.find(({ liability }) => liability.name === 'Citi Double Cash')
    await assert.rejects(pay(above, await chain.bankAccount(GOOD), id), { sub_type: 'PAYMENT_REFUSED_BY_RAIL' })
  },

  async 'a cancellation reaches the upstream, or is rejected because it is too late'(chain) {
    const { above, below } = chain
    const early = await payBank(chain)
    assert.equal((await above.payments.cancel(early.id)).status, 'canceled')
    assert.equal((await below.payments.retrieve(early.below)).status, 'canceled')
    const late = await payBank(chain)
    await move(chain, late.below, 'processing')
    await assert.rejects(above.payments.cancel(late.id), { sub_type: 'INVALID_STATUS' })
  },

  async 'a return is found by polling, and its reversal is approved at the upstream'(chain) {
    const { above, below, advance } = chain
    const { id, below: there } = await payBank(chain)
    await move(chain, there, 'processing', 'sent', 'reversal_required')
    await above.simulate.clock.advance('PT1H')
    const returned = await reach(chain, id, 'reversal_required')
    assert.equal(returned.error.code, 10_009)
    await above.payments.reversals.approve(id, returned.reversal_id)
    await until(
      () => below.payments.retrieve(there),
      ({ status }) => status === 'reversal_processing',
      'The approval at the upstream',
    )
    for (const day of days(5)) await advance(day)
    assert.equal((await below.payments.retrieve(there)).status, 'reversed')
    await reach(chain, id, 'reversed')
  },

  async 'a return reaches the customer by the webhooks of both services'(chain) {
    const { above, below } = chain
    const secret = 'the secret of the customer of the upper service'
    const receiver = await startReceiver(secret)
    try {
      await above.webhooks.create({ type: 'payment.update', url: receiver.url, hmac_secret: secret })
      const hook = await chain.connectHook()
      const { id, below: there } = await payBank(chain)
      await move(chain, there, 'processing', 'sent', 'reversal_required')
      const isTold = () => receiver.events.some(event => event.type === 'payment.update' && event.id === id)
      await reach(chain, id, 'reversal_required')
      await until(isTold, Boolean, 'A webhook of the upper service')
      await below.webhooks.delete(hook.id)
    } finally {
      receiver.close()
    }
  },
}

/** Cases with commands or with many payments. */
export const longCases = {
  async 'the doctor asks for the webhook until the upstream has it'(chain) {
    const doctor = async () => (await runAdmin(chain.stores.upper, chain.env, 'doctor')).output
    assert.match(await doctor(), /no active webhook for payment\.update/)
    const { id } = await chain.connectHook()
    assert.match(await doctor(), /reports payments by a webhook/)
    await chain.below.webhooks.delete(id)
  },

  async 'payments from every bank account end as they end at the upstream'(chain) {
    const { above, below, advance } = chain
    const numbers = achNumbers.filter(({ unknown, refuses }) => !unknown && !refuses)
    const made = []
    for (const { number } of numbers) made.push({ number, ...(await payBank(chain, number)) })
    for (const day of days(8)) await advance(day)
    const endings = async () => {
      const different = []
      for (const { number, id, below: there } of made) {
        const [ours, theirs] = [await above.payments.retrieve(id), await below.payments.retrieve(there)]
        const isCanceled = ours.error?.code === 10_001 && theirs.error?.code === 10_004
        if (!isCanceled && (ours.status !== theirs.status || ours.error?.code !== theirs.error?.code))
          different.push([number, ours.status, ours.error?.code, theirs.status, theirs.error?.code])
      }
      return different
    }
    await until(endings, ({ length }) => length === 0, 'The same ending of every payment')
  },
}
