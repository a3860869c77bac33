/**
 * Records the payments that clients received in responses, and checks that later responses are consistent with them.
 */

/**
 * The statuses that a payment can have after each status, according to the contract. The list is repeated here so that
 * the service is not checked against its own table.
 */
const next = {
  pending: ['processing', 'canceled'],
  processing: ['sent', 'failed'],
  sent: ['posted', 'cashed', 'settled', 'reversal_required', 'reversal_processing', 'partial_reversal_processing'],
  posted: ['settled', 'reversal_required', 'reversal_processing', 'partial_reversal_processing'],
  reversal_required: ['reversal_processing'],
  reversal_processing: ['reversed', 'settled'],
  partial_reversal_processing: ['partially_reversed'],
}

/** True if a payment in one status can later reach another status. */
function leads(from, to) {
  const seen = new Set([from])
  for (const status of seen) for (const each of next[status] ?? []) seen.add(each)
  return seen.has(to)
}

/** Returns a random status that a payment in the given status can change to. */
export const someMove = status => {
  const ways = (next[status] ?? []).filter(each => each !== 'cashed')
  return ways[Math.floor(Math.random() * ways.length)]
}

/** The number of recent payments that clients read, change and cancel. */
const RECENT = 500
/** The fields of a payment that never change. */
const fixed = ['id', 'source', 'destination', 'amount', 'description', 'fee', 'metadata', 'created_at']
const same = (one, other) => fixed.every(field => JSON.stringify(one[field]) === JSON.stringify(other[field]))

/**
 * Calls `expect(holds, sentence)` for every response. `holds` is false if the response contradicts an earlier one.
 */
export function createBooks(expect) {
  /** For each payment id: the payment as first returned, every returned status, and the latest status with its time. */
  const payments = new Map()
  const recent = []
  return {
    payments,
    /** @param begun the time at which the request was sent, from `performance.now()` */
    note(payment, begun) {
      const known = payments.get(payment.id)
      const last = { status: payment.status, at: performance.now() }
      if (!known) {
        recent.push(payment.id)
        if (recent.length > RECENT) recent.shift()
        payments.set(payment.id, { first: payment, told: new Set([payment.status]), last })
        return
      }
      expect(same(known.first, payment), 'a payment was returned with different contents than before')
      // If a request was sent before the latest response arrived, its own response can contain an older status.
      if (begun > known.last.at)
        expect(
          leads(known.last.status, payment.status),
          `a payment was ${known.last.status} and then ${payment.status}`,
        )
      known.told.add(payment.status)
      if (leads(known.last.status, payment.status)) known.last = last
    },
    /** Returns a random recent payment. */
    some: () => recent[Math.floor(Math.random() * recent.length)],
    /**
     * Compares all recorded responses with the service's current payments.
     * @param now the current payments, keyed by id
     */
    compare(now) {
      for (const [id, { first, told }] of payments) {
        const payment = now.get(id)
        expect(payment !== undefined, 'an acknowledged payment is missing')
        if (!payment) continue
        expect(same(first, payment), 'a payment has different contents than the acknowledged ones')
        for (const status of told)
          expect(leads(status, payment.status), `a payment was reported as ${status}, but is ${payment.status}`)
      }
    },
  }
}
