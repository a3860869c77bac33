import { expect, it } from 'vitest'
import { confirmed, frameCall, LOAN, Person, someone, transferToken } from '../../testing/frame.js'
import { testService } from '../../testing/service.js'

const service = await testService()

const leave = (person: Person) =>
  frameCall(service, 'POST', '/s/exit', undefined, { authorization: `Bearer ${person.bearer}` })
const begin = async () => {
  const { element_token, session_id } = await transferToken(service, await someone(service, '+15125550101'), LOAN)
  return { person: await Person.arrive(service, element_token), session: session_id }
}
const another = async (session: string) => {
  service.advance(1_000)
  const made = await service.call('POST', '/elements/token', { type: 'balance_transfer', session_id: session })
  return Person.arrive(service, made.body['element_token'])
}
const read = async (session: string) => (await service.call('GET', `/elements/sessions/${session}`)).body['data']
const told = async (session: string, type = 'opal_session.update') =>
  (await service.call('GET', `/events?resource_id=${session}&type=${type}`)).body['data'] as {
    diff: { after: Record<string, unknown> }
  }[]

it('leaving before the end creates one event, however often the page reports it', async () => {
  const { person, session } = await begin()
  expect(await read(session)).not.toHaveProperty('exited_at')
  expect((await leave(person)).status).toBe(200)
  await leave(person)
  const { exited_at } = await read(session)
  expect(Date.parse(exited_at)).not.toBeNaN()
  const events = await told(session)
  expect(events).toHaveLength(1)
  expect(events[0]!.diff.after).toMatchObject({ exited_at })
})

it('a person who returns, with a new token or in the same page, counts as present and can leave again', async () => {
  const { person, session } = await begin()
  await leave(person)
  const again = await another(session)
  expect(await read(session)).not.toHaveProperty('exited_at')
  await leave(again)
  expect(await read(session)).toHaveProperty('exited_at')
  await again.consent()
  expect(await read(session)).not.toHaveProperty('exited_at')
  expect(await told(session)).toHaveLength(2)
})

it('closing a page that was left for another device creates no event', async () => {
  const { person, session } = await begin()
  await another(session)
  await leave(person)
  expect(await read(session)).not.toHaveProperty('exited_at')
  expect(await told(session)).toEqual([])
})

it('a person who confirmed does not count as having left', async () => {
  const { person, session } = await confirmed(service, '+15125550101')
  const before = await told(session)
  await leave(person)
  expect(await read(session)).not.toHaveProperty('exited_at')
  expect(await told(session)).toEqual(before)
})

it('leaving a linking flow reports an element_session', async () => {
  const made = await service.call('POST', '/elements/token', {
    type: 'connect',
    entity_id: await someone(service, '+15125550101'),
    connect: { products: ['balance'] },
  })
  const person = await Person.arrive(service, made.body['element_token'])
  await leave(person)
  expect(await told(person.view.session_id, 'element_session.update')).toHaveLength(1)
})

it('leaving requires a bearer', async () => {
  expect((await frameCall(service, 'POST', '/s/exit')).status).toBe(401)
})
