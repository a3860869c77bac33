import type { Network } from '@causeway/connector/ports/network'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lender } from '../../../testing/money.js'
import { type TestOptions, type TestService, testService } from '../../../testing/service.js'

/** A network in which discovery waits until the test releases it. */
function held() {
  let open = () => {}
  let asked = () => {}
  const gate = new Promise<void>(resolve => {
    open = resolve
  })
  const reached = new Promise<void>(resolve => {
    asked = resolve
  })
  let asks = 0
  const ports: TestOptions['ports'] = given => ({
    ...given,
    network: {
      ...given.network,
      discover: async (call: Parameters<Network['discover']>[0]) => {
        asks++
        asked()
        await gate
        return given.network.discover(call)
      },
    },
  })
  return { ports, open: () => open(), reached, asks: () => asks }
}

let service: TestService
let outside: ReturnType<typeof held>
let entity: string
beforeEach(async () => {
  outside = held()
  service = await testService({ ports: outside.ports })
  entity = await verified(service)
})
afterEach(() => outside.open())

/** Creates a verified person whose debts have not been requested yet. */
async function verified(on: TestService): Promise<string> {
  const { must } = lender(on)
  const { id } = await must('POST', '/entities', {
    type: 'individual',
    individual: { first_name: 'Kevin', last_name: 'Doyle', phone: '+15125550101' },
  })
  const sessions = `/entities/${id}/verification_sessions`
  await must('POST', sessions, { type: 'phone', method: 'byo_sms', byo_sms: { timestamp: '2026-01-01T10:00:00Z' } })
  await must('POST', sessions, { type: 'identity', method: 'kba', kba: {} })
  return id
}

const connect = (on: TestService, key = 'connect', headers: Record<string, string> = {}) =>
  on.call('POST', `/entities/${entity}/connect`, {}, { 'idempotency-key': key, ...headers })
const records = async () =>
  (await service.store.reader.selectFrom('records').select('id').where('product', '=', 'connect').execute()).length

describe('a response that waits for external services', () => {
  it('is the completed record, and its replay has the same bytes', async () => {
    const first = connect(service)
    await outside.reached
    outside.open()
    const answer = await first
    expect(answer.body).toMatchObject({ status: 'completed', accounts: expect.any(Array) })
    const again = await connect(service)
    expect([again.text, again.headers.get('idem-status')]).toEqual([answer.text, 'replayed'])
    expect([await records(), outside.asks()]).toEqual([1, 1])
  })

  it('makes a simultaneous request with the same key wait and return the same bytes', async () => {
    const first = connect(service)
    await outside.reached
    const second = connect(service)
    outside.open()
    const [one, two] = await Promise.all([first, second])
    expect([one.text, two.headers.get('idem-status')]).toEqual([two.text, 'replayed'])
    expect([await records(), outside.asks()]).toEqual([1, 1])
  })

  it('stays open after five seconds: a retry with the same key gets 409, and the original request completes', async () => {
    const first = connect(service)
    await outside.reached
    const second = await connect(service)
    expect([second.status, second.headers.get('retry-after')]).toEqual([409, '1'])
    expect(second.body).toMatchObject({ error: { sub_type: 'IDEMPOTENCY_KEY_IN_USE', code: 409 } })
    outside.open()
    const answer = await first
    expect(answer.body).toMatchObject({ status: 'completed' })
    expect((await connect(service)).text).toBe(answer.text)
  })

  it('returns pending immediately with respond-async, and the record completes later', async () => {
    const reply = await connect(service, 'async', { prefer: 'respond-async' })
    expect(reply.body).toMatchObject({ status: 'pending', accounts: null })
    expect((await connect(service, 'async')).text).toBe(reply.text)
    outside.open()
    await service.settle()
    const record = await service.call('GET', `/entities/${entity}/connect/${reply.body['id']}`)
    expect(record.body).toMatchObject({ status: 'completed' })
  })

  it('resumes after a process dies: the retry completes the same record, without creating a second one', async () => {
    const cutOff = connect(service)
    await outside.reached
    const before = await service.store.reader
      .selectFrom('records')
      .selectAll()
      .where('product', '=', 'connect')
      .execute()
    const next = await service.again()
    const retried = await connect(next)
    expect(retried.body).toMatchObject({ id: before[0]!.id, status: 'completed' })
    expect(await records()).toBe(1)
    outside.open()
    await service.settle()
    expect((await connect(next)).text).toBe(retried.text)
    const { accounts } = retried.body as { accounts: string[] }
    expect((await next.call('GET', '/accounts?type=liability')).body['data']).toHaveLength(accounts.length)
    // The client is no longer waiting for this response, but the request must end before the store closes.
    await cutOff
  })
})

it('a response waits for slow institutions, which use their own clock', async () => {
  const slow = await testService()
  const { entity: id, accounts } = await lender(slow).debts('+15125550109')
  expect(accounts).toHaveLength(3)
  const reply = await slow.call('POST', `/entities/${id}/connect`, {}, { 'idempotency-key': 'slow' })
  expect(reply.body).toMatchObject({ status: 'completed', accounts: [] })
})
