import { expect, it } from 'vitest'
import { confirmed, fundingAccount, LOAN } from '../../testing/frame.js'
import { testService } from '../../testing/service.js'

const service = await testService()
const source = await fundingAccount(service)

interface Session {
  id: string
  bt: {
    unpaid?: string[]
    none_paid?: true
    rest_payment_ids?: Record<string, string>
    payment_ids: Record<string, string | null>
    payment_errors?: object
  }
}
const retrieve = async (id: string) =>
  (await service.call('GET', `/opal/sessions/${id}`)).body['data'] as unknown as Session
const list = async (query: string, headers?: Record<string, string>) =>
  (await service.call('GET', `/opal/sessions?${query}`, undefined, headers)).body['data'] as unknown as Session[]
const unpaidIds = async () => (await list('unpaid=true')).map(({ id }) => id)
const pay = async (destination: string, amount: number, session_id: string) => {
  const { status, body } = await service.call('POST', '/payments', {
    amount,
    source,
    destination,
    description: 'Rest',
    metadata: { session_id },
  })
  expect(status).toBe(200)
  return body['id'] as unknown as string
}

/** Releases a loan of a person one of whose accounts the rail rejects. */
async function releaseInPart() {
  const refusing = await fundingAccount(service, '1000000002')
  const { session, accounts } = await confirmed(service, '+15125550110', LOAN, [10_000, 20_000])
  const released = await service.call('POST', `/opal/sessions/${session}`, {
    action: 'release_payments',
    data: { source: refusing },
  })
  return { session, accounts: accounts.slice(0, 2), released: released.body['data'] as unknown as Session }
}

it('lists the accounts that a release could not pay, until a payment for the session pays each of them', async () => {
  const { session, accounts, released } = await releaseInPart()
  const [first, second] = accounts as [string, string]
  expect(released.bt.unpaid).toEqual(expect.arrayContaining(accounts))
  expect((await retrieve(session)).bt.unpaid).toEqual(released.bt.unpaid)
  expect((await list('')).find(({ id }) => id === session)?.bt).toMatchObject({ none_paid: true })
  expect(await unpaidIds()).toEqual([session])
  // Neither another amount nor another session pays the rest.
  await pay(first, 10_001, session)
  await pay(first, 10_000, 'osess_another')
  const refused = await retrieve(session)
  expect(refused.bt.unpaid).toHaveLength(2)
  expect(refused.bt).not.toHaveProperty('rest_payment_ids')
  const canceled = await pay(first, 10_000, session)
  expect((await retrieve(session)).bt.unpaid).toEqual([second])
  expect((await retrieve(session)).bt).not.toHaveProperty('none_paid')
  await service.call('DELETE', `/payments/${canceled}`)
  const failed = await retrieve(session)
  expect(failed.bt.unpaid).toHaveLength(2)
  expect(failed.bt.none_paid).toBe(true)
  expect(failed.bt.rest_payment_ids).toEqual({ [first]: canceled })
  const firstPayment = await pay(first, 10_000, session)
  expect(await unpaidIds()).toEqual([session])
  const secondPayment = await pay(second, 20_000, session)
  // A payment that is lost after another one paid the account changes nothing.
  const spare = await pay(first, 10_000, session)
  await service.call('DELETE', `/payments/${spare}`)
  const paid = await retrieve(session)
  expect(paid.bt).not.toHaveProperty('unpaid')
  expect(paid.bt.rest_payment_ids).toEqual({ [first]: firstPayment, [second]: secondPayment })
  expect(paid.bt.payment_ids).toEqual(released.bt.payment_ids)
  expect(await unpaidIds()).toEqual([])
  // The result of the release does not change.
  expect(Object.keys(paid.bt.payment_errors!)).toHaveLength(2)
  expect((await list('')).find(({ id }) => id === session)?.bt).not.toHaveProperty('unpaid')
})

it('lists neither complete releases nor sessions of other teams as unpaid', async () => {
  const { session: complete } = await confirmed(service, '+15125550110', LOAN, [10_000])
  await service.call('POST', `/opal/sessions/${complete}`, { action: 'release_payments', data: { source } })
  const { session } = await releaseInPart()
  expect(await unpaidIds()).toEqual([session])
  const { key } = await service.anotherTeam()
  expect(await list('unpaid=true', { authorization: `Bearer ${key}` })).toEqual([])
  const wrong = await service.call('GET', '/opal/sessions?unpaid=yes')
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('unpaid')])
})

it('says that no account was paid only once the payments of the release are lost too', async () => {
  const limits = (payment_amount_max: number | null) =>
    service.call('PATCH', '/team', { limits: { payment_amount_max } })
  await limits(15_000)
  const { session } = await confirmed(service, '+15125550110', LOAN, [10_000, 20_000])
  const released = await service.call('POST', `/opal/sessions/${session}`, {
    action: 'release_payments',
    data: { source },
  })
  const { bt } = released.body['data'] as unknown as Session
  expect(bt.unpaid).toHaveLength(1)
  const payment = Object.values(bt.payment_ids).find(id => id !== null)
  const nonePaid = async () => (await retrieve(session)).bt.none_paid
  expect([bt.none_paid, await nonePaid()]).toEqual([undefined, undefined])
  const move = (body: object) => service.call('POST', `/simulate/payments/${payment}`, body)
  for (const status of ['processing', 'sent', 'posted']) await move({ status })
  expect(await nonePaid()).toBe(undefined)
  await move({ status: 'reversal_required', error_code: 10009 })
  expect(await nonePaid()).toBe(true)
  await limits(null)
})
