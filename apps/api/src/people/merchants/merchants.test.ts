import { describe, expect, it } from 'vitest'
import { NEWEST, resource, speaking } from '../../testing/contract/cases.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'
import { findMerchants, showMerchant } from './merchant.js'

const service = await testService()

type Merchant = Record<string, unknown> & { id: string }

describe.each(speaking)('merchants, $name', ({ name, mount, headers }) => {
  const get = (path: string) => service.call('GET', mount + path, undefined, headers)
  const list = async (query: string) => (await get(`/merchants?${query}`)).body['data'] as Merchant[]

  it("a merchant has exactly its resource's fields", async () => {
    expect(resource(mount, (await get('/merchants/mch_300485')).body)).toEqual({
      id: 'mch_300485',
      parent_name: 'American Express',
      name: 'American Express Credit Card',
      logo: 'http://127.0.0.1:4000/assets/merchants/mch_300485.svg',
      type: 'credit_card',
      provider_ids: {
        plaid: ['ins_10'],
        mx: ['amex'],
        finicity: [],
        dpp: ['7929257', '120', '18391555', '18954427', '11859365', '18947131', '16255844'],
        ...(name.includes(NEWEST) && { rpps: [] }),
      },
      is_temp: false,
      account_number_formats: ['###############'],
    })
  })

  it('the latest match comes first', async () => {
    expect((await list('provider_id.plaid=ins_10')).map(one => one.id)).toEqual(['mch_300485', 'mch_3'])
  })

  it('an unknown merchant returns NOT_FOUND', async () => {
    expect((await get('/merchants/mch_0')).status).toBe(404)
  })
})

describe('the list of merchants', () => {
  const list = async (query: string) =>
    ((await service.call('GET', `/merchants?${query}`)).body['data'] as Merchant[]).map(one => one.id)

  it('is narrowed by each filter, and by several combined', async () => {
    expect(await list('name=capital%20ONE')).toEqual(['mch_301761', 'mch_301760'])
    expect(await list('name=capital%20one&type=auto_loan')).toEqual(['mch_301760'])
    expect(await list('creditor_name=jpmcb')).toEqual(['mch_302086', 'mch_1'])
    expect(await list('provider_id.mx=amex')).toEqual(['mch_300485', 'mch_3'])
    expect(await list('provider_id.dpp=7929257')).toEqual(['mch_300485'])
    expect(await list('provider_id.finicity=1')).toEqual([])
    expect(await list('name=nobody')).toEqual([])
  })

  it("contains only the latest merchant with a provider's id at 2020-12-06", async () => {
    const at = async (query: string, version: string) => {
      const { body } = await service.call('GET', `/merchants?${query}`, undefined, { 'service-version': version })
      return (body['data'] as Merchant[]).map(one => one.id)
    }
    expect(await at('provider_id.plaid=ins_10', '2020-12-06')).toEqual(['mch_300485'])
    expect(await at('provider_id.plaid=ins_10', '2024-04-04')).toEqual(['mch_300485', 'mch_3'])
    expect(await at('', '2020-12-06')).toEqual(await at('', '2024-04-04'))
  })

  it('comes in pages', async () => {
    const all = await list('')
    const first = await service.call('GET', '/merchants?page=1&page_limit=5')
    expect((first.body['data'] as Merchant[]).map(one => one.id)).toEqual(all.slice(0, 5))
    expect(first.headers.get('pagination-total-count')).toBe(String(all.length))
    const next = first.headers.get('pagination-page-cursor-next')
    expect(await list(`page_limit=5&page_cursor=${next}`)).toEqual(all.slice(5, 10))
    expect(await list('page_limit=5&page=99')).toEqual([])
    expect((await service.call('GET', '/merchants?page=1&page_cursor=mch_3')).status).toBe(400)
  })
})

describe('an account’s merchant', () => {
  it('is expanded by liability.mch_id, under connect too', async () => {
    const { accounts, entity } = await lender(service).debts('+15125550101')
    const merchant = (await service.call('GET', '/merchants/mch_1')).body
    const one = await service.call('GET', `/accounts/${accounts[0]!.id}?expand[]=liability.mch_id`)
    expect(one.body).toMatchObject({ liability: { mch_id: merchant, mask: '4417' } })
    const deep = 'expand[]=connect.accounts.liability.mch_id'
    const found = (await service.call('GET', `/entities/${entity}?${deep}`)).body as never as {
      connect: { accounts: { liability: { mch_id: Merchant } }[] }
    }
    expect(found.connect.accounts.map(account => account.liability.mch_id.id)).toContain('mch_1')
  })
})

it('a type that the contract does not list is shown, and found, as unknown', () => {
  const [known] = service.deps.ports.network.merchants(['mch_300485'])
  const orchard = { ...known!, type: 'orchard' }
  expect(showMerchant(orchard).type).toBe('unknown')
  const find = (types: string[]) => findMerchants([known!, orchard], { types, providers: {} })
  expect([find(['unknown']), find(['orchard'])]).toEqual([[orchard], []])
})
