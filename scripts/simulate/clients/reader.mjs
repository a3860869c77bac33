/** A customer's back office: reads lists, makes reports, schedules them, and receives payments from outside. */
import { mustOf } from './setup.mjs'

const REPORT_TYPES = ['payments.created.previous', 'ach.pull.nightly']
const DATED = { 'service-version': '2026-03-30' }

export function createReader({ random, api, debtor, funds, webhooks, books, isOver, expect, counts }) {
  const must = mustOf(api)
  let instrument
  let schedule

  const acts = {
    /** Reads an event of the list by its id. */
    async events() {
      const { data } = await must('GET', '/events?page_limit=20')
      if (data.length === 0) return
      const listed = random.pick(data)
      const event = await must('GET', `/events/${listed.id}`)
      expect(event.resource_id === listed.resource_id, `event ${listed.id} is about another resource than in the list`)
    },
    async deliveries() {
      const path = `/webhooks/${random.pick(webhooks)}`
      const { data } = await must('GET', `${path}/deliveries?page_limit=20`)
      await must('GET', `${path}/stats`)
      await must('GET', '/deliveries?page_limit=20')
      if (data.length === 0) return
      const delivery = `${path}/deliveries/${random.pick(data).id}`
      await must('GET', delivery)
      await must('GET', `${delivery}/attempts`)
    },
    async report() {
      const { id } = await must('POST', '/reports', { type: random.pick(REPORT_TYPES) })
      const reply = await api.ask('GET', `/reports/${id}/download`)
      expect(
        reply.status === 200 || reply.json?.error?.code === 400,
        `a report was answered with ${reply.status}: ${reply.text.slice(0, 300)}`,
      )
    },
    /** Creates a schedule, whose reports follow when the clock moves, and changes its time. */
    async schedule() {
      schedule ??= await must('POST', '/report_schedules', { types: REPORT_TYPES, delivery_methods: ['webhook'] })
      await must('PATCH', `/report_schedules/${schedule.id}`, { cron: `0 ${random.whole(1, 23)} * * *` })
    },
    /** Receives a payment from an account outside, which the emulated bank does not have. */
    async receive() {
      if (funds) return
      const headers = DATED
      if (!instrument) {
        const body = { type: 'inbound_achwire_payment' }
        const path = `/accounts/${random.pick(debtor.accounts)}/payment_instruments`
        const created = await api.ask('POST', path, body, { headers, key: random.hex(12) })
        if (created.status !== 200) return
        instrument = created.json.id
      }
      const path = `/simulate/payments/payment_instruments/${instrument}`
      const body = { amount: random.whole(100, 50_000), description: 'from outside' }
      const reply = await api.ask('POST', path, body, { headers, key: random.hex(12) })
      if (reply.status !== 200) return
      books.notePayment(reply.json)
      counts.received += 1
    },
  }

  return async () => {
    while (!isOver()) {
      await acts[random.pick(Object.keys(acts))]()
      await api.pause(random.whole(1_000, 8_000))
    }
  }
}
