import { OutsideError } from '@causeway/connector/ports/outside-error'
import { beforeEach, expect, it } from 'vitest'
import { rejectionOf } from '../../testing/contract/cases.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'

type Numbers = { request_id: string; number: string }
type Reply = { status: 'verified' } | { status: 'failed'; code: 16001 | 16002 }

/** If set, replaces the sandbox's response to a number check. */
let says: ((call: Numbers) => Promise<Reply>) | undefined
/** A delay before a card check completes. */
let hold: (() => Promise<void>) | undefined
const service = await testService({
  ports: ports => ({
    ...ports,
    network: {
      ...ports.network,
      verifyNumber: call => (says ? says(call) : ports.network.verifyNumber(call)),
      async checkCard(call) {
        await hold?.()
        return ports.network.checkCard(call)
      },
    },
  }),
})
beforeEach(() => {
  says = undefined
  hold = undefined
  service.advance(3_600_001) // the number of codes sent to one phone per hour is limited
})

const right = '4000000000090342'
const wrong = '4000000000091111'
const limit = 'VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED'

/** Starts a session for a debt with an unknown number. */
async function begun(type = 'standard') {
  const account = (await lender(service).debts('+15125550100')).accounts[1]!.id
  const path = `/accounts/${account}/verification_sessions`
  const begin = () => service.call('POST', path, { type })
  const { id } = (await begin()).body
  const put = (block: unknown) => service.call('PUT', `${path}/${id}`, { [type]: block })
  const show = async () => (await service.call('GET', `${path}/${id}`)).body
  return { account, begin, put, show, answer: (number: string) => put({ number }) }
}

it('a network outage uses up no attempt', async () => {
  const { begin, answer, show } = await begun()
  await service.fault('network', 'failing')
  for (let times = 0; times < 6; times++) expect((await answer(right)).status).toBe(503)
  expect(await show()).toMatchObject({ status: 'pending', error: null })
  service.advance(30_000)
  for (let tries = 0; tries < 4; tries++) expect((await answer(wrong)).body).toMatchObject({ status: 'pending' })
  expect((await answer(right)).body).toMatchObject({ status: 'verified' })
  expect(rejectionOf(await begin())).toBe('EXISTING_VERIFIED_SESSION')
})

it('lost responses do not change the number of attempts, and each number keeps its request id', async () => {
  const { answer } = await begun()
  const names = new Map<string, string>()
  let asked = 0
  says = async ({ request_id, number }) => {
    expect(names.get(request_id) ?? number).toBe(number)
    names.set(request_id, number)
    // Each request succeeds on its second attempt because the first response is lost.
    if (asked++ % 2 === 0) throw new OutsideError('the response was lost')
    return { status: 'failed', code: 16002 }
  }
  for (let tries = 1; tries <= 5; tries++) {
    const number = `400000000009${tries}111`
    expect((await answer(number)).status).toBe(503)
    expect((await answer(number)).body).toMatchObject({ status: tries < 5 ? 'pending' : 'failed' })
  }
  expect(names.size).toBe(5)
  expect(rejectionOf(await answer(right))).toBe('INVALID_VERIFICATION_STATUS')
})

it('a session whose last attempt has no result ends after a minute, and another can start', async () => {
  const { account, begin, answer, show } = await begun()
  for (let tries = 0; tries < 4; tries++) await answer(wrong)
  let tell: (reply: Reply) => void = () => {}
  const arrived = new Promise<void>(arrive => {
    says = () => {
      arrive()
      return new Promise(resolve => {
        tell = resolve
      })
    }
  })
  const lost = answer(right)
  await arrived
  expect(rejectionOf(await answer(right))).toBe(limit)
  expect(rejectionOf(await begin())).toBe('EXISTING_VERIFICATION_SESSION')
  await service.settle()
  expect(await show()).toMatchObject({ status: 'pending' })
  service.advance(60_000)
  await service.settle()
  expect(await show()).toMatchObject({ status: 'failed', error: { code: 16003 } })
  expect((await begin()).status).toBe(200)
  tell({ status: 'verified' })
  expect((await lost).body).toMatchObject({ status: 'failed', error: { code: 16003 } })
  const shown = (await service.call('GET', `/accounts/${account}`)).body
  expect(shown['restricted_products']).toContain('sensitive')
})

// kills: late-result-keeps-count
it('a result that arrives while other attempts are counted refunds none of them', async () => {
  const { put, show } = await begun('pre_auth')
  const open: (() => void)[] = []
  const all = new Promise<void>(five => {
    hold = () =>
      new Promise(go => {
        open.push(go)
        if (open.length === 5) five()
      })
  })
  const card = { number: wrong, cvv: '111' }
  const replies = Array.from({ length: 5 }, () => put(card))
  await all
  open[0]!()
  await Promise.race(replies)
  hold = undefined
  // Deletes the account's counters, so that only the session's own limit can reject a sixth attempt.
  await service.store.write(tx => tx.deleteFrom('counters').execute())
  expect(rejectionOf(await put(card))).toBe(limit)
  for (const go of open) go()
  await Promise.all(replies)
  expect(await show()).toMatchObject({ status: 'failed', error: { code: 16003 } })
})
