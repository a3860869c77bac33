/** Records the responses that clients received, to compare them with later responses and with the store. */
/** Leaves out the value of a new API key, which the service does not repeat. */
const withoutSecret = text => text.replace(/"value":(null|"sk_\w+")/, '"value":null')

export function createBooks({ expect }) {
  /** Responses by key. */
  const answers = new Map()
  const payments = new Map()
  const forgotten = new Set()
  const isForgotten = ({ path, text }) => [...forgotten].some(id => path.includes(id) || text.includes(id))
  return {
    answers,
    payments,
    /** Records a response with a key. Every response to one key must be equal. */
    noteAnswer(key, request, received) {
      const reply = { status: received.status, text: withoutSecret(received.text) }
      if (isForgotten({ ...request, ...reply })) return
      const earlier = answers.get(key)
      if (earlier)
        expect(
          earlier.text === reply.text && earlier.status === reply.status,
          `key ${key} got ${earlier.status} ${earlier.text} and later ${reply.status} ${reply.text}`,
        )
      else answers.set(key, { ...request, status: reply.status, text: reply.text })
    },
    notePayment(payment) {
      if (!payments.has(payment.id)) payments.set(payment.id, payment)
    },
    /** Forgets responses about resources whose data the service deletes, because it deletes the responses too. */
    forget(...ids) {
      for (const id of ids) forgotten.add(id)
      for (const [key, answer] of answers) if (isForgotten(answer)) answers.delete(key)
    },
    noteCanceled(id) {
      payments.get(id).isCanceled = true
    },
    /** Notes that the service has promised to cancel a payment, unless it has been sent. */
    notePromised(id) {
      payments.get(id).isPromised = true
    },
    /** Compares everything that clients received with the payments in the store. */
    compare(rows) {
      const byId = new Map(rows.map(row => [row.id, row]))
      for (const { id, amount, source, destination, isCanceled, isPromised } of payments.values()) {
        const row = byId.get(id)
        expect(row !== undefined, `payment ${id} was acknowledged, but is not in the store`)
        if (!row) continue
        expect(
          row.amount === amount && row.source === source && row.destination === destination,
          `payment ${id} was acknowledged with other contents`,
        )
        expect(!isCanceled || row.status === 'canceled', `payment ${id} was canceled, but is ${row.status}`)
        const isRequested = isCanceled || isPromised
        expect(
          !isRequested || row.status !== 'canceled' || row.error === null,
          `payment ${id}, which its creator canceled, has the error ${row.error}`,
        )
      }
    },
  }
}
