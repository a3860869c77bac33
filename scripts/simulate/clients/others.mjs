/** Clients that change the circumstances of the others: clock, keys, subscriptions, consent, webhooks and stops. */
import { redeem } from './flow.mjs'
import { createDebtorInChaos, createPerson, mustOf } from './setup.mjs'

const transferOf = entity => ({
  type: 'balance_transfer',
  entity_id: entity,
  balance_transfer: { loan_amount: 1_000_000 },
})

/** The time for which a revoked key may still be accepted, in ms, because processes remember keys. */
const REVOCATION_MS = 30_000

/** Moves the sandbox's clock by at least an hour, and redeems a token that has expired meanwhile. */
export function createClock({ random, api, expect, isOver, counts }) {
  const must = mustOf(api)
  return async () => {
    while (!isOver()) {
      await api.pause(random.whole(2_000, 20_000))
      const hours = random.whole(1, 40)
      const entity = await createPerson(must)
      const { element_token: token } = await must('POST', '/elements/token', transferOf(entity))
      counts.clockMoves += 1
      await must('POST', '/simulate/clock', { advance: `PT${hours}H` })
      counts.clockMoves += 1
      counts.clockMovedAt = performance.now()
      counts.hours += hours
      const late = await redeem(api, random, token)
      expect(late.status !== 200, `a token was redeemed ${hours} hours after its creation`)
      counts.late += 1
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
      const entity = await createPerson(must)
      const { json: token } = await api.ask('POST', '/elements/token', transferOf(entity), {
        secret: value,
        key: random.hex(24),
      })
      await api.pause(random.whole(100, 5_000))
      const revoked = await api.ask('DELETE', `/team/keys/${id}`)
      // A repeated request may find that an earlier one has already revoked the key.
      expect([200, 204, 404].includes(revoked.status), `a revocation was answered with ${revoked.status}`)
      if (token?.element_token) {
        const late = await redeem(api, random, token.element_token)
        expect(late.status !== 200, 'a token of a revoked key opened a session')
      }
      await api.pause(REVOCATION_MS)
      const after = await use()
      expect(after.status === 401, `a revoked key was answered with ${after.status}`)
      counts.revoked += 1
      await api.pause(random.whole(1_000, 10_000))
    }
  }
}

/** A person who is enrolled in subscriptions and later withdraws consent. */
export function createHolder(context) {
  const { random, api, books, expect, isOver, counts } = context
  return async () => {
    while (!isOver()) {
      const debtor = await createDebtorInChaos(api, context)
      if (!debtor) return
      const { entity, accounts } = debtor
      for (const id of accounts.slice(0, 2)) {
        const reply = await api.post(`/accounts/${id}/subscriptions`, {
          enroll: random.pick(['update', 'update.snapshot']),
        })
        if (reply.status === 200) counts.enrolled += 1
      }
      await api.pause(random.whole(5_000, 30_000))
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
export function createOperator({ random, api, operate, cutLines, isOver, counts, stop }) {
  return async () => {
    while (!isOver()) {
      await api.pause(random.whole(5_000, 30_000))
      // Most stops follow a failure of the rail, so that payments wait for it.
      if (random.chance(0.7)) {
        cutLines(random.whole(3_000, 9_000))
        await api.pause(random.whole(2_000, 6_000))
      }
      await operate('payments', 'stop', 'all')
      stop.since = Date.now()
      counts.stopped += 1
      await api.pause(random.whole(1_000, 40_000))
      stop.since = null
      await operate('payments', 'start', 'all')
    }
  }
}
