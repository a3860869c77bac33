import { describe, expect, it } from 'vitest'
import { contrasts, resource } from '../../../testing/contract/cases.js'
import { lender } from '../../../testing/money.js'
import { eventsOf, recordOf } from '../../../testing/records.js'
import { testService } from '../../../testing/service.js'

type Body = Record<string, unknown> & { id: string }

const service = await testService()
const events = eventsOf(service)
const { accounts } = await lender(service).debts('+15125550100')
const card = accounts[0]!.id

describe.each(contrasts)('a balance, $name', ({ mount, headers }) => {
  const call = async (method: string, path: string, body?: unknown) =>
    (await service.call(method, mount + path, body, headers)).body
  const post = async (path: string, body?: unknown) => resource<Body>(mount, await call('POST', path, body))
  const get = async (path: string) => resource<Body>(mount, await call('GET', path))

  it('is pending, then completed; the account references it', async () => {
    const path = `/accounts/${card}/balances`
    const made = await post(path)
    const fields = { id: expect.stringMatching(/^bal_\w{13}$/), ...recordOf(card) }
    expect(made).toEqual({ ...fields, status: 'pending', amount: null })
    await service.settle()
    expect(await get(`${path}/${made.id}`)).toEqual({ ...fields, status: 'completed', amount: 521_240 })
    expect(await get(`/accounts/${card}`)).toMatchObject({ balance: made.id })
    expect((await call('GET', path))['data'][0]).toMatchObject({ id: made.id })
    expect(await events(made.id)).toEqual(['balance.create', 'balance.update'])
  })
})

it("a balance's record fails if the institution does not respond", async () => {
  const { accounts } = await lender(service).debts('+15125550109')
  const path = `/accounts/${accounts[2]!.id}/balances`
  const made = await service.call('POST', path)
  await service.settle()
  expect((await service.call('GET', `${path}/${made.body['id']}`)).body).toMatchObject({
    status: 'failed',
    error: { code: 20001 },
  })
})
