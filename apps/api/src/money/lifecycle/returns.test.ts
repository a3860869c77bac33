// kills: notices-are-handled-once, payees-are-not-corrected, corrections-are-checked

import type { Ports } from '@causeway/connector/ports/ports'
import type { Rail } from '@causeway/connector/ports/rail'
import { NEWEST_VERSION, VERSION_HEADER } from '@causeway/contract/versions'
import { beforeEach, describe, expect, it } from 'vitest'
import { lender, routing } from '../../testing/money.js'
import { testService } from '../../testing/service.js'

type Status = Awaited<ReturnType<Rail['status']>>

/** What the rail says about each payment, and when to ask again. */
let answer: Partial<Status> = {}

const quiet: Status = {
  ...{ status: 'posted', code: null, source_trace_id: null, destination_trace_id: null, returned: null },
  ...{ returned_as: null, noc: null, corrected: null },
  next_at: null,
}
const ports = (given: Ports): Ports => ({
  ...given,
  rail: {
    ...given.rail,
    status: async call => ({ ...quiet, next_at: call.now + 60_000, ...answer }),
  },
})
const service = await testService({ ports })
const bank = lender(service)
await bank.must('PATCH', '/team', { ach_destinations: true })
const source = (await bank.source()).id
const person = await bank.verified('+15125550101')
const [card] = (await bank.debts('+15125550110')).accounts
let nextNumber = 5_550_001

beforeEach(() => {
  answer = {}
})

const newAccount = async () =>
  bank.must('POST', '/accounts', {
    ...{ holder_id: person, type: 'ach' },
    ach: { routing, number: String(nextNumber++), type: 'checking' },
  })
async function pay(destination: string): Promise<string> {
  const { id } = await bank.must('POST', '/payments', { amount: 5_000, source, destination, description: 'x' })
  await service.settle()
  return id
}
/** Lets the rail answer again. */
async function ask(next: Partial<Status>) {
  answer = next
  service.advance(60_000)
  await service.settle()
}
const newest = { [VERSION_HEADER]: NEWEST_VERSION }
const get = async (path: string, headers = newest) => (await bank.call('GET', path, undefined, headers)).body
const eventsOf = async (id: string, type: string) =>
  (await get(`/events?resource_id=${id}&type=${type}`))['data'] as Record<string, unknown>[]

const at = Date.parse('2026-03-02T15:30:00.000Z')
const back = { status: 'reversal_required', code: 10009, next_at: null } as const
const shown = { code: 'R23', at: '2026-03-02T15:30:00.000Z', trace: '091000019' }
const returned_as = { code: 'R23', at, trace: '091000019' }

describe('the code of a return', () => {
  it('is stored with the change of status, and shown in the newest version and its events', async () => {
    const id = await pay(card!.id)
    expect(await get(`/payments/${id}`)).toMatchObject({ status: 'posted', returned_as: null })
    await ask({ ...back, returned_as })
    expect(await get(`/payments/${id}`)).toMatchObject({
      ...{ status: 'reversal_required', error: { code: 10009 }, returned_as: shown },
    })
    expect(await get(`/payments/${id}/postings`)).toMatchObject({ agrees: true, sum: 0 })
    const { data } = await get('/payments')
    expect((data as { id: string }[]).find(each => each.id === id)).toMatchObject({ returned_as: shown })
    const [event] = await eventsOf(id, 'payment.update')
    expect(event).toMatchObject({
      data: { returned_as: shown },
      diff: { before: { returned_as: null }, after: { returned_as: shown } },
    })
    expect(await get(`/payments/${id}`, { [VERSION_HEADER]: '2025-12-01' })).not.toHaveProperty('returned_as')
  })

  it('is kept by an answer without one, and replaced by an answer with another', async () => {
    const id = await pay(card!.id)
    await ask({ returned_as })
    expect(await get(`/payments/${id}`)).toMatchObject({ status: 'posted', returned_as: shown })
    await ask({})
    expect(await get(`/payments/${id}`)).toMatchObject({ returned_as: shown })
    const before = (await eventsOf(id, 'payment.update')).length
    await ask({ returned_as })
    expect(await eventsOf(id, 'payment.update')).toHaveLength(before)
    await ask({ ...back, returned_as: { code: 'R24', at, trace: null } })
    expect(await get(`/payments/${id}`)).toMatchObject({
      returned_as: { code: 'R24', at: shown.at, trace: null },
    })
  })
})

describe('a notification of change', () => {
  const notices = (id: string) =>
    service.store.reader.selectFrom('payment_notices').selectAll().where('payment_id', '=', id).execute()
  const noc = { code: 'C03', at }
  const corrected = { routing: '021000021', number: '77001234', account_type: 'savings' } as const

  it('corrects an ach account once, with its event, and leaves the payment as it was', async () => {
    const { id: account } = await newAccount()
    const id = await pay(account)
    const before = await get(`/payments/${id}`)
    await ask({ noc, corrected })
    expect(await get(`/accounts/${account}`)).toMatchObject({
      ach: { routing: '021000021', number: '77001234', type: 'savings' },
    })
    await ask({ noc, corrected: { number: '12345678' } })
    expect(await get(`/accounts/${account}`)).toMatchObject({ ach: { number: '77001234' } })
    expect(await eventsOf(account, 'account.number.update')).toHaveLength(1)
    expect(await get(`/payments/${id}`)).toEqual(before)
    expect(await notices(id)).toMatchObject([{ code: 'C03', at, corrected: null, handled_at: expect.any(Number) }])
  })

  it('corrects only what it names', async () => {
    const { id: account } = await newAccount()
    await pay(account)
    await ask({ noc: { code: 'C05', at }, corrected: { account_type: 'savings' } })
    expect(await get(`/accounts/${account}`)).toMatchObject({ ach: { routing, type: 'savings' } })
    expect(await eventsOf(account, 'account.number.update')).toEqual([])
  })

  it.each([{}, { routing: '021000022' }, { number: 'AB 1' }, { account_type: 'loan' as const }])(
    'that an account can not have is reported: %j',
    async impossible => {
      const { id: account } = await newAccount()
      const before = await get(`/accounts/${account}`)
      const id = await pay(account)
      await ask({ noc, corrected: impossible })
      expect(await get(`/accounts/${account}`)).toEqual(before)
      expect(await notices(id)).toMatchObject([{ handled_at: null, corrected: expect.any(String) }])
    },
  )

  it('of a payee is stored sealed and reported once with ids only', async () => {
    const before = await get(`/accounts/${card!.id}`)
    const id = await pay(card!.id)
    const reports = () => service.lines.filter(line => line.includes('payee_correction_reported') && line.includes(id))
    await ask({ noc, corrected })
    await ask({ noc, corrected })
    expect(reports()).toHaveLength(1)
    expect(JSON.parse(reports()[0]!)).toMatchObject({ request_id: id, provider_code: 'C03' })
    expect(await notices(id)).toMatchObject([{ handled_at: null, corrected: expect.any(String) }])
    expect(await get(`/accounts/${card!.id}`)).toEqual(before)
  })

  it('is deleted with the data of the account', async () => {
    const { id: account } = await newAccount()
    const id = await pay(account)
    await ask({ noc, corrected: { number: 'AB 1' } })
    expect(await notices(id)).toHaveLength(1)
    await bank.must('POST', `/simulate/payments/${id}`, { status: 'settled' })
    await bank.must('POST', `/accounts/${account}/consent`, { type: 'withdraw', reason: 'holder_withdrew_consent' })
    expect(await notices(id)).toEqual([])
  })
})
