/** Records the responses that clients received, to compare them with later responses and with the store. */
export function createBooks({ expect }) {
  /** Responses by key. */
  const answers = new Map()
  const payments = new Map()
  return {
    answers,
    payments,
    /** Records a response with a key. Every response to one key must be equal. */
    noteAnswer(key, request, reply) {
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
  }
}
