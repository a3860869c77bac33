/** HTTP calls from a customer's server that set up the state for a fault test. */
import { achNumbers, achRouting } from '../../apps/api/dist/sandbox/tables/inputs.js'
import { people } from '../../apps/api/dist/sandbox/tables/people.js'
import { call } from './http.mjs'
import { secretKey } from './service.mjs'

/** The phone numbers of the sandbox people that these tests use. */
const payablePerson = people.find(person => person.debts.length === 4 && person.asks.length === 0).phone
export const mixedPerson = people[0].phone
const good = achNumbers[0].number
/** The maximum time to wait for a person's accounts, in ms. The limit only protects against hangs. */
const DISCOVERY_TIMEOUT_MS = 120_000
/** A source account that rejects any payment of more than `above` cents when the payment is created. */
const picky = achNumbers.find(({ refuses }) => refuses?.sub_type === 'MAX_AMOUNT_EXCEEDED')
export const pickyAbove = picky.refuses.above

/**
 * Calls the API with the team's key. `must` throws if the response is not 200. Use it for calls that only prepare a
 * test.
 */
export function lender(service, key = secretKey) {
  const api = (method, path, body, headers, patience) =>
    call(service.api, method, path, { body, headers, key, patience })
  const must = async (method, path, body, headers) => {
    const reply = await api(method, path, body, headers)
    if (reply.status !== 200) throw new Error(`${method} ${path} returned ${reply.status}: ${reply.text}`)
    return reply.json
  }
  const source = async ({ refusing = false } = {}) => {
    const holder = await must('POST', '/entities', { type: 'corporation', corporation: { name: 'Northwind' } })
    const ach = { routing: achRouting, number: refusing ? picky.number : good, type: 'checking' }
    return (await must('POST', '/accounts', { holder_id: holder.id, ach })).id
  }
  const entity = async phone =>
    (
      await must('POST', '/entities', {
        type: 'individual',
        individual: { first_name: 'Kevin', last_name: 'Doyle', phone },
      })
    ).id
  return {
    api,
    must,
    source,
    entity,
    /**
     * Creates a verified person with debts. Returns `{ entity, accounts }`, with the account ids in the order in which
     * the accounts were found.
     */
    async debtor(phone = payablePerson) {
      const id = await entity(phone)
      const sessions = `/entities/${id}/verification_sessions`
      const sms = await must('POST', sessions, { type: 'phone', method: 'sms', sms: {} })
      await must('PUT', `${sessions}/${sms.id}`, { type: 'phone', method: 'sms', sms: { sms_code: '123456' } })
      await must('POST', sessions, { type: 'identity', method: 'kba', kba: {} })
      let connect = await must('POST', `/entities/${id}/connect`)
      // On a busy machine, the response can arrive before the underlying job is complete.
      for (
        const until = performance.now() + DISCOVERY_TIMEOUT_MS;
        connect.status !== 'completed' && performance.now() < until;
      ) {
        await new Promise(resolve => setTimeout(resolve, 100))
        connect = await must('GET', `/entities/${id}/connect/${connect.id}`)
      }
      return { entity: id, accounts: connect.accounts }
    },
    transfer: entity_id => must('POST', '/elements/token', transferOf(entity_id)),
    /** Creates a session that the person has already confirmed. */
    async confirmed(entity_id, allocations) {
      const made = await must('POST', '/elements/token', {
        type: 'balance_transfer',
        entity_id,
        balance_transfer: { loan_amount: 1_000_000, residual_amount_max: 1_000_000 },
      })
      await must('POST', `/simulate/opal/sessions/${made.session_id}`, { allocations })
      return made.session_id
    },
    release: (session, from, idempotencyKey) =>
      api(
        'POST',
        `/opal/sessions/${session}`,
        { action: 'release_payments', data: { source: from } },
        idempotencyKey ? { 'idempotency-key': idempotencyKey } : {},
      ),
  }
}

/** Returns the body of a request for a balance transfer's token. */
export const transferOf = entity_id => ({
  type: 'balance_transfer',
  entity_id,
  balance_transfer: { loan_amount: 1_000_000 },
})

/**
 * Returns allocations for all accounts. Every second amount exceeds the limit of the source account that rejects large
 * payments.
 */
export const allocate = accounts =>
  Object.fromEntries(accounts.map((id, index) => [id, index % 2 ? pickyAbove + 20_000 + index : 40_000 + index]))
