import { describe, expect, it } from 'vitest'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'
import { accountSessions, isLimited, usedAttempts } from '../../testing/verification.js'

const service = await testService()
/** A second process on PostgreSQL; the same process on SQLite. */
const other = service.store.engine === 'postgres' ? await service.again() : service

const { sessions, begin } = accountSessions(service)
const used = (kind: string) => usedAttempts(service, kind)
async function card(): Promise<string> {
  return (await lender(service).debts('+15121231111')).accounts[0]!.id
}
async function debt(): Promise<string> {
  return (await lender(service).debts('+15125550100')).accounts[1]!.id
}

describe('wrong security codes for a card', () => {
  // kills: guesses-count-across-sessions
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
