import { describe, expect, it } from 'vitest'
import { resource, speaking } from '../../../testing/contract/cases.js'
import { lender } from '../../../testing/money.js'
import { provenDebts, recordOf } from '../../../testing/records.js'
import { testService } from '../../../testing/service.js'

type Body = Record<string, unknown> & { id: string }

let loan: string
const service = await testService()
;({ loan } = await provenDebts(service))

describe.each(speaking)('a payoff, $name', ({ mount, headers }) => {
  const post = async (path: string, body?: unknown) =>
    resource<Body>(mount, (await service.call('POST', mount + path, body, headers)).body)
  const get = async (path: string) =>
    resource<Body>(mount, (await service.call('GET', mount + path, undefined, headers)).body)

  it('is pending, then completed; the account references it', async () => {
    const path = `/accounts/${loan}/payoffs`
    const made = await post(path)
    const fields = { id: expect.stringMatching(/^pyf_\w{13}$/), ...recordOf(loan) }
    expect(made).toEqual({ ...fields, status: 'pending', amount: null, per_diem_amount: null, term: null })
    await service.settle()
    const told = { ...fields, status: 'completed', amount: 6_083_988, per_diem_amount: null, term: 15 }
    expect(await get(`${path}/${made.id}`)).toEqual(told)
    expect((await get(`/accounts/${loan}?expand[]=payoff`))['payoff']).toEqual(await get(`${path}/${made.id}`))
    expect(await get(`/accounts/${loan}`)).toMatchObject({ payoff: made.id })
  })
})

it("a payoff's record fails if the institution does not respond", async () => {
  const { accounts } = await lender(service).debts('+15125550101')
  const path = `/accounts/${accounts[3]!.id}/payoffs`
  const made = await service.call('POST', path)
  await service.settle()
  expect((await service.call('GET', `${path}/${made.body['id']}`)).body).toMatchObject({
    status: 'failed',
    amount: null,
    error: { code: 18001, sub_type: 'PAYOFF_TEMPORARILY_UNAVAILABLE' },
  })
})
