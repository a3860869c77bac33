import { describe, expect, it } from 'vitest'
import { confirmed, frameCall, LOAN, Person, someone, transferToken } from '../../testing/frame.js'
import { testService } from '../../testing/service.js'

const service = await testService()

const phone = '+15125550101'
const begin = async (number: string | null = phone) => {
  const entity = await someone(service, number as string)
  const { element_token, session_id } = await transferToken(service, entity, LOAN)
  const person = await Person.arrive(service, element_token)
  await person.consent()
  return { person, entity, session: session_id, token: element_token }
}
interface Session {
  bt: { completed: boolean; allocations: Record<string, number> }
  not_me_at?: string
  exited_at?: string
}
interface Results {
  authenticated: boolean
  accounts: string[]
  events: { type: string; metadata: unknown }[]
}
const read = async (session: string) =>
  (await service.call('GET', `/elements/sessions/${session}`)).body['data'] as never as Session
const told = async (session: string) =>
  (await service.call('GET', `/events?resource_id=${session}&type=opal_session.update`)).body['data'] as {
    diff: { after: Record<string, unknown> }
  }[]
const results = async (token: string) =>
  (await service.call('GET', `/elements/token/${token}/results`)).body as never as Results

describe.each(['phone', 'code'] as const)('saying “not me” at the %s step', step => {
  const deny = async () => {
    const found = await begin()
    if (step === 'phone') await found.person.letCodeExpire()
    found.person.data(step)
    const reply = await found.person.send({ action: 'not_me' })
    return { ...found, reply }
  }

  it('ends the flow with a specific reason, and changes nothing about the entity', async () => {
    const { person, entity, session, reply } = await deny()
    expect(reply.status).toBe(200)
    expect(person.view).toMatchObject({ step: 'blocked', data: { reason: 'not_me', can_retry: false }, accounts: [] })
    expect(JSON.stringify(person.view)).not.toContain(phone.slice(-4))
    expect((await service.call('GET', `/entities/${entity}`)).body).toMatchObject({
      status: 'incomplete',
      verification: { phone: { verified: false } },
    })
    expect((await service.call('GET', `/accounts?holder_id=${entity}`)).body['data']).toEqual([])
    expect(await read(session)).toMatchObject({ bt: { completed: false } })
  })

  // kills: not-me-ends-authentication
  it('sends the customer one event, whatever the page does afterward', async () => {
    const { person, entity, session, token } = await deny()
    const { not_me_at, exited_at } = await read(session)
    expect(Date.parse(not_me_at ?? '')).not.toBeNaN()
    expect(exited_at).toBe(not_me_at)
    await person.send({ action: 'retry' })
    await frameCall(service, 'POST', '/s/exit', undefined, { authorization: `Bearer ${person.bearer}` })
    const events = await told(session)
    expect(events.map(event => event.diff.after)).toEqual([expect.objectContaining({ not_me_at })])
    const { authenticated, accounts, events: lines } = await results(token)
    expect({ authenticated, accounts }).toEqual({ authenticated: false, accounts: [] })
    const names = lines.map(line => line.type)
    expect(names.filter(name => name.endsWith('.denied'))).toHaveLength(1)
    expect(lines.find(line => line.type.endsWith('.denied'))?.metadata).toEqual({
      session_id: session,
      entity_id: entity,
    })
    expect(lines.at(-1)?.type).toBe('identity_verification.identity.denied')
  })

  // kills: not-me-hides-session
  it('limits the bearer to that screen', async () => {
    const { person } = await deny()
    const { revision } = person.view
    for (const [at, input] of [
      ['phone', { action: 'send' }],
      ['code', { action: 'verify', code: '123456' }],
    ] as const) {
      const reply = await person.send(input, at, revision)
      expect([reply.status, person.view.step]).toEqual([409, 'blocked'])
    }
    expect((await person.send({ action: 'retry' })).body).toMatchObject({ step: 'blocked', data: { reason: 'not_me' } })
    expect(await person.look()).toMatchObject({ step: 'blocked', data: { reason: 'not_me' } })
  })

  it('lets the next token start over, and its person completes the flow', async () => {
    const { session } = await deny()
    service.advance(1_000)
    const made = await service.call('POST', '/elements/token', { type: 'balance_transfer', session_id: session })
    const next = await Person.arrive(service, made.body['element_token'])
    expect(next.view.step).toBe('consent')
    const now = await read(session)
    expect(now).not.toHaveProperty('not_me_at')
    expect(now).not.toHaveProperty('exited_at')
    await next.arriveAtAccounts()
    next.data('selection')
  })
})

it('ends both pages of a session; a click on an older view is stale', async () => {
  const { person, session } = await begin()
  const made = await service.call('POST', '/elements/token', { type: 'balance_transfer', session_id: session })
  const other = await Person.arrive(service, made.body['element_token'])
  await person.look()
  const { revision } = other.view
  await person.send({ action: 'not_me' })
  expect((await other.send({ action: 'verify', code: '123456' }, 'code', revision)).status).toBe(409)
  expect(other.view).toMatchObject({ step: 'blocked', data: { reason: 'not_me' } })
})

it('accepts only one of two simultaneous clicks', async () => {
  const { person, session } = await begin()
  const { revision } = person.view
  const replies = await Promise.all([1, 2].map(() => person.send({ action: 'not_me' }, 'code', revision)))
  expect(replies.map(reply => reply.status).sort()).toEqual([200, 409])
  expect(await told(session)).toHaveLength(1)
})

it('a person who confirmed and is asked for a code again keeps their confirmation', async () => {
  await service.call('PATCH', '/team', { phone_proof_days: 1 })
  const { session } = await confirmed(service, phone)
  const { allocations } = (await read(session)).bt
  service.advance(3 * 86_400_000)
  const again = async () => {
    const made = await service.call('POST', '/elements/token', { type: 'balance_transfer', session_id: session })
    return Person.arrive(service, made.body['element_token'])
  }
  const stranger = await again()
  expect(stranger.data('phone').editable).toBe(false)
  await stranger.send({ action: 'not_me' })
  expect(await read(session)).toMatchObject({ bt: { completed: true, allocations }, not_me_at: expect.any(String) })
  const person = await again()
  await person.consent()
  await person.send({ action: 'verify', code: '123456' })
  expect(person.data('done').allocations).toEqual(allocations)
  expect(person.data('done').accounts).toHaveLength(Object.keys(allocations).length)
  await service.call('PATCH', '/team', { phone_proof_days: null })
})

it('a number that the person typed can be changed but not denied', async () => {
  const { person } = await begin(null)
  expect((await person.send({ action: 'not_me' })).body.error?.sub_type).toBe('INVALID_REQUEST')
  await person.send({ action: 'send', phone })
  expect(person.data('code').editable).toBe(true)
  expect((await person.send({ action: 'not_me' })).body.error?.sub_type).toBe('INVALID_REQUEST')
  await person.send({ action: 'verify', code: '123456' })
  expect(person.view.step).not.toBe('blocked')
})

it('after the code, “not me” is no longer accepted', async () => {
  const { person } = await begin()
  await person.arriveAtAccounts()
  expect((await person.send({ action: 'not_me' })).body.error?.sub_type).toBe('INVALID_REQUEST')
})
