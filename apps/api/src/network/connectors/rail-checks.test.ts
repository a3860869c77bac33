import type { Ports } from '@causeway/connector/ports/ports'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkLedger } from '../../money/ledger/check.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'

type Said = Record<string, unknown>
/** The values that override the rail's answers, by method. */
const lies: { submit?: Said; status?: Said; reversal?: Said } = {}
const reversed: number[] = []

const ports = ({ rail, ...given }: Ports): Ports => {
  const saying = async (name: keyof typeof lies, answer: Promise<object>) =>
    ({ ...(await answer), ...lies[name] }) as never
  return {
    ...given,
    rail: {
      ...rail,
      submit: call => saying('submit', rail.submit(call)),
      status: call => saying('status', rail.status(call)),
      reversal: call => saying('reversal', rail.reversal(call)),
      async reverse(call) {
        reversed.push(call.amount)
      },
    },
  }
}
const service = await testService({ ports })
const bank = lender(service)
const source = (await bank.source()).id
const destination = (await bank.debts()).accounts[0]!.id
const good: Record<string, unknown> = {
  amount: 5_000,
  source,
  destination,
  description: 'x',
  fee: { type: 'total', amount: 100 },
}
beforeEach(() => {
  for (const name of ['submit', 'status', 'reversal'] as const) delete lies[name]
  reversed.length = 0
})

const get = (id: string) => bank.must('GET', `/payments/${id}`)
const advance = (by: string) => bank.must('POST', '/simulate/clock', { advance: by })
const faults = () => service.lines.filter(line => line.includes('connector_fault') && line.includes('rail.')).length
const posted = async () => {
  const { id } = await bank.must('POST', '/payments', good)
  await service.settle()
  await advance('P7D')
  expect(await get(id)).toMatchObject({ status: 'posted' })
  return id
}
const push = async (id: string) => {
  const team = (await service.deps.teamOf(service.team))!
  const { jobs } = service.deps
  await service.store.write(db =>
    jobs.enqueue(
      { deps: service.deps, team, now: service.deps.clock() + team.clockOffset, db, after() {} },
      { kind: 'payment.look', payload: { payment: id } },
    ),
  )
  await service.settle()
}

describe('an impossible report from the rail moves nothing, is logged and is queried again:', () => {
  const part = { status: 'partial_reversal_processing', code: 10010 }
  // kills: impossible-answers-are-rejected
  it.each([
    ['more was returned than was paid', { ...part, returned: 900_000 }],
    ['a partial return of everything that was paid', { ...part, returned: 5_000 }],
    ['a partial return of everything that arrived', { ...part, returned: 4_900 }],
    ['a partial return of nothing', { ...part, returned: 0 }],
    ['a partial return without an amount', { ...part, returned: null }],
    ['a partial return without a reason', { ...part, returned: 300, code: null }],
    ['a full return without a reason', { status: 'reversal_required', code: null, returned: null }],
    ['a return with a code about a file', { status: 'reversal_required', code: 26001, returned: null }],
    ['a return with a code about a cancel', { status: 'reversal_required', code: 10004, returned: null }],
    ['a partial return of a payment that arrived', { status: 'posted', code: null, returned: 300 }],
  ])('%s', async (_what, lie) => {
    const id = await posted()
    const before = faults()
    lies.status = lie
    await push(id)
    expect(await get(id)).toMatchObject({ status: 'posted', error: null, reversal_id: null })
    expect(reversed).toEqual([])
    expect(faults()).toBeGreaterThan(before)
    lies.status = { ...part, returned: 4_899 }
    service.advance(30_000)
    await service.settle()
    expect(await get(id)).toMatchObject({ status: 'partial_reversal_processing', error: { code: 10010 } })
    expect(reversed).toEqual([4_899])
    expect((await checkLedger(service.deps)).faults).toEqual([])
    delete lies.status
    await advance('P7D')
  })

  it('a rejection with a code that is not about payments', async () => {
    lies.submit = { status: 'refused', code: 26001 }
    const { id } = await bank.must('POST', '/payments', good)
    await service.settle()
    expect(await get(id)).toMatchObject({ status: 'pending', error: null })
    lies.submit = { status: 'refused', code: 10009 }
    service.advance(30_000)
    await service.settle()
    expect(await get(id)).toMatchObject({ status: 'failed', error: { code: 10009 } })
  })

  it('a failed reversal with a code that is about payments', async () => {
    const id = await posted()
    const back = { status: 'reversal_processing', error_code: 10009 }
    const path = `/payments/${id}/reversals/${(await bank.must('POST', `/simulate/payments/${id}`, back))['reversal_id']}`
    for (const code of [null, 10001]) {
      lies.reversal = { status: 'failed', code }
      service.advance(30_000)
      await service.settle()
      expect(await bank.must('GET', path)).toMatchObject({ status: 'pending', error: null })
    }
    lies.reversal = { status: 'failed', code: 14002 }
    service.advance(30_000)
    await service.settle()
    expect(await bank.must('GET', path)).toMatchObject({ status: 'failed', error: { code: 14002 } })
  })
})
