// kills: early-reports-are-read-again
import { OutsideError } from '@causeway/connector/ports/outside-error'
import type { Ports } from '@causeway/connector/ports/ports'
import type { Rail } from '@causeway/connector/ports/rail'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@causeway/contract/time'
import { beforeEach, describe, expect, it } from 'vitest'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'

type Status = Awaited<ReturnType<Rail['status']>>

const quiet: Status = {
  ...{ status: 'sent', code: null, source_trace_id: null, destination_trace_id: null, returned: null },
  ...{ returned_as: null, noc: null, corrected: null },
  next_at: null,
}
/** Answers a query of a payment's status. */
let answer = (_now: number): Partial<Status> => ({})
let queries = 0
/** True if the rail receives the next submission, but its answer is lost. */
let losesAnswer = false
const ports = (given: Ports): Ports => ({
  ...given,
  rail: {
    ...given.rail,
    async submit(call) {
      if (losesAnswer) {
        losesAnswer = false
        throw new OutsideError('no answer')
      }
      return given.rail.submit(call)
    },
    async status({ now }) {
      queries++
      return { ...quiet, next_at: now + DAY_MS, ...answer(now) }
    },
  },
})
const service = await testService({ ports })
const bank = lender(service)
await bank.must('PATCH', '/team', { ach_destinations: true })
const source = (await bank.source()).id
const destination = (await bank.source('5550002')).id

beforeEach(() => {
  answer = () => ({})
})

async function pay(): Promise<string> {
  const { id } = await bank.must('POST', '/payments', { amount: 5_000, source, destination, description: 'x' })
  await service.settle()
  return id
}
const statusOf = async (id: string) => (await bank.must('GET', `/payments/${id}`))['status']

/** Queries a payment's status, as after the rail's webhook. */
async function look(payment: string) {
  const team = (await service.deps.teamOf(service.team))!
  const { jobs, clock } = service.deps
  await service.store.write(db =>
    jobs.enqueue(
      { deps: service.deps, team, now: clock() + team.clockOffset, db, after() {} },
      { kind: 'payment.look', payload: { payment } },
    ),
  )
  await service.settle()
}

describe('a query after a webhook', () => {
  it('is repeated at the time of a change that is a moment ahead of our clock', async () => {
    const id = await pay()
    const changesAt = service.deps.clock() + 2 * SECOND_MS
    answer = now => (now >= changesAt ? { status: 'posted' } : { next_at: changesAt })
    await look(id)
    expect(await statusOf(id)).toBe('sent')
    service.advance(2 * SECOND_MS)
    await service.settle()
    expect(await statusOf(id)).toBe('posted')
  })

  it('is repeated only once, however often the rail wants to be asked', async () => {
    const id = await pay()
    answer = now => ({ next_at: now + MINUTE_MS })
    await look(id)
    const counts = []
    for (let minute = 0; minute < 4; minute++) {
      service.advance(MINUTE_MS)
      queries = 0
      await service.settle()
      counts.push(queries > 0)
    }
    expect(counts).toEqual([true, false, false, false])
  })

  // kills: pushed-payment-is-followed
  it('does not end the queries of a payment whose submission is about to be retried', async () => {
    losesAnswer = true
    const id = await pay()
    answer = () => ({ status: 'processing' })
    await look(id)
    expect(await statusOf(id)).toBe('processing')
    service.advance(2 * SECOND_MS)
    await service.settle()
    answer = () => ({ status: 'sent' })
    service.advance(DAY_MS)
    await service.settle()
    expect(await statusOf(id)).toBe('sent')
  })
})
