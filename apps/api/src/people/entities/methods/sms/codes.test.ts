import { HOUR_MS } from '@causeway/contract/time'
import { beforeEach, describe, expect, it } from 'vitest'
import { transact } from '../../../../platform/scope.js'
import { errorOf, rejectionOf } from '../../../../testing/contract/cases.js'
import { LOAN, Person, someone, transferToken } from '../../../../testing/frame.js'
import { testService } from '../../../../testing/service.js'
import { findEntity } from '../../../holders/store.js'
import { codesLeft, defaultCodeLimits } from './codes.js'

const phone = '+15125550101'
const sms = { type: 'phone', method: 'sms', sms: {} }
const byNumber = 'ENTITY_PHONE_VERIFICATION_MAX_ATTEMPTS'
/** The production limits, except for a lower limit per address, so that the tests need fewer people. */
const codeLimits = { ...defaultCodeLimits('production'), address: 10 }

const service = await testService({ codeLimits })
/** A second process on PostgreSQL; the same process on SQLite. */
const other = service.store.engine === 'postgres' ? await service.again({ codeLimits }) : service
beforeEach(() => service.store.write(tx => tx.deleteFrom('counters').execute()))

const at = (index: number) => (index % 2 ? other : service)
const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))
const send = async (entity: string, on = service) => on.call('POST', `/entities/${entity}/verification_sessions`, sms)
/** Returns the number of codes sent and the distinct errors from rejected requests. */
const outcome = (replies: Awaited<ReturnType<typeof send>>[]) => ({
  passed: replies.filter(reply => reply.status === 200).length,
  refused: [...new Set(replies.flatMap(reply => (reply.status === 200 ? [] : rejectionOf(reply))))],
})
/**
 * Returns a person who has consented and is at the phone step. `number` is the number that the customer supplied, if
 * any.
 */
async function arrive(number: string | null, address?: string, on = service): Promise<Person> {
  const { element_token } = await transferToken(service, await someone(service, number as string), LOAN)
  const person = await Person.arrive(on, element_token)
  person.address = address
  await person.consent()
  return person
}
const errorsOf = (people: readonly Person[]) => [
  ...new Set(people.flatMap(({ view }) => view.errors.map(({ code }) => code))),
]

describe('codes over REST', () => {
  it('are sent to a supplied number three times an hour, even for simultaneous requests from several clients', async () => {
    const entities = await times(16, () => someone(service, phone))
    const replies = await times(16, index => send(entities[index]!, at(index)))
    expect(outcome(replies)).toEqual({ passed: 3, refused: [byNumber] })
    const refused = replies.find(reply => reply.status === 400)!
    expect(refused.headers.get('retry-after')).toBe('3600')
    const free = new Date(service.deps.clock() + HOUR_MS).toISOString()
    expect(errorOf(refused.body).message).toBe(`Too many codes were sent to this number. Try again at ${free}.`)
    service.advance(HOUR_MS)
    expect((await send(entities[0]!)).status).toBe(200)
  })

  it('have a budget per team, up to ten per number and day', async () => {
    const entity = await someone(service, phone)
    const perHour: number[] = []
    for (let hour = 0; hour < 5; hour++) {
      perHour.push(outcome(await times(4, () => send(entity))).passed)
      service.advance(HOUR_MS)
    }
    expect(perHour).toEqual([3, 3, 3, 1, 0])
    const refused = await send(entity)
    expect(refused.headers.get('retry-after')).toBe(String(19 * 3_600))
    service.advance(19 * HOUR_MS)
    expect((await send(entity)).status).toBe(200)
  })
})

describe('codes in the frame', () => {
  it('are sent to a typed number three times an hour, even for 16 people at once, and to the supplied number just as often', async () => {
    const people = await times(16, index => arrive(null, undefined, at(index)))
    await Promise.all(people.map(person => person.send({ action: 'send', phone })))
    expect(people.filter(person => person.view.step === 'code')).toHaveLength(3)
    const refused = people.filter(person => person.view.step === 'phone')
    expect(errorsOf(refused)).toEqual(['too_many_codes'])
    const retry_at = new Date(service.deps.clock() + HOUR_MS).toISOString()
    expect(refused[0]!.view.errors[0]!.values).toEqual({ retry_at })
    // The number is kept, so the person doesn't need to retype it.
    expect(refused[0]!.data('phone')).toEqual({ last4: '0101', editable: true })
    expect(outcome(await times(4, async () => send(await someone(service, phone))))).toMatchObject({ passed: 3 })
  })

  it('are limited per address, even for simultaneous requests and any address of an IPv6 /64', async () => {
    const people = await times(24, index =>
      arrive(null, index % 2 ? '2001:db8:1:2::a' : '2001:db8:1:2:ffff::b', at(index)),
    )
    // Each person has a different number, so they share only the address.
    const numbers = people.map((_, index) => `+15125551${String(index).padStart(3, '0')}`)
    await Promise.all(people.map((person, index) => person.send({ action: 'send', phone: numbers[index]! })))
    const refused = people.filter(person => person.view.step === 'phone')
    expect([refused.length, errorsOf(refused)]).toEqual([14, ['too_many_codes_from_network']])
    // A rejected send does not count against the number.
    const kinds = service.store.reader.selectFrom('counters').select('kind').where('kind', '=', 'code_typed')
    expect(await kinds.execute()).toHaveLength(10)
    const neighbor = await arrive(null, '2001:db8:1:3::a')
    await neighbor.send({ action: 'send', phone: '+15125551900' })
    expect(neighbor.view.step).toBe('code')
  })

  it("rejected for one number do not use up the address's limit", async () => {
    for (let index = 0; index < 6; index++) await (await arrive(null, '192.0.2.1')).send({ action: 'send', phone })
    const used = service.store.reader.selectFrom('counters').select('used').where('kind', '=', 'code_address')
    expect((await used.executeTakeFirstOrThrow()).used).toBe(3)
  })

  it('are reported with the time when the next one can be sent', async () => {
    const person = await arrive(phone)
    for (const action of ['send', 'resend', 'resend']) await person.send({ action })
    expect(person.view.errors).toEqual([])
    const free = new Date(service.deps.clock() + HOUR_MS).toISOString()
    expect(person.data('code')).toMatchObject({ sends_left: 0, resend_at: free })
    await person.send({ action: 'resend' })
    expect(person.view.errors).toEqual([{ field: null, code: 'too_many_codes', values: { retry_at: free } }])
    // The last code sent is still valid.
    await person.send({ action: 'verify', code: '123456' })
    expect(person.view.step).not.toBe('code')
  })
})

describe('in the sandbox', () => {
  it("limits are 20 times as high, follow the team's clock, and are separate for each team", async () => {
    const sandbox = await service.again()
    const { key } = await service.anotherTeam()
    const mine = await someone(sandbox, phone)
    expect(outcome(await times(61, () => send(mine, sandbox)))).toEqual({ passed: 60, refused: [byNumber] })
    const theirs = { authorization: `Bearer ${key}` }
    const made = await sandbox.call('POST', '/entities', { type: 'individual', individual: { phone } }, theirs)
    const path = `/entities/${made.body['id']}/verification_sessions`
    expect((await sandbox.call('POST', path, sms, theirs)).status).toBe(200)
    await sandbox.call('POST', '/simulate/clock', { advance: 'PT1H' })
    expect((await send(mine, sandbox)).status).toBe(200)
  })
})

it('in production the limit per number is shared by all teams, and each team has its own budget', async () => {
  const production = await testService({ environment: 'production', codeLimits })
  const { key } = await production.anotherTeam()
  const headers = { authorization: `Bearer ${key}` }
  const passes = async (count: number, more: Record<string, string>) => {
    const made = await production.call('POST', '/entities', { type: 'individual', individual: { phone } }, more)
    const path = `/entities/${made.body['id']}/verification_sessions`
    return outcome(await times(count, () => production.call('POST', path, sms, more))).passed
  }
  expect([await passes(5, {}), await passes(5, headers)]).toEqual([3, 3])
  production.advance(HOUR_MS)
  expect([await passes(3, {}), await passes(3, headers)]).toEqual([3, 1])
})

describe('a person whom several teams know', () => {
  it('can receive three codes a day from each team that supplied the number, even if other teams used up its limit', async () => {
    const production = await testService({ environment: 'production', codeLimits: { ...codeLimits, day: 4 } })
    const second = production.store.engine === 'postgres' ? production.another() : production.app
    const make = async (key: string) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ type: 'individual', individual: { phone } })
      const request = async (path: string, text: string, at = production.app) =>
        at.api.fetch(new Request(`http://127.0.0.1:4000${path}`, { method: 'POST', headers, body: text }))
      const { id } = (await (await request('/entities', body)).json()) as { id: string }
      return async (count: number) => {
        const replies = await times(count, index =>
          request(`/entities/${id}/verification_sessions`, JSON.stringify(sms), index % 2 ? second : production.app),
        )
        return replies.filter(reply => reply.status === 200).length
      }
    }
    const teams = [production.key, (await production.anotherTeam()).key, (await production.anotherTeam()).key]
    const [first, other, third] = await Promise.all(teams.map(make))
    expect(await first!(6)).toBe(3)
    production.advance(HOUR_MS)
    expect(await first!(6)).toBe(1)
    expect([await other!(6), await third!(6)]).toEqual([3, 3])
    production.advance(HOUR_MS)
    expect([await first!(3), await other!(3), await third!(3)]).toEqual([0, 0, 0])
    const alerts = production.lines.filter(line => line.includes('code_limit_reached_by_several_teams'))
    expect([alerts.length, alerts[0]?.includes('5550101')]).toEqual([1, false])
    expect(await production.deps.metrics.registry.getSingleMetricAsString('causeway_code_limit_shared_total')).toMatch(
      /total 1$/m,
    )
  })

  it('sees only how many codes their own team has left', async () => {
    const production = await testService({ environment: 'production', codeLimits })
    const { key } = await production.anotherTeam()
    const headers = { authorization: `Bearer ${key}` }
    const made = await production.call('POST', '/entities', { type: 'individual', individual: { phone } }, headers)
    const path = `/entities/${made.body['id']}/verification_sessions`
    expect(outcome(await times(3, () => production.call('POST', path, sms, headers))).passed).toBe(3)
    const left = async (entity: string, isTyped: boolean) =>
      transact(production.deps, (await production.deps.teamOf(production.team))!, async scope => {
        const row = (await findEntity(scope, entity))!
        return (await codesLeft(scope, { ...row, typed: isTyped ? '["phone"]' : '[]' }, phone)).left
      })
    const mine = await someone(production, phone)
    expect([await left(mine, false), await left(mine, true)]).toEqual([3, 3])
    await send(mine, production)
    expect([await left(mine, false), await left(mine, true)]).toEqual([2, 3])
  })
})
