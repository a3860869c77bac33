/** Clients that change the circumstances of the others: clock, keys, subscriptions, consent, webhooks and stops. */
import { createDebtor, mustOf, Rejected } from './setup.mjs'

/** The time for which a revoked key may still be accepted, in ms, because processes remember keys. */
const REVOCATION_MS = 30_000

/** Moves the sandbox's clock. */
export function createClock({ random, api, isOver, counts }) {
  const must = mustOf(api)
  return async () => {
    while (!isOver()) {
      await api.pause(random.whole(3_000, 40_000))
      const hours = random.whole(1, 40)
      counts.clockMoves += 1
      await must('POST', '/simulate/clock', { advance: `PT${hours}H` })
      counts.clockMoves += 1
      counts.hours += hours
    }
  }
}

/** Creates, uses and revokes keys. */
export function createKeeper({ random, api, expect, isOver, counts }) {
  const must = mustOf(api)
  return async () => {
    while (!isOver()) {
      const { id, value } = await must('POST', '/team/keys', { scopes: ['read', 'write'] })
      // A replay does not repeat the key itself.
      if (!value) continue
      const use = () => api.ask('GET', '/payments?page_limit=1', undefined, { secret: value })
      const before = await use()
      expect(before.status === 200, `a new key was answered with ${before.status}`)
      await api.pause(random.whole(100, 5_000))
      const revoked = await api.ask('DELETE', `/team/keys/${id}`)
      // A repeated request may find that an earlier one has already revoked the key.
      expect([200, 204, 404].includes(revoked.status), `a revocation was answered with ${revoked.status}`)
      await api.pause(REVOCATION_MS)
      const after = await use()
      expect(after.status === 401, `a revoked key was answered with ${after.status}`)
      counts.revoked += 1
      await api.pause(random.whole(1_000, 10_000))
    }
  }
}

/** A person who is enrolled in subscriptions and later withdraws consent. */
export function createHolder({ random, api, books, codeOf, expect, isOver, counts }) {
  return async () => {
    while (!isOver()) {
      // While a company fails, the person may not be verified or found.
      const debtor = await createDebtor(api, codeOf).catch(error => {
        if (!(error instanceof Rejected)) throw error
        return null
      })
      if (!debtor) {
        await api.pause(1_000)
        continue
      }
      const { entity, accounts } = debtor
      for (const id of accounts.slice(0, 2)) {
        const reply = await api.post(`/accounts/${id}/subscriptions`, {
          enroll: random.pick(['update', 'update.snapshot']),
        })
        if (reply.status === 200) counts.enrolled += 1
      }
      await api.pause(random.whole(5_000, 60_000))
      books.forget(entity, ...accounts)
      const reply = await api.post(`/entities/${entity}/consent`, {
        type: 'withdraw',
        reason: 'entity_withdrew_consent',
      })
      expect(reply.status === 200, `a withdrawal was answered with ${reply.status}: ${reply.text.slice(0, 300)}`)
      const { json } = await api.ask('GET', `/entities/${entity}`)
      expect(json.status === 'disabled', `an entity without consent is ${json.status}`)
      expect(!json.individual?.phone, 'an entity without consent has a phone number')
      counts.withdrawn += 1
    }
  }
}

/** Sends deliveries again, changes webhooks, and enables those that were disabled. */
export function createWebhookKeeper({ random, api, webhooks, expect, isOver, counts }) {
  return async () => {
    while (!isOver()) {
      await api.pause(random.whole(2_000, 20_000))
      const id = random.pick(webhooks)
      if (random.chance(0.5)) {
        const reply = await api.post(`/webhooks/${id}/redeliver`, {
          since: new Date(Date.now() - 86_400_000).toISOString(),
        })
        expect(
          reply.status === 200 || reply.json?.error?.code === 400,
          `a redelivery was answered with ${reply.status}: ${reply.text.slice(0, 300)}`,
        )
        counts.redelivered += 1
      } else await api.ask('PUT', `/webhooks/${id}`, { status: 'active' })
    }
  }
}

/** Stops all payments now and then, as an operator does on the command line, and lifts the stop. */
export function createOperator({ random, api, operate, isOver, counts, stop }) {
  return async () => {
    while (!isOver()) {
      await api.pause(random.whole(20_000, 90_000))
      await operate('payments', 'stop', 'all')
      stop.since = performance.now()
      counts.stopped += 1
      await api.pause(random.whole(1_000, 40_000))
      stop.since = null
      await operate('payments', 'start', 'all')
    }
  }
}
