import { beforeAll, describe, expect, it } from 'vitest'
import { errorOf, rejectionOf, resource, speaking } from '../../../testing/contract/cases.js'
import { fundingAccount } from '../../../testing/frame.js'
import { lender } from '../../../testing/money.js'
import { counter } from '../../../testing/queries/counting.js'
import { testService } from '../../../testing/service.js'

type Body = Record<string, unknown> & {
  id: string
  update: { account_id: string }
  connect: { accounts: Body[] }
  accounts: Body[]
}
const counted = counter()
const service = await testService({ store: counted.store })
const debts = await lender(service).debts('+15125550101')
for (const { id } of debts.accounts) await service.call('POST', `/accounts/${id}/balances`)
const ach = await fundingAccount(service)
await service.settle()

describe.each(speaking)('expand[], $name', ({ mount, headers }) => {
  const get = async (path: string) => {
    const reply = await service.call('GET', mount + path, undefined, headers)
    if (reply.status !== 200) throw new Error(reply.text)
    return resource<Body>(mount, reply.body)
  }
  const listed = async (path: string) => {
    const reply = await service.call('GET', mount + path, undefined, headers)
    return reply.body['data'] as Body[]
  }
  const account = () => debts.accounts[0]!.id

  it('4.3.2 an entity accepts expand[]', async () => {
    const plain = await get(`/entities/${debts.entity}`)
    const shown = await get(`/entities/${debts.entity}?expand[]=connect`)
    expect(shown['connect']).toEqual(await get(`/entities/${debts.entity}/connect/${plain['connect']}`))
  })

  it('reads a list in every form that HTTP libraries send', async () => {
    const shown = await get(`/accounts/${account()}?expand[]=update&expand[]=balance`)
    for (const query of [
      'expand[0]=update&expand[1]=balance',
      'expand%5B0%5D=update&expand%5B1%5D=balance',
      'expand[1]=balance&expand[0]=update',
      'expand=update&expand=balance',
      'expand[]=update&expand[7]=balance&expand=update',
    ]) {
      const reply = await service.call('GET', `${mount}/accounts/${account()}?${query}`, undefined, headers)
      expect(resource<Body>(mount, reply.body), query).toEqual(shown)
      expect(reply.headers.get('service-unknown-fields')).toBeNull()
    }
    const types = async (query: string) => new Set((await listed(`/accounts?${query}`)).map(each => each['type']))
    expect(await types('type[0]=ach')).toEqual(new Set(['ach']))
    expect(await types('type[0]=ach&type[1]=liability')).toEqual(new Set(['ach', 'liability']))
    const refused = await service.call('GET', `${mount}/accounts?expand[0]=nothing`, undefined, headers)
    expect([refused.status, errorOf(refused.body).message]).toEqual([
      400,
      expect.stringMatching(/^expand\[\] can be: /),
    ])
  })

  it('4.9.1 the object replaces its id in that response only', async () => {
    const plain = await get(`/accounts/${account()}`)
    const shown = await get(`/accounts/${account()}?expand[]=update`)
    expect(shown).toEqual({ ...plain, update: await get(`/accounts/${account()}/updates/${plain['update']}`) })
    expect(shown['update']).toMatchObject({ id: plain['update'], source: 'direct', credit_card: expect.any(Object) })
    expect(await get(`/accounts/${account()}`)).toEqual(plain)
    const connect = await get(
      `/entities/${debts.entity}/connect/${(await get(`/entities/${debts.entity}`))['connect']}?expand[]=accounts`,
    )
    expect(connect['accounts']).toEqual(await Promise.all(debts.accounts.map(({ id }) => get(`/accounts/${id}`))))
  })

  it('4.9.2 several fields can be expanded at once, in either spelling, for one resource and lists', async () => {
    const one = await get(`/accounts/${account()}?expand[]=update&expand[]=balance&expand=card_brand`)
    expect([one['update'], one['balance'], one['card_brand']]).toEqual([
      expect.objectContaining({ id: expect.stringMatching(/^upt_/) }),
      expect.objectContaining({ id: expect.stringMatching(/^bal_/), amount: expect.any(Number) }),
      null,
    ])
    const list = await listed(`/accounts?expand[]=update&expand[]=balance&type=liability`)
    expect(list.find(row => row.id === account())).toEqual({ ...one, card_brand: null })
    const entities = await listed('/entities?expand[]=connect&expand[]=credit_score')
    expect(entities.find(row => row.id === debts.entity)?.['connect']).toMatchObject({ status: 'completed' })
  })

  it('4.9.3 every field documented as expandable is accepted; fields that have no record are null', async () => {
    const one = await get(
      `/accounts/${account()}?${['update', 'balance', 'payoff', 'sensitive', 'transactions', 'card_brand', 'latest_verification_session'].map(name => `expand[]=${name}`).join('&')}`,
    )
    expect(one).toMatchObject({
      update: { account_id: account() },
      balance: { account_id: account(), status: 'completed' },
      payoff: null,
      sensitive: null,
      transactions: [],
      card_brand: null,
      latest_verification_session: null,
    })
    const funding = await get(`/accounts/${ach}?expand[]=latest_verification_session`)
    expect(funding['latest_verification_session']).toMatchObject({ account_id: ach, status: 'verified' })
    const entity = await get(`/entities/${debts.entity}?expand[]=connect&expand[]=credit_score&expand[]=identity`)
    expect(entity).toMatchObject({ connect: { entity_id: debts.entity }, credit_score: null, identity: null })
  })

  it('4.9.4 Connect expands its accounts, and fields inside them', async () => {
    const id = (await get(`/entities/${debts.entity}`))['connect']
    for (const path of [`/entities/${debts.entity}/connect/${id}`, `/entities/${debts.entity}/connect`]) {
      const read = async (query: string) => {
        const answer = await (path.endsWith(String(id)) ? get(`${path}?${query}`) : listed(`${path}?${query}`))
        return (Array.isArray(answer) ? answer[0] : answer) as Body
      }
      expect((await read('expand[]=accounts')).accounts[0]).toMatchObject({ update: expect.stringMatching(/^upt_/) })
      const deep = await read('expand[]=accounts.update&expand[]=accounts.balance')
      expect(deep.accounts.map(row => row.update.account_id)).toEqual(debts.accounts.map(row => row.id))
      expect(deep.accounts[0]?.['balance']).toMatchObject({ status: 'completed' })
    }
    const entity = await get(`/entities/${debts.entity}?expand[]=connect.accounts.update`)
    expect(entity.connect.accounts[0]?.update).toMatchObject({ source: 'direct' })
  })

  it('8 connect expand depth two levels and no deeper', async () => {
    const id = (await get(`/entities/${debts.entity}`))['connect']
    for (const field of ['accounts.update.account', 'accounts.holder_id', 'accounts.', '.accounts'])
      expect(
        (
          await service.call(
            'GET',
            `${mount}/entities/${debts.entity}/connect/${id}?expand[]=${field}`,
            undefined,
            headers,
          )
        ).status,
      ).toBe(400)
  })

  it('an unknown field is 400 with the known names, and the response does not repeat it', async () => {
    for (const path of [
      '/entities',
      `/entities/${debts.entity}`,
      '/accounts',
      `/accounts/${account()}`,
      `/entities/${debts.entity}/connect`,
      '/payments',
    ]) {
      const reply = await service.call('GET', `${mount}${path}?expand[]=canary`, undefined, headers)
      expect([path, reply.status, rejectionOf(reply)]).toEqual([path, 400, 'INVALID_REQUEST'])
      expect(errorOf(reply.body).message).toMatch(/^expand\[\] can be: \w+/)
      expect(reply.text).not.toContain('canary')
    }
  })
})

describe('a list of a hundred resources', () => {
  beforeAll(async () => {
    for (let index = 0; index < 100; index++) {
      await service.call('POST', '/accounts', {
        holder_id: debts.entity,
        ach: { routing: '062103000', number: `9000${index}`, type: 'checking' },
      })
    }
  })

  it.each([
    '/accounts?expand[]=update&expand[]=balance',
    '/accounts?expand[]=latest_verification_session&expand[]=update',
    '/entities?expand[]=connect&expand[]=credit_score',
    '/entities?expand[]=connect.accounts&expand[]=connect.accounts.update',
    '/payments?expand[]=source&expand[]=destination',
  ])('%s needs at most five queries', async path => {
    await service.call('GET', path)
    counted.taken()
    const reply = await service.call('GET', path)
    expect(reply.status).toBe(200)
    expect(counted.taken()).toBeLessThanOrEqual(5)
  })
})
