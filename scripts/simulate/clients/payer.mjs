/** Creates payments, with doubled, reordered and late retries, and cancels some. */
import { achNumbers } from './inputs.mjs'

/** Rejections that are expected: an earlier failure blocked the account, or the cancellation came too late. */
const expectedRejections = new Set([
  'INVALID_SOURCE',
  'INVALID_SOURCE_HOLDER',
  'INVALID_SOURCE_CAPABILITIES',
  'INVALID_DESTINATION',
  'INVALID_STATUS',
  'INVALID_REVERSAL_STATUS',
  'PAYMENTS_STOPPED',
])

export function createPayer({ random, api, books, debtor, expect, isOver }) {
  const [good, ...others] = achNumbers.filter(each => !each.unknown && !each.refuses)
  const sources = new Map()
  const mine = []

  function isDone(reply, what) {
    if (reply.status === 200) return true
    expect(
      expectedRejections.has(reply.json?.error?.sub_type),
      `${what} was answered with ${reply.status}: ${reply.text.slice(0, 300)}`,
    )
    return false
  }

  /** Returns a random routing number with a valid check digit, because a blocked account number is not accepted again. */
  function someRouting() {
    const digits = [0, 6, 2, ...Array.from({ length: 5 }, () => random.whole(0, 9))]
    const sum = digits.reduce((total, digit, index) => total + digit * [3, 7, 1][index % 3], 0)
    return [...digits, (10 - (sum % 10)) % 10].join('')
  }

  async function sourceOf({ number }) {
    if (!sources.has(number)) {
      const holder = await api.post('/entities', { type: 'corporation', corporation: { name: 'Payer' } })
      const ach = { routing: someRouting(), number, type: 'checking' }
      const account = await api.post('/accounts', { holder_id: holder.json.id, ach })
      expect(account.status === 200, `an account was answered with ${account.status}: ${account.text.slice(0, 300)}`)
      sources.set(number, account.json.id)
    }
    return sources.get(number)
  }

  const acts = {
    async pay() {
      const kind = random.chance(0.6) ? good : random.pick(others)
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
        books.notePayment(reply.json)
      } else sources.delete(kind.number)
    },
    async cancel() {
      const reply = await api.ask('DELETE', `/payments/${random.pick(mine)}`)
      if (isDone(reply, 'a cancellation'))
        expect(reply.json.status === 'canceled', `a canceled payment is ${reply.json.status}`)
    },
    async read() {
      const reply = await api.ask('GET', `/payments/${random.pick(mine)}`)
      expect(reply.status === 200, `a payment was answered with ${reply.status}`)
    },
  }

  return async () => {
    while (!isOver()) {
      await acts[mine.length === 0 ? 'pay' : random.weighted({ pay: 6, cancel: 2, read: 1 })]()
      await api.pause(random.whole(100, 5_000))
    }
  }
}
