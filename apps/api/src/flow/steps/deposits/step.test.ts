import { DAY_MS } from '@causeway/contract/time'
import { describe, expect, it } from 'vitest'
import { closeAccount } from '../../../people/lifecycle/close-account.js'
import { transact } from '../../../platform/scope.js'
import { errorOf } from '../../../testing/contract/cases.js'
import { Person, someone, verify } from '../../../testing/frame.js'
import { testService } from '../../../testing/service.js'

/** Sandbox bank accounts: one that is unverified, one whose bank returns deposits, and one that is already verified. */
const [unknown, returning, vouched] = ['1000000009', '1000000010', '5550123']

const service = await testService()

async function bank(holder_id: string, number: string): Promise<string> {
  const ach = { routing: '062103000', number, type: 'checking' }
  return (await service.call('POST', '/accounts', { holder_id, ach })).body['id']
}
const mint = (entity_id: string, account_id: string, intent?: string, headers?: Record<string, string>) => {
  const body = { mode: 'account_verification', entity_id, account_verification: { account_id, intent } }
  return service.call('POST', '/opal/token', body, headers)
}
const tokenOfSession = (session_id: string) => service.call('POST', '/opal/token', { session_id })
const path = (account: string) => `/accounts/${account}/verification_sessions`
const sessionsOf = async (account: string) =>
  (await service.call('GET', path(account))).body['data'] as { id: string; status: string; type: string }[]
/** Returns the amounts sent, as a bank statement would show them. */
const amountsOf = async (account: string): Promise<[number, number]> => {
  const [newest] = await sessionsOf(account)
  return (await service.call('GET', `/simulate${path(account)}/${newest!.id}/amounts`)).body['amounts']
}
const answer = (person: Person, first: unknown, second: unknown) =>
  person.send({ action: 'submit', first, second }, 'deposits')
/** Enters amounts that are never sent: 1 and 2 cents. */
const wrongly = (person: Person) => answer(person, 1, 2)

async function open(entity: string, account: string, on = service, intent?: string) {
  const made = await mint(entity, account, intent)
  if (made.status !== 200) throw new Error(made.text)
  const { token, session_id } = made.body['data'] as { token: string; session_id: string }
  return { person: await Person.arrive(on, token), session: session_id, token }
}
/** Takes a person through identity verification in a session that verifies their bank account. */
async function arrive(number = unknown!, intent?: string) {
  const entity = await someone(service, '+15121231111')
  const account = await bank(entity, number)
  const opened = await open(entity, account, service, intent)
  await verify(service, opened.person)
  return { ...opened, entity, account }
}
/** Brings the same person back with another token, days later or on another device. */
async function again(entity: string, account: string, on = service, intent?: string) {
  const opened = await open(entity, account, on, intent)
  if (opened.person.view.step === 'consent') await opened.person.consent()
  return opened
}
const types = (person: Person) => person.view.events.map(event => event.type)
const told = async (token: string): Promise<{ type: string; data: unknown }[]> =>
  (await service.call('GET', '/opal/events', undefined, { authorization: `Bearer ${token}` })).body['data']

describe('a bank account in account_verification', () => {
  it('is offered two deposits', async () => {
    const { person, account } = await arrive()
    expect(person.data('deposits')).toEqual({
      account: {
        ...{ id: account, name: '', institution: '', logo: null, card: null, mask: '0009', type: 'checking' },
        ...{ balance: null, balance_as_of: null, apr: null },
        status: 'needs_deposits',
        reason: null,
        selected: true,
      },
      state: 'offer',
      sent_at: null,
      arrive_by: null,
      tries_left: 5,
    })
    expect(person.view.can_go_back).toBe(false)
    expect(await sessionsOf(account)).toEqual([])
  })

  it('receives the deposits within two business days', async () => {
    const { person, account } = await arrive()
    await person.send({ action: 'send' })
    expect(types(person)).toEqual(['account_verification.deposits.sent'])
    // Two business days after Monday, March 2, is Wednesday.
    expect(person.data('deposits')).toMatchObject({
      state: 'sent',
      sent_at: '2026-03-02T15:00:00.000Z',
      arrive_by: '2026-03-04T18:00:00.000Z',
    })
    expect(await sessionsOf(account)).toMatchObject([{ type: 'micro_deposits', status: 'in_progress' }])
    await person.look()
    expect(person.data('deposits').state).toBe('sent')
  })

  it('is verified by the amounts of the deposits, in either order, and sends an event', async () => {
    const { person, entity, account, token } = await arrive()
    await person.send({ action: 'send' })
    await person.send({ action: 'enter' })
    expect(person.data('deposits')).toMatchObject({ state: 'amounts', tries_left: 5 })
    const [first, second] = await amountsOf(account)
    await answer(person, second, first)
    expect(person.view).toMatchObject({ step: 'done', accounts: [account] })
    expect(types(person)).toEqual([
      'account_verification.account.verified',
      'account_verification.step.completed',
      'account_verification.flow.completed',
      'opal.session.completed',
    ])
    const completed = (await told(token)).find(event => event.type === 'account_verification.flow.completed')
    expect(completed?.data).toEqual({ entity_id: entity, accounts: [account] })
    const { body } = await service.call('GET', `/accounts/${account}`)
    expect(body['products']).toEqual(['payment'])
  })

  it.each([undefined, 'data', 'payments'])('that is already verified requires no steps, intent %s', async intent => {
    const { person, account, entity } = await arrive(vouched, intent)
    expect(person.view).toMatchObject({ step: 'done', accounts: [account] })
    expect((await again(entity, account, service, intent)).person.view.step).toBe('done')
    expect((await sessionsOf(account)).map(session => session.type)).toEqual(['auto_verify'])
  })

  it('that will receive or send payments uses the same steps', async () => {
    const { person, account } = await arrive(unknown, 'payments')
    await person.send({ action: 'send' })
    await person.send({ action: 'enter' })
    await answer(person, ...(await amountsOf(account)))
    expect(person.view.step).toBe('done')
  })

  it('cannot be used for transactions, or be verified by another person', async () => {
    const { entity, account } = await arrive()
    const refused = errorOf((await mint(entity, account, 'transactions')).body)
    expect([refused.sub_type, refused.message]).toEqual([
      'VERIFICATION_TYPE_NOT_SUPPORTED',
      'account_verification.account_id must be a credit card, because the session is for transactions.',
    ])
    const stranger = await someone(service, '+15121231111')
    expect(errorOf((await mint(stranger, account)).body).message).toMatch('must be an account of the entity')
    const { key } = await service.anotherTeam()
    expect((await mint(entity, account, undefined, { authorization: `Bearer ${key}` })).status).toBe(400)
  })

  it('that was closed or withdrawn ends the flow and says so', async () => {
    const { person, entity, account } = await arrive()
    const end = { step: 'blocked', data: { reason: 'account_unverified' } }
    const team = (await service.deps.teamOf(service.team))!
    await transact(service.deps, team, scope => closeAccount(scope, account))
    await person.look()
    expect(person.view).toMatchObject(end)
    await service.call('POST', `/accounts/${account}/consent`, { type: 'withdraw', reason: null })
    expect((await again(entity, account)).person.view).toMatchObject(end)
  })
})

describe('amounts', () => {
  it('that are missing or impossible use no attempt, but wrong ones do', async () => {
    const { person, account } = await arrive()
    await person.send({ action: 'send' })
    await person.send({ action: 'enter' })
    await person.send({ action: 'submit', first: 30 })
    expect(person.view.errors).toEqual([{ field: 'second', code: 'required', values: {} }])
    for (const amount of [0, 100, 1.5, '30', -4]) {
      await answer(person, amount, 30)
      expect(person.view.errors).toEqual([{ field: 'first', code: 'invalid', values: {} }])
    }
    expect(person.data('deposits').tries_left).toBe(5)
    await wrongly(person)
    expect(person.view.errors).toEqual([{ field: 'amounts', code: 'incorrect', values: { tries_left: 4 } }])
    expect(person.data('deposits')).toMatchObject({ state: 'amounts', tries_left: 4 })
    await answer(person, ...(await amountsOf(account)))
    expect(person.view.step).toBe('done')
  })

  // kills: wrong-amounts-lock-deposits
  it('wrong five times end the flow, even in a later session, until the customer starts over', async () => {
    const { person, entity, account, session } = await arrive()
    await person.send({ action: 'send' })
    await person.send({ action: 'enter' })
    const right = await amountsOf(account)
    for (let turn = 0; turn < 5; turn++) await wrongly(person)
    const locked = { step: 'blocked', data: { reason: 'deposits_locked', can_retry: false } }
    expect(person.view).toMatchObject(locked)
    expect((await answer(person, ...right)).status).toBe(409)
    service.advance(1_000)
    const later = await again(entity, account)
    expect(later.session).not.toBe(session)
    expect(later.person.view).toMatchObject(locked)
    await later.person.send({ action: 'retry' })
    expect(later.person.view).toMatchObject(locked)
    await service.call('POST', path(account), { type: 'micro_deposits' })
    await service.settle()
    await later.person.look()
    expect(later.person.data('deposits')).toMatchObject({ state: 'amounts', tries_left: 5 })
    await answer(later.person, ...(await amountsOf(account)))
    expect(later.person.view.step).toBe('done')
  })

  it('are rejected before the deposits are sent, and the page does not ask for them', async () => {
    const { person, account } = await arrive()
    await service.fault('network', 'failing')
    await person.send({ action: 'send' })
    expect(person.data('deposits').state).toBe('sent')
    expect(await sessionsOf(account)).toMatchObject([{ status: 'pending' }])
    await person.send({ action: 'enter' })
    expect(person.data('deposits').state).toBe('sent')
    await wrongly(person)
    expect(person.data('deposits')).toMatchObject({ state: 'sent', tries_left: 5 })
    expect(person.view.errors).toEqual([])
    service.advance(31_000)
  })
})

describe('deposits returned by a bank', () => {
  it('end the flow and are reported immediately', async () => {
    const { person, account, token } = await arrive(returning)
    await person.send({ action: 'send' })
    expect(person.view).toMatchObject({ step: 'blocked', data: { reason: 'deposits_returned', can_retry: false } })
    expect(await sessionsOf(account)).toMatchObject([{ status: 'failed', error: { code: 16004 } }])
    expect((await told(token)).map(event => event.type)).not.toContain('opal.session.completed')
  })

  it('that were returned before this session do not block new ones', async () => {
    const entity = await someone(service, '+15121231111')
    const account = await bank(entity, returning!)
    await service.call('POST', path(account), { type: 'micro_deposits' })
    await service.settle()
    service.advance(DAY_MS)
    const made = await mint(entity, account)
    const person = await verify(service, await Person.arrive(service, made.body['data']['token']))
    expect(person.data('deposits').state).toBe('offer')
  })

  it('that were returned three times in a day say when new ones can be sent', async () => {
    const entity = await someone(service, '+15121231111')
    const account = await bank(entity, returning!)
    const first = service.deps.clock()
    for (let times = 0; times < 3; times++) {
      await service.call('POST', path(account), { type: 'micro_deposits' })
      await service.settle()
      service.advance(60_000)
    }
    const made = await mint(entity, account)
    const person = await verify(service, await Person.arrive(service, made.body['data']['token']))
    await person.send({ action: 'send' })
    const retry_at = new Date(first + DAY_MS).toISOString()
    expect(person.view.errors).toEqual([{ field: null, code: 'too_many_deposits', values: { retry_at } }])
    expect([person.data('deposits').state, (await sessionsOf(account)).length]).toEqual(['offer', 3])
  })
})

describe('a returning person', () => {
  it.each(['of another session', 'of the same session'])(
    'continues at the amounts, with a new token %s, days later',
    async which => {
      const { person, entity, account, session } = await arrive()
      await person.send({ action: 'send' })
      const { arrive_by } = person.data('deposits')
      service.advance(2 * DAY_MS)
      const same = which === 'of the same session'
      const made = await (same ? tokenOfSession(session) : mint(entity, account))
      const { token, session_id } = made.body['data'] as { token: string; session_id: string }
      expect(session_id === session).toBe(same)
      const later = { person: await Person.arrive(service, token) }
      if (!same) await later.person.consent()
      expect(later.person.data('deposits')).toMatchObject({ state: 'amounts', arrive_by })
      await answer(later.person, ...(await amountsOf(account)))
      expect(later.person.view).toMatchObject({ step: 'done', accounts: [account] })
      expect(await sessionsOf(account)).toHaveLength(1)
    },
  )

  it('has the attempts that remain after those in other sessions and on other devices', async () => {
    const { person, entity, account, session } = await arrive()
    await person.send({ action: 'send' })
    await person.send({ action: 'enter' })
    await wrongly(person)
    const other = await again(entity, account, service, 'payments')
    expect(other.session).not.toBe(session)
    expect(other.person.data('deposits')).toMatchObject({ state: 'amounts', tries_left: 4 })
    await answer(other.person, ...(await amountsOf(account)))
    expect(other.person.view.step).toBe('done')
    await person.look()
    expect(person.view).toMatchObject({ step: 'done', accounts: [account] })
  })

  it('joins a verification that the customer started', async () => {
    const { person, account } = await arrive()
    await service.call('POST', path(account), { type: 'micro_deposits' })
    await service.settle()
    await person.send({ action: 'send' })
    expect(person.data('deposits').state).toBe('amounts')
    expect(await sessionsOf(account)).toHaveLength(1)
  })

  it('is done if the customer finished it in the meantime', async () => {
    const { person, account } = await arrive()
    await person.send({ action: 'send' })
    const { id } = (await sessionsOf(account))[0]!
    await service.call('PUT', `${path(account)}/${id}`, { micro_deposits: { amounts: await amountsOf(account) } })
    await person.look()
    expect(person.view).toMatchObject({ step: 'done', accounts: [account] })
  })

  it('is reported as having left while away, but not afterward', async () => {
    const { person, session } = await arrive()
    await person.send({ action: 'send' })
    const { frame } = service.app
    const exit = new Request('http://localhost:4100/s/exit', {
      method: 'POST',
      headers: { authorization: `Bearer ${person.bearer}`, origin: 'http://localhost:4100' },
    })
    await frame.fetch(exit)
    const read = async () => (await service.call('GET', `/opal/sessions/${session}`)).body['data']
    expect(await read()).toHaveProperty('exited_at')
    service.advance(1_000)
    await Person.arrive(service, ((await tokenOfSession(session)).body['data'] as { token: string }).token)
    expect(await read()).not.toHaveProperty('exited_at')
  })
})

describe('deposits are sent once', () => {
  it('however often they are requested simultaneously, on one page or two', async () => {
    const { person, entity, account } = await arrive()
    const { person: second } = await again(entity, account)
    await Promise.all([person, second].map(each => each.send({ action: 'send' })))
    expect(await sessionsOf(account)).toHaveLength(1)
  })

  it('even if the process crashes first: the next process sends them', async () => {
    const { person, account, entity } = await arrive()
    // Creates the state that the step stores before it calls the network.
    await service.fault('network', 'failing')
    await person.send({ action: 'send' })
    expect(await sessionsOf(account)).toMatchObject([{ status: 'pending' }])
    const next = await service.again()
    service.advance(600_000)
    await next.settle()
    expect(await sessionsOf(account)).toMatchObject([{ status: 'in_progress' }])
    const later = await again(entity, account, next)
    await answer(later.person, ...(await amountsOf(account)))
    expect(later.person.view.step).toBe('done')
  })
})
