import { describe, expect, it } from 'vitest'
import { contrasts, resource } from '../../../testing/contract/cases.js'
import { lender } from '../../../testing/money.js'
import { testService } from '../../../testing/service.js'

type Body = Record<string, unknown> & { id: string }

const service = await testService()
const { accounts } = await lender(service).debts('+15125550100')
const card = accounts[0]!.id

describe.each(contrasts)('an update, $name', ({ mount, headers }) => {
  const call = async (method: string, path: string, body?: unknown) =>
    (await service.call(method, mount + path, body, headers)).body
  const post = async (path: string, body?: unknown) => resource<Body>(mount, await call('POST', path, body))
  const get = async (path: string) => resource<Body>(mount, await call('GET', path))

  it("is direct, has all of its type's keys while pending, and is then completed", async () => {
    const path = `/accounts/${card}/updates`
    const made = await post(path, {})
    expect(made).toMatchObject({ source: 'direct', type: 'credit_card', status: 'pending', data_as_of: null })
    const blank = made['credit_card'] as Record<string, unknown>
    expect(Object.values(blank).every(value => value === null)).toBe(true)
    await service.settle()
    const filled = await get(`${path}/${made.id}`)
    expect(Object.keys(filled['credit_card'] as object).sort()).toEqual(Object.keys(blank).sort())
    expect(filled).toMatchObject({ status: 'completed', credit_card: { balance: 521_240 } })
  })
})

it('returns a failed record if the institution does not respond', async () => {
  const { accounts } = await lender(service).debts('+15125550109')
  const path = `/accounts/${accounts[2]!.id}/updates`
  const made = await service.call('POST', path)
  await service.settle()
  expect((await service.call('GET', `${path}/${made.body['id']}`)).body).toMatchObject({
    status: 'failed',
    error: { code: 21001 },
  })
})
