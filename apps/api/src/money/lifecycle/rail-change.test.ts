/** The operator changes the rail while payments are in progress. */
import { DAY_MS } from '@causeway/contract/time'
import { expect, it } from 'vitest'
import { bankService } from '../../testing/bank.js'
import { lender } from '../../testing/money.js'
import type { TestService } from '../../testing/service.js'
import { checkLedger } from '../ledger/check.js'

const bank = await bankService()
const { team, emulator } = bank
await team.must('PATCH', '/team', { ach_destinations: true })
const source = (await team.source()).id

const elsewhere = (await team.source('2000000')).id
const pay = async (service: TestService, number: string, more = {}) => {
  const api = lender(service)
  const { id: destination } = await api.source(number)
  return (await api.must('POST', '/payments', { amount: 5_000, source, destination, description: 'Loan', ...more })).id
}
const statusOf = async (service: TestService, id: string) =>
  (await lender(service).must('GET', `/payments/${id}`))['status']

/** Starts the service again, with the sandbox as rail for new payments. */
const changeRail = (isBankConfigured: boolean) =>
  bank.service.again(
    isBankConfigured
      ? {
          providers: {
            list: [bank.configured],
            fetch: bank.send,
            overrides: new Map([['rail/submit', 'sandbox']]),
          },
        }
      : { unserved: ['network/vehicles'] },
  )

async function letDaysPass(service: TestService, days: number) {
  for (let day = 0; day < days; day++) {
    service.advance(DAY_MS)
    emulator.forward(0)
    await service.settle()
  }
}

// kills: payments-stay-with-their-rail
it('a payment stays with the rail that it was created for, whatever its state', async () => {
  const returned = await pay(bank.service, '770002', { reversal_account: elsewhere })
  await bank.service.settle()
  await bank.pass(4)
  expect(await statusOf(bank.service, returned)).toBe('reversal_required')
  const submitted = await pay(bank.service, '2000001')
  await bank.service.settle()
  const [waiting, canceled] = [await pay(bank.service, '2000003'), await pay(bank.service, '2000002')]
  const transfers = () => [...emulator.transfers.all.values()]
  const count = transfers().length

  const service = await changeRail(true)
  const api = lender(service)
  const later = await pay(service, '2000004')
  // The bank cannot cancel a transfer that it has submitted. The sandbox could.
  expect(await api.rejection('DELETE', `/payments/${submitted}`)).toBe('INVALID_STATUS')
  await api.must('DELETE', `/payments/${canceled}`)
  const { reversal_id } = await api.must('GET', `/payments/${returned}`)
  await api.must('PUT', `/payments/${returned}/reversals/${reversal_id}`, { status: 'pending' })
  await letDaysPass(service, 6)
  expect(await statusOf(service, returned)).toBe('reversed')
  for (const id of [submitted, waiting]) {
    expect(await statusOf(service, id)).toBe('posted')
    expect(bank.transferOf(id)).toMatchObject({ status: 'submitted' })
  }
  expect(await statusOf(service, later)).toBe('posted')
  expect(bank.transferOf(later)).toBeUndefined()
  expect(await statusOf(service, canceled)).toBe('canceled')
  // The waiting payment and the reversal.
  expect(transfers().length - count).toBe(2)
  expect(await checkLedger(service.deps, {})).toMatchObject({ ok: true, unanswered: 0, unconfigured: [] })
})

it('a payment whose rail is no longer configured waits, and continues when it is configured again', async () => {
  const [submitted, waiting] = [await pay(bank.service, '2000005'), await pay(bank.service, '2000006')]
  const service = await changeRail(false)
  const refused = await lender(service).call('DELETE', `/payments/${submitted}`)
  expect([refused.status, refused.body.error?.message]).toEqual([
    503,
    'The rail could not be reached. Nothing was changed. Retry the request.',
  ])
  await letDaysPass(service, 3)
  expect([await statusOf(service, submitted), await statusOf(service, waiting)]).toEqual(['pending', 'pending'])
  expect(bank.transferOf(submitted)).toBeUndefined()
  expect(await checkLedger(service.deps, {})).toMatchObject({ ok: true, unconfigured: ['increase'] })

  const again = await changeRail(true)
  await letDaysPass(again, 6)
  for (const id of [submitted, waiting]) {
    expect(await statusOf(again, id)).toBe('posted')
    expect(bank.transferOf(id)).toBeDefined()
  }
})
