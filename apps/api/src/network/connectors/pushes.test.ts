import { randomUUID } from 'node:crypto'
import { readSharedKeys, SIGNATURE_HEADER, sign } from '@causeway/connector/http/signature'
import type { Ports } from '@causeway/connector/ports/ports'
import type { RailStatus } from '@causeway/connector/ports/rail'
import { describe, expect, it } from 'vitest'
import { StoreFault } from '../../platform/db/fault.js'
import { connectorKeys } from '../../testing/connector/connector.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'
import { PUSH_PATH, sendPush } from './pushes.js'

/**
 * The status that the rail reports for every payment, and the number of times that the rail was queried. The rail never
 * schedules another query.
 */
const rail: { status: RailStatus; asked: number } = { status: 'pending', asked: 0 }
const back: { status: 'pending' | 'sent' } = { status: 'pending' }
const feed = { asked: 0, by: '' }

const ports = (given: Ports): Ports => ({
  ...given,
  network: {
    ...given.network,
    async changes(call) {
      feed.asked++
      feed.by = call.request_id
      return given.network.changes(call)
    },
  },
  rail: {
    ...given.rail,
    reversal: async () => ({ status: back.status, code: null, trace_id: null, next_at: null }),
    async status() {
      rail.asked++
      const code = rail.status === 'reversal_required' ? 10009 : null
      return {
        status: rail.status,
        code,
        source_trace_id: null,
        destination_trace_id: null,
        returned: null,
        next_at: null,
      }
    },
  },
})
const service = await testService({ ports })
const bank = lender(service)
const ends = { source: (await bank.source()).id, destination: (await bank.debts()).accounts[0]!.id }

async function pay(): Promise<string> {
  rail.status = 'pending'
  const { id } = await bank.must('POST', '/payments', { amount: 5_000, ...ends, description: 'x' })
  await service.settle()
  rail.asked = 0
  return id
}
const statusOf = async (id: string) => (await bank.must('GET', `/payments/${id}`))['status']

const changed = (payment_id: string, id: string = randomUUID()) =>
  ({ id, type: 'payment.changed', team_id: service.team, payment_id }) as const
const post = (body: string, signature: string) =>
  service.app.api.fetch(
    new Request(`http://127.0.0.1:4000${PUSH_PATH}`, {
      method: 'POST',
      body,
      headers: { [SIGNATURE_HEADER]: signature },
    }),
  )
async function postPush(said: { id: string }, { id = said.id, keys = connectorKeys } = {}) {
  const body = JSON.stringify(said)
  const answer = await post(body, await sign(keys, body, { from: 'connector', about: 'push', id }, Date.now()))
  await service.settle()
  return { status: answer.status, body: await answer.json() }
}

describe('a push about a payment', () => {
  it('makes the service query it immediately', async () => {
    const id = await pay()
    rail.status = 'sent'
    expect(await statusOf(id)).toBe('pending')
    expect(await postPush(changed(id))).toEqual({ status: 200, body: { status: 'accepted' } })
    expect(await statusOf(id)).toBe('sent')
  })

  // kills: push-counts-once
  it('that arrives twice counts once', async () => {
    const push = changed(await pay())
    await postPush(push)
    expect(await postPush(push)).toEqual({ status: 200, body: { status: 'duplicate' } })
    expect(rail.asked).toBe(1)
  })

  it('that arrives after a later one changes nothing', async () => {
    const id = await pay()
    const [first, second] = [changed(id), changed(id)]
    rail.status = 'posted'
    await postPush(second)
    await postPush(first)
    expect(await statusOf(id)).toBe('posted')
  })

  it('reports money that was returned after the last scheduled query', async () => {
    const id = await pay()
    rail.status = 'posted'
    await postPush(changed(id))
    service.advance(20 * 86_400_000)
    rail.status = 'reversal_required'
    await postPush(changed(id))
    expect(await bank.must('GET', `/payments/${id}`)).toMatchObject({
      status: 'reversal_required',
      error: { code: 10009 },
    })
  })

  it('about an unknown payment or team does nothing', async () => {
    expect((await postPush(changed('pmt_none'))).status).toBe(200)
    expect((await postPush({ ...changed('pmt_none'), team_id: 'team_none' } as never)).body).toEqual({
      status: 'unknown',
    })
  })

  it('is accepted when sent with the connector package', async () => {
    const id = await pay()
    rail.status = 'processing'
    const through = (url: unknown, init?: RequestInit) =>
      Promise.resolve(service.app.api.fetch(new Request(String(url), init)))
    const deps = { url: 'http://127.0.0.1:4000', keys: connectorKeys, clock: Date.now, fetch: through as typeof fetch }
    expect(await sendPush(deps, changed(id))).toBe(200)
    await service.settle()
    expect(await statusOf(id)).toBe('processing')
  })
})

describe('a push about a reversal', () => {
  it('makes the service query it immediately', async () => {
    const id = await pay()
    for (const status of ['processing', 'sent', 'posted'])
      await bank.must('POST', `/simulate/payments/${id}`, { status })
    const { reversal_id } = await bank.must('POST', `/simulate/payments/${id}`, {
      status: 'reversal_required',
      error_code: 10009,
    })
    const path = `/payments/${id}/reversals/${reversal_id}`
    await bank.must('PUT', path, { status: 'pending' })
    await service.settle()
    back.status = 'sent'
    expect(await bank.must('GET', path)).toMatchObject({ status: 'pending' })
    await postPush({ id: randomUUID(), type: 'reversal.changed', team_id: service.team, reversal_id } as never)
    expect(await bank.must('GET', path)).toMatchObject({ status: 'sent' })
    expect(await statusOf(id)).toBe('reversed')
  })
})

describe('a push about a feed', () => {
  it('makes the service read the feed again immediately', async () => {
    const { id: account } = (await bank.debts('+15125550100')).accounts[0]!
    const { id: request_id } = await bank.must('POST', `/accounts/${account}/subscriptions`, { enroll: 'update' })
    await service.settle()
    const before = feed.asked
    expect(feed.by).toBe(request_id)
    await postPush({ id: randomUUID(), type: 'feed.changed', team_id: service.team, request_id } as never)
    expect(feed.asked).toBe(before + 1)
  })

  it('for an unknown request does nothing', async () => {
    const before = feed.asked
    const push = { id: randomUUID(), type: 'feed.changed', team_id: service.team, request_id: 'sub_none' }
    expect((await postPush(push as never)).status).toBe(200)
    expect(feed.asked).toBe(before)
  })
})

describe('a push is rejected, and triggers no query,', () => {
  it.each([
    ['without a signature', async (body: string) => post(body, ''), 401],
    [
      'signed by another key',
      async (body: string, id: string) => {
        const other = readSharedKeys(Buffer.alloc(32, 1).toString('base64'))!
        return post(body, await sign(other, body, { from: 'connector', about: 'push', id }, Date.now()))
      },
      401,
    ],
    [
      'signed ten minutes ago',
      async (body: string, id: string) =>
        post(body, await sign(connectorKeys, body, { from: 'connector', about: 'push', id }, Date.now() - 600_000)),
      401,
    ],
    [
      'signed like our own calls',
      async (body: string, id: string) =>
        post(body, await sign(connectorKeys, body, { from: 'causeway', about: 'push', id }, Date.now())),
      401,
    ],
    [
      'signed under another id',
      async (body: string) =>
        post(body, await sign(connectorKeys, body, { from: 'connector', about: 'push', id: 'x' }, Date.now())),
      400,
    ],
  ])('%s', async (_what, send, status) => {
    const push = changed(await pay())
    expect((await send(JSON.stringify(push), push.id)).status).toBe(status)
    await service.settle()
    expect(rail.asked).toBe(0)
  })

  it('if its type is unknown', async () => {
    expect((await postPush({ ...changed(await pay()), type: 'payment.exploded' } as never)).status).toBe(400)
  })
})

it('rejects a push whose connection closes early, which is no fault of the service', async () => {
  const before = service.lines.length
  const body = new ReadableStream({ start: controller => controller.error(new Error('reset')) })
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' }
  expect((await service.app.api.fetch(new Request(`http://127.0.0.1:4000${PUSH_PATH}`, init))).status).toBe(400)
  expect(service.lines.slice(before).filter(line => line.includes('push_fault'))).toEqual([])
})

it('answers 503 while the store fails, and logs a warning, because the connector sends the push again', async () => {
  let isFull = false
  const failing = await testService({
    ports,
    store: store => ({
      ...store,
      write: work => (isFull ? Promise.reject(new StoreFault('SQLITE_FULL', null)) : store.write(work)),
    }),
  })
  const push = JSON.stringify({ ...changed('pmt_0000000000000'), team_id: failing.team })
  const signature = await sign(
    connectorKeys,
    push,
    { from: 'connector', about: 'push', id: JSON.parse(push).id },
    Date.now(),
  )
  isFull = true
  const init = { method: 'POST', body: push, headers: { [SIGNATURE_HEADER]: signature } }
  const answer = await failing.app.api.fetch(new Request(`http://127.0.0.1:4000${PUSH_PATH}`, init))
  isFull = false
  expect(answer.status).toBe(503)
  const [line] = failing.lines.filter(each => each.includes('push_fault'))
  expect(JSON.parse(line!)).toMatchObject({ level: 'warn', fault: 'StoreFault SQLITE_FULL' })
})

it('answers forged pushes like other requests, and refuses a client that sends many of them', async () => {
  const limited = await testService({ rateLimits: 1 })
  const forge = () =>
    limited.app.api.fetch(new Request(`http://127.0.0.1:4000${PUSH_PATH}`, { method: 'POST', body: '{}' }), {
      incoming: { headers: {}, socket: { remoteAddress: '203.0.113.9' } },
    })
  const first = await forge()
  expect(first.status).toBe(401)
  expect(first.headers.get('request-id')).toMatch(/^req_/)
  expect(first.headers.get('x-content-type-options')).toBe('nosniff')
  expect(first.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await limited.deps.metrics.registry.metrics()).toContain(`route="${PUSH_PATH}",status="4xx"`)
  for (let count = 1; count < 60; count += 1) await forge()
  const refused = await forge()
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
})
