/** Creates payments, with doubled, reordered and late retries. Cancels, moves and reverses some. */
import { achNumbers } from './inputs.mjs'
import { createSource } from './setup.mjs'

/** Rejections that are expected: an earlier failure blocked the account, or the action came too late. */
const expectedRejections = new Set([
  'INVALID_SOURCE',
  'INVALID_SOURCE_HOLDER',
  'INVALID_SOURCE_CAPABILITIES',
  'INVALID_DESTINATION',
  'INVALID_STATUS',
  'INVALID_REVERSAL_STATUS',
  'PAYMENTS_STOPPED',
])

/** A part of the message that promises a cancellation. */
const PROMISE = 'The service will retry soon and cancel the payment'

const weights = { pay: 5, burst: 1, cancel: 2, regret: 2, read: 1, approve: 2 }

const [good, ...others] = achNumbers.filter(
  ({ unknown, refuses, comesBack }) => !unknown && !refuses && comesBack?.code !== 10006 && comesBack?.code !== 10008,
)

export function createPayer({ random, api, books, debtor, funds, expect, isOver, counts }) {
  const sources = new Map()
  const mine = []
  /** Payments that the rail cancels with 10004 when they are submitted, unless their creator is faster. */
  const doomed = new Set()

  function isDone(reply, what) {
    if (reply.status === 200) return true
    expect(
      expectedRejections.has(reply.json?.error?.sub_type),
      `${what} was answered with ${reply.status}: ${reply.text.slice(0, 300)}`,
    )
    return false
  }

  async function sourceOf({ number }) {
    if (!sources.has(number))
      sources.set(
        number,
        await (funds ? createSource(api, random, funds.number, funds.routing) : createSource(api, random, number)),
      )
    return sources.get(number)
  }

  const acts = {
    /** Sends several payments at the same moment, so that the service stores them with one commit. */
    async burst() {
      await Promise.all(Array.from({ length: random.whole(2, 12) }, () => acts.pay()))
    },
    async pay() {
      const kind = funds || random.chance(0.6) ? good : random.pick(others)
      const body = {
        source: await sourceOf(kind),
        destination: random.pick(debtor.accounts),
        amount: 1_000 + random.whole(0, 90_000),
        description: 'simulated',
        ...(random.chance(0.2) && { fee: { type: 'total', amount: 100 } }),
      }
      const reply = await api.post('/payments', body)
      if (isDone(reply, 'a payment')) {
        mine.push(reply.json.id)
        if (!funds && kind.submit === 10004) doomed.add(reply.json.id)
        books.notePayment(reply.json)
      } else sources.delete(kind.number)
    },
    /** Cancels a payment. Some clients don't repeat the request if it fails. */
    async cancel(id = random.pick(mine)) {
      const isImpatient = random.chance(0.5)
      const reply = await api.ask('DELETE', `/payments/${id}`, undefined, { isImpatient })
      if (isImpatient && (reply === null || reply.status === 503)) {
        if (reply?.text.includes(PROMISE) && !doomed.has(id)) books.notePromised(id)
        return
      }
      if (!isDone(reply, 'a cancellation')) return
      expect(reply.json.status === 'canceled', `a canceled payment is ${reply.json.status}`)
      if (doomed.has(id) && reply.json.error?.code === 10004) return
      expect(reply.json.error === null, `a payment that its creator canceled has the error ${reply.json.error?.code}`)
      books.noteCanceled(id)
      counts.canceled += 1
    },
    /** Creates a payment and cancels it at once, while the service submits it. */
    async regret() {
      const { length } = mine
      await acts.pay()
      if (mine.length > length) await acts.cancel(mine.at(-1))
    },
    async read() {
      const reply = await api.ask('GET', `/payments/${random.pick(mine)}`)
      expect(reply.status === 200, `a payment was answered with ${reply.status}`)
    },
    /** Approves the return of a payment that must be reversed. */
    async approve() {
      const { json } = await api.ask('GET', '/payments?status=reversal_required&page_limit=20')
      if (json.data.length === 0) return
      const payment = random.pick(json.data)
      const path = `/payments/${payment.id}/reversals/${payment.reversal_id}`
      if (isDone(await api.ask('PUT', path, { status: 'pending' }), 'an approval')) counts.approved += 1
    },
  }

  return async () => {
    while (!isOver()) {
      await acts[mine.length === 0 ? 'pay' : random.weighted(weights)]()
      await api.pause(random.whole(50, 2_500))
    }
  }
}
