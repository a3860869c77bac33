import { OutsideError } from '@causeway/connector/ports/outside-error'
import type { Ports } from '@causeway/connector/ports/ports'
import { beforeEach, describe, expect, it } from 'vitest'
import { findTeam } from '../../team/teams/store.js'
import { lender } from '../../testing/money.js'
import { type TestService, testService } from '../../testing/service.js'
import { checkLedger } from '../ledger/check.js'
import { transitionPayment } from '../lifecycle/transition.js'
import { lockPayment } from './store.js'

/** A rail that follows its contract: it rejects a payment that was canceled before it arrived. */
const rail = { silent: false, late: false, submit: async () => {}, cancel: async () => {} }
const asked: string[] = []
let service: TestService
let bank: ReturnType<typeof lender>
let source: string
let destination: string

beforeEach(async () => {
  const canceled = new Set<string>()
  Object.assign(rail, { silent: false, late: false, submit: async () => {}, cancel: async () => {} })
  asked.length = 0
  const ports = (given: Ports): Ports => ({
    ...given,
    rail: {
      ...given.rail,
      async submit(call) {
        asked.push(`submit ${call.payment_id}`)
        await rail.submit()
        return canceled.has(call.payment_id) ? { status: 'refused', code: 10004 } : given.rail.submit(call)
      },
      async cancel({ payment_id }) {
        asked.push(`cancel ${payment_id}`)
        if (rail.silent) throw new OutsideError('no answer')
        if (rail.late) return { status: 'too_late' }
        canceled.add(payment_id)
        await rail.cancel()
        return { status: 'canceled' }
      },
    },
  })
  service = await testService({ ports })
  bank = lender(service)
  source = (await bank.source()).id
  destination = (await bank.debts()).accounts[0]!.id
})

const get = (id: string) => bank.must('GET', `/payments/${id}`)
const pay = async (from = source) =>
  (await bank.must('POST', '/payments', { amount: 5_000, source: from, destination, description: 'x' })).id
const simulate = (id: string, status: string, error_code?: number) =>
  bank.must('POST', `/simulate/payments/${id}`, { status, error_code })

/** Creates a payment from the source and simulates its return with this error code. */
async function comesBack(code: number): Promise<void> {
  const id = await pay()
  for (const status of ['processing', 'sent']) await simulate(id, status)
  await simulate(id, 'reversal_required', code)
}

describe('when its source must not be debited, a payment', () => {
  // kills: disabled-source-is-not-charged
  it.each([
    [10002, 11003, 10005, 'PAYMENT_UNAUTHORIZED_SOURCE'],
    [10003, 11001, 10007, 'PAYMENT_INVALID_SOURCE_ACCOUNT'],
  ])(
    'that is submitted and pending is canceled at the rail and fails: %i, %i, %i',
    async (code, account, error, sub_type) => {
      const id = await pay()
      await service.settle()
      expect(asked).toEqual([`submit ${id}`])
      await comesBack(code)
      await service.settle()
      expect(asked.slice(1)).toContain(`cancel ${id}`)
      const failed = await get(id)
      expect(failed).toMatchObject({ status: 'failed', error: { code: error, sub_type } })
      expect(failed).toMatchObject({ source_status: 'failed', destination_status: 'canceled', fund_status: 'failed' })
      expect(await bank.must('GET', `/accounts/${source}`)).toMatchObject({
        status: 'disabled',
        error: { code: account },
      })
      await bank.must('POST', '/simulate/clock', { advance: 'P7D' })
      expect(await get(id)).toEqual(failed)
      expect((await checkLedger(service.deps)).faults).toEqual([])
    },
  )

  it('that is not submitted yet is never submitted', async () => {
    const id = await pay()
    await comesBack(10002)
    await service.settle()
    expect(asked).not.toContain(`submit ${id}`)
    expect(await get(id)).toMatchObject({ status: 'failed', error: { code: 10005 } })
  })

  it('on hold fails while payments are stopped', async () => {
    const id = await pay()
    const other = await pay()
    for (const status of ['processing', 'sent']) await simulate(other, status)
    await service.store.write(tx => tx.updateTable('teams').set({ payments_stopped_at: 1 }).execute())
    service.advance(2_000)
    await service.settle()
    expect(await get(id)).toMatchObject({ status: 'pending', fund_status: 'hold' })
    await simulate(other, 'reversal_required', 10002)
    await service.settle()
    expect(await get(id)).toMatchObject({ status: 'failed', error: { code: 10005 } })
  })

  it('from another account of the disabled holder fails too', async () => {
    const { holder_id } = await bank.must('GET', `/accounts/${source}`)
    const ach = { routing: '062103000', number: '987654321', type: 'checking' }
    const id = await pay((await bank.must('POST', '/accounts', { holder_id, type: 'ach', ach })).id)
    await service.settle()
    const other = await pay()
    for (const status of ['processing', 'sent']) await simulate(other, status)
    const team = (await findTeam(service.store.reader, service.team))!
    await service.store.write(async db => {
      const scope = { deps: service.deps, team, now: service.deps.clock(), db, after() {} }
      await transitionPayment(scope, (await lockPayment(scope, other))!, 'reversal_required', { code: 10002 })
    })
    await service.settle()
    expect(await get(id)).toMatchObject({ status: 'failed', error: { code: 10005 } })
  })

  it.each([
    ['its cancel', 'cancel', 'submit'],
    ['its refusal', 'submit', 'cancel'],
  ] as const)(
    'that is canceled during submission does not fail for insufficient funds, if %s is answered first',
    async (_what, first, second) => {
      const release: Record<string, () => void> = {}
      const hold = (name: 'submit' | 'cancel') => {
        rail[name] = () =>
          new Promise(resolve => {
            release[name] = resolve
          })
      }
      hold('submit')
      hold('cancel')
      const id = await pay()
      const work: Record<string, Promise<void>> = { submit: service.settle() }
      await expect.poll(() => asked).toEqual([`submit ${id}`])
      await comesBack(10002)
      work['cancel'] = service.another().deps.jobs.drain(service.team, 5_000)
      await expect.poll(() => asked).toContain(`cancel ${id}`)
      const { submit, cancel } = { ...release }
      Object.assign(rail, { submit: async () => {}, cancel: async () => {} })
      const go = { submit: submit!, cancel: cancel! }
      go[first]()
      await expect.poll(async () => (await get(id))['status']).toBe('failed')
      go[second]()
      await Promise.all(Object.values(work))
      expect(await get(id)).toMatchObject({ status: 'failed', error: { code: 10005 } })
    },
  )

  it('is canceled at the rail with retries until the rail answers', async () => {
    const id = await pay()
    await service.settle()
    rail.silent = true
    await comesBack(10002)
    for (let round = 0; round < 12; round++) {
      await service.settle()
      service.advance(600_000)
    }
    expect(await get(id)).toMatchObject({ status: 'pending' })
    expect(asked.filter(each => each === `cancel ${id}`).length).toBeGreaterThan(8)
    rail.silent = false
    await service.settle()
    expect(await get(id)).toMatchObject({ status: 'failed', error: { code: 10005 } })
  })

  it('whose money has left the source continues', async () => {
    rail.late = true
    const id = await pay()
    await service.settle()
    await comesBack(10002)
    await service.settle()
    expect(await get(id)).toMatchObject({ status: 'pending', error: null })
    await bank.must('POST', '/simulate/clock', { advance: 'P1D' })
    expect(await get(id)).toMatchObject({ status: 'sent' })
  })

  it('that the team cancels becomes canceled', async () => {
    const id = await pay()
    await service.settle()
    rail.silent = true
    expect((await bank.call('DELETE', `/payments/${id}`)).status).toBe(503)
    rail.silent = false
    await comesBack(10002)
    await service.settle()
    expect(await get(id)).toMatchObject({ status: 'canceled', error: null })
  })
})
