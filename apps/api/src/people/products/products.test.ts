import { describe, expect, it } from 'vitest'
import { contrasts, rejectionOf, resource, timestamp } from '../../testing/contract/cases.js'
import { someone } from '../../testing/frame.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'

const service = await testService()
const debts = await lender(service).debts('+15125550100')

const times = { created_at: expect.stringMatching(timestamp), updated_at: expect.stringMatching(timestamp) }
type Record_ = Record<string, unknown> & { id: string }

describe.each(contrasts)('products, $name', ({ name, mount, headers }) => {
  const call = async (method: string, path: string, body?: unknown) => {
    const reply = await service.call(method, mount + path, body, headers)
    if (reply.status !== 200) throw new Error(reply.text)
    return reply
  }
  const get = async (path: string) => resource<Record_>(mount, (await call('GET', path)).body)
  const post = async (path: string, body?: unknown) => resource<Record_>(mount, (await call('POST', path, body)).body)

  it('connect returns the accounts that it finds; a later connect returns only new accounts', async () => {
    const { entity } = await lender(service).debts('+15125550112')
    const again = await post(`/entities/${entity}/connect`)
    expect(again).toEqual({
      id: expect.stringMatching(/^cxn_\w{13}$/),
      entity_id: entity,
      status: 'completed',
      accounts: [],
      requested_products: [],
      requested_subscriptions: [],
      ...(name.includes('2026') ? { files: [], credit_reports: null } : {}),
      error: null,
      ...times,
    })
    const list = (await call('GET', `/entities/${entity}/connect`)).body['data'] as { accounts: string[] }[]
    expect(list.map(row => row.accounts.length)).toEqual([0, 2])
    expect((await get(`/entities/${entity}`))['connect']).toBe(again.id)
  })
})

describe('a product', () => {
  const rejection = async (path: string, body?: unknown) => rejectionOf(await service.call('POST', path, body))

  it('is rejected if the institution, account or team does not support it', async () => {
    const loan = debts.accounts[3]!.id
    expect(await rejection(`/accounts/${loan}/updates`)).toBe('PRODUCT_UNAVAILABLE')
    const unverified = await someone(service, '+15125550101')
    expect(await rejection(`/entities/${unverified}/connect`)).toBe('ENTITY_VERIFICATION_MISSING')
    await service.store.write(tx =>
      tx.updateTable('accounts').set({ status: 'closed' }).where('id', '=', debts.accounts[4]!.id).execute(),
    )
    expect(await rejection(`/accounts/${debts.accounts[4]!.id}/balances`)).toBe('PRODUCT_UNAVAILABLE')
    expect(await rejection(`/accounts/${debts.accounts[0]!.id}/balances`, '{')).toBe('INVALID_REQUEST')
  })

  it('returns a failed record if the bureau does not respond: 26001, 26002', async () => {
    const { must, debts: find } = lender(service)
    for (const [phone, code] of [
      ['+15125550106', 26001],
      ['+15125550107', 26002],
    ] as const) {
      const { entity } = await find(phone)
      const { data } = (await must('GET', `/entities/${entity}/connect`)) as unknown as { data: unknown[] }
      expect(data[0]).toMatchObject({ status: 'failed', accounts: null, error: { code } })
    }
  })

  it('is retried while the external service is down, and fails if the service never responds', async () => {
    const account = debts.accounts[0]!.id
    const made = await service.call('POST', `/accounts/${account}/balances`)
    for (let minutes = 0; minutes < 20; minutes++) {
      await service.fault('network', 'failing')
      await service.settle()
      service.advance(29_000)
    }
    const record = await service.call('GET', `/accounts/${account}/balances/${made.body['id']}`)
    expect(record.body).toMatchObject({ status: 'failed', error: { code: 20001 } })
    service.advance(60_000)
    const next = await service.call('POST', `/accounts/${account}/balances`)
    await service.settle()
    expect((await service.call('GET', `/accounts/${account}/balances/${next.body['id']}`)).body).toMatchObject({
      status: 'completed',
    })
  })

  it('completes even if the network fails intermittently', async () => {
    await service.fault('network', 'flapping')
    const account = debts.accounts[0]!.id
    const made = await service.call('POST', `/accounts/${account}/updates`)
    await service.settle()
    service.advance(2_000)
    await service.settle()
    expect((await service.call('GET', `/accounts/${account}/updates/${made.body['id']}`)).body).toMatchObject({
      status: 'completed',
    })
  })
})
