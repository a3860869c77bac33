import { OutsideError } from '@causeway/connector/ports/outside-error'
import type { Ports } from '@causeway/connector/ports/ports'
import type { Rail } from '@causeway/connector/ports/rail'
import { ServiceError } from '@causeway/contract/errors'
import { describe, expect, it } from 'vitest'
import { lender } from '../../testing/money.js'
import { type TestOptions, type TestService, testService } from '../../testing/service.js'

async function start(options: TestOptions = {}) {
  const service = await testService(options)
  const bank = lender(service)
  const source = (await bank.source()).id
  const destination = (await bank.debts()).accounts[0]!.id
  return { service, bank, good: { amount: 5_000, source, destination, description: 'Payoff' } }
}

const payments = (service: TestService) => service.store.reader.selectFrom('payments').selectAll().execute()
const moves = async (service: TestService) =>
  (
    await service.store.reader
      .selectFrom('events')
      .select('type')
      .where('type', 'like', 'payment.%')
      .orderBy('id')
      .execute()
  ).map(row => row.type)

/** The sandbox's rail, with its calls recorded and some methods replaced. */
function withRail(change: (rail: Ports['rail'], asked: string[]) => Partial<Ports['rail']>) {
  const asked: string[] = []
  const ports = (given: Ports): Ports => ({ ...given, rail: { ...given.rail, ...change(given.rail, asked) } })
  return { asked, ports }
}

describe("a payment's idempotency key", () => {
  it('4.11.2 a hundred simultaneous posts with one key make one payment, and all get the same bytes', async () => {
    const { service, bank, good } = await start()
    const replies = await Promise.all(
      Array.from({ length: 100 }, () => bank.call('POST', '/payments', good, { 'idempotency-key': 'one' })),
    )
    expect(new Set(replies.map(reply => reply.text)).size).toBe(1)
    expect(replies.every(reply => reply.status === 200)).toBe(true)
    expect(replies.filter(reply => reply.headers.get('idem-status') === 'stored')).toHaveLength(1)
    expect(await payments(service)).toHaveLength(1)
    expect(await moves(service)).toEqual(['payment.create'])
  })

  it('makes one payment across two processes', async () => {
    const { service, good } = await start()
    const second = service.another()
    const body = JSON.stringify(good)
    const headers = {
      authorization: `Bearer ${service.key}`,
      'content-type': 'application/json',
      'idempotency-key': 'both',
    }
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        (index % 2 ? service.app : second).api.fetch(
          new Request('http://127.0.0.1:4000/payments', { method: 'POST', headers, body }),
        ),
      ),
    )
    expect(new Set(await Promise.all(replies.map(reply => reply.text()))).size).toBe(1)
    expect(replies.every(reply => reply.status === 200)).toBe(true)
    expect(await payments(service)).toHaveLength(1)
  })

  it('still identifies the payment after the stored response is gone, even if its accounts changed', async () => {
    const { service, bank, good } = await start()
    const key = { 'idempotency-key': 'late' }
    const made = await bank.call('POST', '/payments', good, key)
    await service.store.write(tx => tx.deleteFrom('idempotency').execute())
    await service.store.write(tx => tx.updateTable('accounts').set({ status: 'closed' }).execute())
    const late = await bank.call('POST', '/payments', good, key)
    expect([late.status, late.body.id]).toEqual([200, made.body.id])
    expect(await payments(service)).toHaveLength(1)
  })

  // kills: late-retry-same-payment
  it('marks such a late response as a replay, or as a mismatch for a different body, every time', async () => {
    const { service, bank, good } = await start()
    const key = { 'idempotency-key': 'late' }
    const first = { ...good, fee: { type: 'total', amount: 5 }, metadata: { loan: 'l 1', part: 2 } }
    const made = await bank.call('POST', '/payments', first, key)
    const sweep = () => service.store.write(tx => tx.deleteFrom('idempotency').execute())
    const retry = async (body: unknown) => {
      const { status, body: shown, headers } = await bank.call('POST', '/payments', body, key)
      expect([status, shown.id]).toEqual([200, made.body.id])
      return ['idem-status', 'idempotency-replayed', 'idempotency-mismatch'].map(name => headers.get(name))
    }
    await sweep()
    const another = (await bank.debts('+15125550100')).accounts[0]!.id
    const others = [
      { amount: 7_000 },
      { destination: another },
      { source: another },
      { description: 'Other' },
      { fee: null },
      { fee: { type: 'markup', amount: 5 } },
      { metadata: { loan: 'l 2', part: 2 } },
      { reversal_account: good.source },
      { dry_run: true },
      { amount: 'many' },
    ]
    for (const other of others) expect(await retry({ ...first, ...other })).toEqual(['replayed', 'true', 'true'])
    expect(await retry('no JSON')).toEqual(['replayed', 'true', 'true'])
    expect(await retry('x'.repeat(2_000_000))).toEqual(['replayed', 'true', 'true'])
    expect(await retry(first)).toEqual(['replayed', 'true', null])
    await service.store.write(tx => tx.updateTable('payments').set({ metadata: null }).execute())
    expect(await retry(first)).toEqual(['replayed', 'true', null])
    expect(await payments(service)).toHaveLength(1)
  })

  it('7 replay the first response to a key is replayed, even a rejection or a 500', async () => {
    let broken = true
    const { ports } = withRail(rail => ({
      async accepts(call) {
        if (broken) throw new Error('an internal fault')
        return rail.accepts(call)
      },
    }))
    const { service, bank, good } = await start({ ports })
    const post = (key: string, body: unknown) => bank.call('POST', '/payments', body, { 'idempotency-key': key })
    const first = [await post('fault', good), await post('refused', { ...good, amount: 1 })]
    broken = false
    const again = [await post('fault', good), await post('refused', good)]
    expect(first.map(reply => reply.status)).toEqual([500, 400])
    expect(again.map(reply => [reply.status, reply.text])).toEqual(first.map(reply => [reply.status, reply.text]))
    expect(again.map(reply => reply.headers.get('idempotency-replayed'))).toEqual(['true', 'true'])
    expect(await payments(service)).toHaveLength(0)
    expect((await post('new', good)).status).toBe(200)
  })

  it('8 idempotency key of 255 characters is accepted, a longer or empty one is rejected', async () => {
    const { bank, good } = await start()
    const post = (key: string) => bank.call('POST', '/payments', good, { 'idempotency-key': key })
    expect((await post('k'.repeat(255))).status).toBe(200)
    for (const key of ['k'.repeat(256), '']) expect((await post(key)).body.error?.sub_type).toBe('INVALID_REQUEST')
  })

  // kills: refusal-keeps-key-free
  it('is not used up by a 503, which means that nothing happened', async () => {
    let isDown = true
    const { ports } = withRail(rail => ({
      async accepts(call) {
        if (isDown) throw new ServiceError('SERVICE_UNAVAILABLE')
        return rail.accepts(call)
      },
    }))
    const { service, bank, good } = await start({ ports })
    const pay = () => bank.call('POST', '/payments', good, { 'idempotency-key': 'unavailable' })
    const refused = await pay()
    expect([refused.status, refused.headers.get('idem-status')]).toEqual([503, 'bypassed'])
    isDown = false
    const made = await pay()
    expect([made.status, made.headers.get('idem-status')]).toEqual([200, 'stored'])
    expect((await pay()).text).toBe(made.text)
    expect(await payments(service)).toHaveLength(1)
  })

  it('still matches the payment by content after the stored response is gone, whatever the order of its members', async () => {
    const { service, bank, good } = await start()
    const pay = (metadata: object) =>
      bank.call('POST', '/payments', { ...good, metadata }, { 'idempotency-key': 'order' })
    await pay({ a: 1, b: { c: 2, d: [3] } })
    await service.store.write(tx => tx.deleteFrom('idempotency').execute())
    const replayed = await pay({ b: { d: [3], c: 2 }, a: 1 })
    expect([replayed.headers.get('idem-status'), replayed.headers.get('idempotency-mismatch')]).toEqual([
      'replayed',
      null,
    ])
    expect((await pay({ a: 1, b: { c: 2, d: [4] } })).headers.get('idempotency-mismatch')).toBe('true')
  })

  it('is not used up by a dry run', async () => {
    const { service, bank, good } = await start()
    await bank.call('POST', '/payments', { ...good, dry_run: true }, { 'idempotency-key': 'dry' })
    await service.store.write(tx => tx.deleteFrom('idempotency').execute())
    const made = await bank.call('POST', '/payments', good, { 'idempotency-key': 'dry' })
    expect(made.status).toBe(200)
    expect(await payments(service)).toHaveLength(1)
  })
})

describe('submitting a payment', () => {
  it('repeats a submission under the same id if the response was lost', async () => {
    let lost = 2
    const { asked, ports } = withRail((rail, asked) => ({
      async submit(call) {
        asked.push(call.payment_id)
        const answer = await rail.submit(call)
        if (lost-- > 0) throw new OutsideError('the response was lost')
        return answer
      },
    }))
    const { service, bank, good } = await start({ ports })
    const { id } = await bank.must('POST', '/payments', good)
    for (let round = 0; round < 3; round++) {
      await service.settle()
      service.advance(10_000)
    }
    expect(asked).toEqual([id, id, id])
    service.advance(7_200_000)
    await service.settle()
    expect(await bank.must('GET', `/payments/${id}`)).toMatchObject({ status: 'processing' })
    expect(await moves(service)).toEqual(['payment.create', 'payment.update'])
  })

  it('queries the rail first after a process crashed while submitting, so only one effect remains', async () => {
    let release = () => {}
    const { asked, ports } = withRail((rail, asked) => ({
      async submit(call) {
        asked.push(call.payment_id)
        if (asked.length === 1)
          await new Promise<void>(resolve => {
            release = resolve
          })
        return rail.submit(call)
      },
    }))
    const { service, bank, good } = await start({ ports })
    const { id } = await bank.must('POST', '/payments', good)
    const dying = service.settle()
    await expect.poll(() => asked.length).toBe(1)
    service.advance(61_000)
    const second = service.another()
    await second.deps.jobs.drain(service.team, 5_000)
    expect(asked).toEqual([id, id])
    release()
    await dying
    service.advance(7_200_000)
    await second.deps.jobs.drain(service.team, 5_000)
    expect(await moves(service)).toEqual(['payment.create', 'payment.update'])
  })

  it('cancels a payment that was canceled during submission', async () => {
    let release = () => {}
    let handed: Awaited<ReturnType<Rail['submit']>> | undefined
    const { asked, ports } = withRail((rail, asked) => ({
      async submit(call) {
        asked.push('submit')
        await new Promise<void>(resolve => {
          release = resolve
        })
        handed = await rail.submit(call)
        return handed
      },
      async cancel(call) {
        asked.push('cancel')
        return rail.cancel(call)
      },
    }))
    const { service, bank, good } = await start({ ports })
    const { id } = await bank.must('POST', '/payments', good)
    const settled = service.settle()
    await expect.poll(() => asked).toEqual(['submit'])
    await bank.must('DELETE', `/payments/${id}`)
    release()
    await settled
    // If the rail received the cancellation first, it rejects the payment and has nothing left to cancel.
    expect(asked).toEqual(['submit', 'cancel', ...(handed?.status === 'refused' ? [] : ['cancel'])])
    expect(await bank.must('GET', `/payments/${id}`)).toMatchObject({ status: 'canceled', error: null })
  })

  /** A rail whose cancel calls fail while `silent` is true. If `deaf` is also true, the calls never reach the rail. */
  function silentRail({ deaf = false } = {}) {
    const rail = { silent: true }
    const { asked, ports } = withRail((real, asked) => ({
      async cancel(call) {
        asked.push('cancel')
        const answer = rail.silent && deaf ? null : await real.cancel(call)
        if (rail.silent || answer === null) throw new OutsideError('no answer')
        return answer
      },
    }))
    return { rail, asked, ports }
  }

  // kills: accepted-cancel-is-kept
  it('completes a cancel that the rail accepted after the request failed', async () => {
    const { rail, asked, ports } = silentRail()
    const { service, bank, good } = await start({ ports })
    const { id } = await bank.must('POST', '/payments', good)
    await service.settle()
    expect((await bank.call('DELETE', `/payments/${id}`)).status).toBe(503)
    expect(await bank.must('GET', `/payments/${id}`)).toMatchObject({ status: 'pending' })
    rail.silent = false
    service.advance(31_000)
    const second = service.another()
    await second.deps.jobs.drain(service.team, 5_000)
    expect(await bank.must('GET', `/payments/${id}`)).toMatchObject({ status: 'canceled', error: null })
    expect(asked).toEqual(['cancel', 'cancel'])
    expect(await moves(service)).toEqual(['payment.create', 'payment.update'])
  })

  it('leaves the payment unchanged after a cancel that was too late, even if it completes later', async () => {
    const { rail, ports } = silentRail({ deaf: true })
    const { service, bank, good } = await start({ ports })
    const { id } = await bank.must('POST', '/payments', good)
    await service.settle()
    await bank.call('DELETE', `/payments/${id}`)
    rail.silent = false
    await bank.must('POST', '/simulate/clock', { advance: 'P1D' })
    const before = await bank.must('GET', `/payments/${id}`)
    service.advance(31_000)
    await service.settle()
    expect(await bank.must('GET', `/payments/${id}`)).toEqual(before)
    expect(before).toMatchObject({ status: 'sent' })
  })
})
