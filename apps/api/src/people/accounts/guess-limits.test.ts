import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorOf } from '../../testing/cases.js'
import { lender } from '../../testing/money.js'
import { type Reply, type TestService, testService } from '../../testing/service.js'

const DAY = 86_400_000
const limited = 'VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED'
let service: TestService
/** A second process on PostgreSQL; the same process on SQLite. */
let other: TestService
beforeAll(async () => {
  service = await testService()
  other = service.store.engine === 'postgres' ? await service.again() : service
})
afterAll(() => service.stop())

const sessions = (account: string) => `/accounts/${account}/verification_sessions`
const begin = (account: string, type: string) => service.call('POST', sessions(account), { type })
const isLimited = (reply: Reply, retryAfter = DAY) => {
  const { sub_type, message } = errorOf(reply.body)
  expect([reply.status, sub_type, message]).toEqual([400, limited, expect.stringMatching(/Try again at 20\S+Z\.$/)])
  expect(reply.headers.get('retry-after')).toBe(String(retryAfter / 1000))
}
/** The number of attempts in the counters of one kind, across all accounts. */
const used = async (kind: string): Promise<number> => {
  const rows = await service.store.reader.selectFrom('counters').select('used').where('kind', '=', kind).execute()
  return rows.reduce((all, row) => all + row.used, 0)
}
async function card(): Promise<string> {
  return (await lender(service).debts('+15121231111')).accounts[0]!.id
}
async function debt(): Promise<string> {
  return (await lender(service).debts('+15125550100')).accounts[1]!.id
}
async function bank(): Promise<string> {
  const source = (await lender(service).source()).id
  const holder_id = (await service.call('GET', `/accounts/${source}`)).body['holder_id']
  const ach = { routing: '062103000', number: '1000000009', type: 'checking' }
  return (await service.call('POST', '/accounts', { holder_id, ach })).body['id']
}

describe('wrong security codes for a card', () => {
  it('are limited to five per account and day, across sessions of both methods that check a code', async () => {
    const account = await card()
    const ids = Object.fromEntries(
      await Promise.all(['pre_auth', 'network'].map(async type => [type, (await begin(account, type)).body['id']])),
    ) as Record<string, string>
    const answer = (type: string, cvv: string) =>
      service.call('PUT', `${sessions(account)}/${ids[type]}`, { [type]: { cvv } })
    for (const type of ['pre_auth', 'network', 'pre_auth', 'network', 'pre_auth'])
      expect((await answer(type, '111')).body).toMatchObject({ status: 'pending', error: { code: 16002 } })
    // Even the correct code is rejected without being checked, and no attempt is used.
    isLimited(await answer('network', '878'))
    await service.call('POST', '/simulate/clock', { advance: 'P1D' })
    expect((await answer('network', '878')).body).toMatchObject({ status: 'verified' })
  })

  it('are limited to five among 24 simultaneous answers, and no other session can start that day', async () => {
    const account = await card()
    const before = await used('card')
    const ids = await Promise.all(
      ['pre_auth', 'network'].map(async type => [type, (await begin(account, type)).body['id']]),
    )
    const replies = await Promise.all(
      Array.from({ length: 24 }, (_, index) => {
        const [type, id] = ids[index % 2] as [string, string]
        return (index % 4 < 2 ? other : service).call('PUT', `${sessions(account)}/${id}`, { [type]: { cvv: '111' } })
      }),
    )
    expect(replies.filter(reply => reply.status === 200)).toHaveLength(5)
    expect((await used('card')) - before).toBe(5)
    const next = await card()
    const [id] = [(await begin(next, 'pre_auth')).body['id']]
    for (let tries = 0; tries < 5; tries++)
      await service.call('PUT', `${sessions(next)}/${id}`, { pre_auth: { cvv: '111' } })
    expect((await service.call('GET', `${sessions(next)}/${id}`)).body).toMatchObject({ error: { code: 16003 } })
    isLimited(await begin(next, 'pre_auth'))
  })
})

it('wrong account numbers are limited to ten per account and day, across sessions', async () => {
  const account = await debt()
  for (let session = 0; session < 2; session++) {
    const { id } = (await begin(account, 'standard')).body
    for (let tries = 0; tries < 5; tries++)
      await service.call('PUT', `${sessions(account)}/${id}`, { standard: { number: '4000000000091111' } })
    expect((await service.call('GET', `${sessions(account)}/${id}`)).body).toMatchObject({ status: 'failed' })
  }
  isLimited(await begin(account, 'standard'))
})

it('an answer that is correct or could not be checked is not counted', async () => {
  const account = await debt()
  const before = await used('number')
  const { id } = (await begin(account, 'standard')).body
  const answer = () => service.call('PUT', `${sessions(account)}/${id}`, { standard: { number: '4000000000090342' } })
  await service.fault('network', 'failing')
  expect((await answer()).status).toBe(503)
  expect(await used('number')).toBe(before)
  service.advance(30_000)
  expect((await answer()).body).toMatchObject({ status: 'verified' })
  expect(await used('number')).toBe(before)
})

describe('micro-deposits', () => {
  const failed = async (account: string) => {
    const { id } = (await begin(account, 'micro_deposits')).body
    await service.settle()
    for (let tries = 0; tries < 5; tries++)
      await service.call('PUT', `${sessions(account)}/${id}`, { micro_deposits: { amounts: [1, 2] } })
  }

  it('are sent to an account at most three times a day', async () => {
    const account = await bank()
    for (let session = 0; session < 3; session++) await failed(account)
    isLimited(await begin(account, 'micro_deposits'))
    const { body } = await service.call('GET', sessions(account))
    expect(body['data']).toHaveLength(3)
    await service.call('POST', '/simulate/clock', { advance: 'P1D' })
    expect((await begin(account, 'micro_deposits')).status).toBe(200)
  })

  it('are not counted while another session is still open', async () => {
    const account = await bank()
    await begin(account, 'micro_deposits')
    const before = await used('deposits')
    for (let times = 0; times < 4; times++)
      expect(errorOf((await begin(account, 'micro_deposits')).body).sub_type).toBe('EXISTING_VERIFICATION_SESSION')
    expect(await used('deposits')).toBe(before)
  })
})
