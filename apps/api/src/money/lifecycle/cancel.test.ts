import { OutsideError } from '@causeway/connector/ports/outside-error'
import type { Ports } from '@causeway/connector/ports/ports'
import { describe, expect, it } from 'vitest'
import { lender } from '../../testing/money.js'
import { type TestService, testService } from '../../testing/service.js'

async function start(rail: (rail: Ports['rail']) => Partial<Ports['rail']>) {
  const service = await testService({ ports: given => ({ ...given, rail: { ...given.rail, ...rail(given.rail) } }) })
  const bank = lender(service)
  const source = (await bank.source()).id
  const destination = (await bank.debts()).accounts[0]!.id
  return { service, bank, good: { amount: 5_000, source, destination, description: 'Payoff' } }
}

const moves = async ({ store }: TestService) => {
  const rows = store.reader.selectFrom('events').select('type').where('type', 'like', 'payment.%').orderBy('id')
  return (await rows.execute()).map(row => row.type)
}

/**
 * A rail that follows its contract and rejects a canceled payment. The rail holds each response until the test releases
 * it.
 */
function orderly() {
  const canceled = new Set<string>()
  const asked: string[] = []
  const held: Record<string, () => void> = {}
  const answer = (name: string) =>
    new Promise<void>(resolve => {
      held[name] = resolve
    })
  const rail = (): Partial<Ports['rail']> => ({
    async submit({ payment_id }) {
      asked.push('submit')
      await answer('submit')
      return canceled.has(payment_id) ? { status: 'refused', code: 10004 } : { status: 'accepted' }
    },
    async cancel({ payment_id }) {
      asked.push('cancel')
      canceled.add(payment_id)
      await answer('cancel')
      return { status: 'canceled' }
    },
  })
  return { asked, rail, held }
}

describe('a cancel that reaches the rail before the payment', () => {
  // kills: canceled-payment-does-not-fail
  it.each([
    ['the cancel', 'cancel', 'submit'],
    ['the refusal', 'submit', 'cancel'],
  ])('returns the payment as canceled if %s is answered first', async (_what, first, second) => {
    const { asked, rail, held } = orderly()
    const { service, bank, good } = await start(rail)
    const { id } = await bank.must('POST', '/payments', good)
    const work: Record<string, Promise<unknown>> = { submit: service.settle() }
    await expect.poll(() => asked).toEqual(['submit'])
    const reply = bank.call('DELETE', `/payments/${id}`)
    work['cancel'] = reply
    await expect.poll(() => asked).toEqual(['submit', 'cancel'])
    held[first]!()
    await work[first]
    held[second]!()
    await work[second]
    const { status, body } = await reply
    expect([status, body]).toMatchObject([200, { id, status: 'canceled', error: null }])
    expect(await bank.must('GET', `/payments/${id}`)).toMatchObject({ status: 'canceled', error: null })
    expect((await bank.call('DELETE', `/payments/${id}`)).body.error?.sub_type).toBe('INVALID_STATUS')
    expect(await moves(service)).toEqual(['payment.create', 'payment.update'])
    const left = service.store.reader.selectFrom('jobs').select('kind').where('kind', 'like', 'payment.%')
    expect(await left.execute()).toEqual([])
  })

  it('cancels the payment without an error if the request failed', async () => {
    const canceled = new Set<string>()
    const rail = (real: Ports['rail']): Partial<Ports['rail']> => ({
      async submit(call) {
        return canceled.has(call.payment_id) ? { status: 'refused', code: 10004 } : real.submit(call)
      },
      async cancel({ payment_id }) {
        canceled.add(payment_id)
        throw new OutsideError('no answer')
      },
    })
    const { service, bank, good } = await start(rail)
    const { id } = await bank.must('POST', '/payments', good)
    expect((await bank.call('DELETE', `/payments/${id}`)).status).toBe(503)
    await service.settle()
    expect(await bank.must('GET', `/payments/${id}`)).toMatchObject({ status: 'canceled', error: null })
    service.advance(31_000)
    await service.settle()
    expect(await moves(service)).toEqual(['payment.create', 'payment.update'])
  })
})

describe('a cancel that is requested again', () => {
  const quiet = { source_trace_id: null, destination_trace_id: null, returned: null, code: null }

  // kills: shared-cancel-is-kept
  it('is completed if the rail canceled the payment for the first request and the second did not reach it', async () => {
    const canceled = new Set<string>()
    const faults = [new OutsideError('no answer'), new OutsideError('not connected', { outcome: 'nothing' })]
    const rail = (real: Ports['rail']): Partial<Ports['rail']> => ({
      async cancel(call) {
        const fault = faults.shift()
        if (!fault || fault.outcome === 'unknown') canceled.add(call.payment_id)
        if (fault) throw fault
        return { status: 'canceled' }
      },
      // Like a bank, this rail reports nothing more of a canceled payment.
      status: async call =>
        canceled.has(call.payment_id) ? { ...quiet, status: 'pending', next_at: null } : real.status(call),
    })
    const { service, bank, good } = await start(rail)
    const { id } = await bank.must('POST', '/payments', good)
    await service.settle()
    const first = await bank.call('DELETE', `/payments/${id}`)
    expect([first.status, first.body.error?.message]).toEqual([503, expect.stringContaining('will retry soon')])
    const second = await bank.call('DELETE', `/payments/${id}`)
    expect([second.status, second.body.error?.message]).toEqual([503, expect.stringContaining('will retry soon')])
    service.advance(31_000)
    await service.settle()
    expect(await bank.must('GET', `/payments/${id}`)).toMatchObject({ status: 'canceled', error: null })
    const left = service.store.reader.selectFrom('jobs').select('kind').where('kind', '=', 'payment.cancel')
    expect(await left.execute()).toEqual([])
  })

  it('is withdrawn if no request reached the rail', async () => {
    let isDown = true
    const rail = (real: Ports['rail']): Partial<Ports['rail']> => ({
      async cancel(call) {
        if (isDown) throw new OutsideError('not connected', { outcome: 'nothing' })
        return real.cancel(call)
      },
    })
    const { service, bank, good } = await start(rail)
    const { id } = await bank.must('POST', '/payments', good)
    await service.settle()
    const reply = await bank.call('DELETE', `/payments/${id}`)
    expect([reply.status, reply.body.error?.message]).toEqual([503, expect.stringContaining('Nothing was changed')])
    isDown = false
    service.advance(31_000)
    await service.settle()
    expect(await bank.must('GET', `/payments/${id}`)).toMatchObject({ status: 'pending' })
  })
})
