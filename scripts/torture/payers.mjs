/** Clients that create payments and, until stopped, perform every possible action on those payments. */
import { randomUUID } from 'node:crypto'
import { achNumbers } from '../../apps/api/dist/sandbox/tables/inputs.js'
import { someMove } from './books.mjs'
import { allocate } from './lender.mjs'

const pause = ms => new Promise(resolve => setTimeout(resolve, ms))
const oneOf = list => list[Math.floor(Math.random() * list.length)]

/**
 * Source accounts, grouped by the outcome of their payments. Most payments use the good source. Payments from the other
 * sources fail or are returned, in full or in part.
 */
const sources = achNumbers.filter(
  ({ unknown, refuses, comesBack }) => !unknown && !refuses && comesBack?.code !== 10006 && comesBack?.code !== 10008,
)
const [good, ...others] = sources.map(({ number }) => number)
const picky = achNumbers.find(({ refuses }) => refuses?.sub_type === 'MAX_AMOUNT_EXCEEDED').number
/**
 * Returns a random routing number with a valid check digit. A bank does not accept a blocked account number again, so
 * each account gets its own bank.
 */
function someRouting() {
  const digits = [0, 6, 2, ...Array.from({ length: 5 }, () => Math.floor(Math.random() * 10))]
  const sum = digits.reduce((total, digit, index) => total + digit * [3, 7, 1][index % 3], 0)
  return [...digits, (10 - (sum % 10)) % 10].join('')
}

/** Expected rejections: an earlier failure blocked the account, or the action came too late. */
const expected = new Set([
  'INVALID_SOURCE',
  'INVALID_SOURCE_HOLDER',
  'INVALID_SOURCE_CAPABILITIES',
  'INVALID_STATUS',
  'INVALID_REVERSAL_STATUS',
])

/**
 * @param crew the processes to call
 * @param books the record of their responses
 * @param debtor `{ entity, accounts }`
 */
export function createPayers({ crew, books, debtor, expect }) {
  /** Responses by key, and responses to releases by session. */
  const answers = new Map()
  const releases = new Map()
  const counts = { paid: 0, canceled: 0, moved: 0, approved: 0, released: 0, refused: 0 }

  function judge(reply, what) {
    if (reply.status === 200) return true
    const code = reply.json?.error?.sub_type
    expect(expected.has(code), `${what} returned ${reply.status}: ${reply.text}`)
    counts.refused += 1
    return false
  }

  /** Sends a POST with a new key, and repeats the request until a response arrives. */
  async function post(path, body) {
    const key = randomUUID()
    const reply = await crew.ask('POST', path, body, key)
    answers.set(key, { path, body, status: reply.status, text: reply.text })
    return { ...reply, key }
  }

  async function openSource(number) {
    const holder = await post('/entities', { type: 'corporation', corporation: { name: 'Payer' } })
    expect(holder.status === 200, `an entity request returned ${holder.status}: ${holder.text}`)
    const ach = { routing: someRouting(), number, type: 'checking' }
    const account = await post('/accounts', { holder_id: holder.json.id, ach })
    expect(account.status === 200, `an account request returned ${account.status}: ${account.text}`)
    return account.json?.id
  }

  const acts = {
    async pay(own) {
      const number = Math.random() < 0.6 ? good : oneOf(others)
      if (!own.has(number)) own.set(number, await openSource(number))
      const key = randomUUID()
      const body = {
        source: own.get(number),
        destination: oneOf(debtor.accounts),
        amount: 1_000 + Math.floor(Math.random() * 90_000),
        description: 'torture',
        metadata: { key },
        ...(Math.random() < 0.2 ? { fee: { type: 'total', amount: 100 } } : {}),
      }
      const begun = performance.now()
      // One in ten requests is sent twice at the same time, as with a double click.
      const times = Math.random() < 0.1 ? 2 : 1
      const replies = await Promise.all(Array.from({ length: times }, () => crew.ask('POST', '/payments', body, key)))
      const [reply, other] = replies
      expect(!other || other.text === reply.text, 'one key received two different responses')
      answers.set(key, { path: '/payments', body, status: reply.status, text: reply.text })
      if (judge(reply, 'a payment')) {
        counts.paid += 1
        books.note(reply.json, begun)
      } else own.delete(number)
    },

    async look() {
      const id = books.some()
      const begun = performance.now()
      const reply = await crew.ask('GET', `/payments/${id}`)
      expect(reply.status === 200, `a payment request returned ${reply.status}`)
      if (reply.status === 200) books.note(reply.json, begun)
      return reply.json
    },

    async cancel() {
      const begun = performance.now()
      const reply = await crew.ask('DELETE', `/payments/${books.some()}`)
      if (!judge(reply, 'a cancel')) return
      expect(reply.json.status === 'canceled', `a payment was canceled, but is ${reply.json.status}`)
      counts.canceled += 1
      books.note(reply.json, begun)
    },

    async move() {
      const { id, status } = await acts.look()
      const to = someMove(status)
      if (!to || to === 'canceled') return
      const begun = performance.now()
      const reply = await post(`/simulate/payments/${id}`, { status: to, error_code: oneOf([10009, 10010]) })
      if (!judge(reply, `a move to ${to}`)) return
      expect(reply.json.status === to, `a payment was moved to ${to}, but is ${reply.json.status}`)
      counts.moved += 1
      books.note(reply.json, begun)
    },

    async approve() {
      const begun = performance.now()
      const { json } = await crew.ask('GET', '/payments?status=reversal_required&page_limit=20')
      const payment = oneOf(json.data)
      if (!payment) return
      books.note(payment, begun)
      const reply = await crew.ask('PUT', `/payments/${payment.id}/reversals/${payment.reversal_id}`, {
        status: 'pending',
      })
      if (!judge(reply, 'an approval')) return
      counts.approved += 1
      books.note({ ...payment, status: 'reversal_processing' }, begun)
    },

    /** Confirms a balance transfer that two clients release at the same time. Half of its payments are rejected. */
    async release(own) {
      if (!own.has(picky)) own.set(picky, await openSource(picky))
      const made = await post('/elements/token', {
        type: 'balance_transfer',
        entity_id: debtor.entity,
        balance_transfer: { loan_amount: 1_000_000, residual_amount_max: 1_000_000 },
      })
      const session = made.json?.session_id
      expect(session !== undefined, `a token request returned ${made.status}: ${made.text}`)
      if (!session) return
      const allocations = allocate(debtor.accounts)
      const confirmed = await post(`/simulate/opal/sessions/${session}`, { allocations })
      expect(confirmed.status === 200, `a confirmation returned ${confirmed.status}: ${confirmed.text}`)
      const body = { action: 'release_payments', data: { source: own.get(picky) } }
      const [keyed, bare] = await Promise.all([
        post(`/opal/sessions/${session}`, body),
        crew.ask('POST', `/opal/sessions/${session}`, body),
      ])
      if (!judge(keyed, 'a release') || !judge(bare, 'a release')) return
      const told = JSON.stringify(keyed.json.data.bt.payment_ids)
      expect(
        told === JSON.stringify(bare.json.data.bt.payment_ids),
        'a release returned different payments to two callers',
      )
      releases.set(session, told)
      counts.released += 1
    },
  }

  /** The relative frequency of each action. */
  const often = [
    ['pay', 50],
    ['look', 8],
    ['cancel', 14],
    ['move', 14],
    ['approve', 8],
    ['release', 6],
  ].flatMap(([name, share]) => Array(share).fill(name))

  return {
    answers,
    releases,
    counts,
    /** Runs one client. @param over returns true if the client must stop */
    async client(over) {
      const own = new Map()
      while (!over()) {
        const name = books.payments.size === 0 ? 'pay' : oneOf(often)
        await acts[name](own)
        await pause(Math.random() * 400)
      }
    },
    /** Repeatedly advances the clock, by several hours or a day, until the run ends. */
    async clock(over) {
      for (; !over(); await pause(1_500 + Math.random() * 1_500)) {
        const reply = await post('/simulate/clock', { advance: `PT${1 + Math.floor(Math.random() * 26)}H` })
        expect(reply.status === 200, `a clock request returned ${reply.status}: ${reply.text}`)
      }
    },
  }
}
