/**
 * Checks that the action after a proof runs exactly once, whichever process runs it, and that a page receives the
 * action's events.
 */

import { OutsideError } from '@causeway/connector/ports/outside-error'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { LOAN, Person, rightAnswers, someone, transferToken } from '../../testing/frame.js'
import { type TestService, testService } from '../../testing/service.js'

/** Runs before the service checks an answer to the questions. */
let during: (() => Promise<unknown>) | undefined
let isDown = false
const service = await testService({
  ports: ports => ({
    ...ports,
    identity: {
      ...ports.identity,
      async questions(call) {
        if (isDown) throw new OutsideError('no answer', { retryable: false })
        return ports.identity.questions(call)
      },
      async answer(call) {
        await during?.()
        return ports.identity.answer(call)
      },
    },
  }),
})
afterEach(() => {
  vi.restoreAllMocks()
  during = undefined
  isDown = false
})

const proven = 'identity_verification.identity.completed'
const search = 'connect.step.started'
/** Makes the page stop waiting for its next job before the job has run. */
const stopWaiting = () => vi.spyOn(service.deps.jobs, 'settle').mockResolvedValueOnce(false)

const open = async (entity: string, on = service) => {
  const { element_token, session_id } = await transferToken(service, entity, LOAN)
  return { session: session_id, person: await Person.arrive(on, element_token) }
}
const at = (person: Person, on: TestService) => new Person(on, person.bearer, person.view)
const told = ({ view }: Person) => view.events.map(event => event.type)

/** Takes a person to the code step in a new session. This person is never asked knowledge questions. */
async function atCode() {
  const entity = await someone(service, '+15125550100')
  const { session, person } = await open(entity)
  await person.consent()
  return { entity, session, person }
}

/** Counts the searches for a person's accounts, and the events of this type in these sessions. */
async function counted(entity: string, type: string, ...sessions: string[]) {
  const { reader } = service.store
  const searches = reader.selectFrom('records').select('id').where('holder_id', '=', entity)
  const events = reader.selectFrom('session_events').select('id').where('session_id', 'in', sessions)
  return {
    searches: (await searches.where('product', '=', 'connect').execute()).length,
    events: (await events.where('type', '=', type).execute()).length,
  }
}

describe('a proof that arrives after its page stopped waiting', () => {
  it('leaves the next action to the page’s next call, which receives the events', async () => {
    const { entity, session, person } = await atCode()
    isDown = true
    await person.send({ action: 'verify', code: '123456' })
    expect(person.data('blocked')).toMatchObject({ reason: 'unavailable', can_retry: true })
    isDown = false
    stopWaiting()
    await person.send({ action: 'retry' })
    expect(person.data('blocked')).toMatchObject({ reason: 'unavailable', can_retry: true })
    await service.settle()
    expect(await counted(entity, search, session)).toEqual({ searches: 0, events: 0 })
    await person.look()
    expect([person.view.step, told(person).filter(type => type === search)]).toEqual(['discovering', [search]])
    expect(await counted(entity, search, session)).toEqual({ searches: 1, events: 1 })
  })

  it('is recorded by another process if its process was killed, and only once if that process was slow', async () => {
    const { entity, session, person } = await atCode()
    stopWaiting()
    await person.send({ action: 'verify', code: '123456' })
    const other = await service.again()
    await other.settle()
    const continued = at(person, other)
    await continued.look()
    expect([continued.view.step, told(continued).filter(type => type === search)]).toEqual(['discovering', [search]])
    await service.settle()
    expect(await counted(entity, search, session)).toEqual({ searches: 1, events: 1 })
    await continued.wait()
    expect(continued.view.step).toBe('selection')
  })
})

it('is reported once if an outage interrupted it, when the person continues to their accounts', async () => {
  const { entity, session, person } = await atCode()
  isDown = true
  await person.send({ action: 'verify', code: '123456' })
  expect(person.data('blocked').reason).toBe('unavailable')
  await person.send({ action: 'retry' })
  expect(await counted(entity, proven, session)).toEqual({ searches: 0, events: 0 })
  isDown = false
  await person.send({ action: 'retry' })
  await person.wait()
  expect(person.view.step).toBe('selection')
  expect(await counted(entity, proven, session)).toEqual({ searches: 1, events: 1 })
})

it('searches once if two sessions of a person verify the identity at the same time', async () => {
  const entity = await someone(service, '+15125550104')
  const other = service.store.engine === 'postgres' ? await service.again() : service
  // Verifying the phone revokes the person's unverified bearers.
  const both = []
  for (const process of [service, other]) {
    both.push(await open(entity, process))
    await both.at(-1)!.person.arriveAtAccounts()
  }
  await Promise.all(both.map(({ person }) => person.send({ action: 'answer', answers: rightAnswers(person) })))
  for (const { person } of both) {
    await person.look()
    await person.wait()
  }
  expect(both.map(({ person }) => person.view.step)).toEqual(['selection', 'selection'])
  const sessions = both.map(({ session }) => session)
  expect(await counted(entity, proven, ...sessions)).toEqual({ searches: 1, events: 2 })
})

it('keeps a change that the customer makes while an answer is judged, and shows it in the event', async () => {
  const entity = await someone(service, '+15125550104')
  const { person } = await open(entity)
  await person.arriveAtAccounts()
  during = () => service.call('PUT', `/entities/${entity}`, { metadata: { loan: '17' } })
  await person.send({ action: 'answer', answers: rightAnswers(person) })
  expect(person.view.step).toBe('discovering')
  const changed = { status: 'active', metadata: { loan: '17' }, verification: { identity: { verified: true } } }
  expect((await service.call('GET', `/entities/${entity}`)).body).toMatchObject(changed)
  const { body } = await service.call('GET', `/events?resource_id=${entity}&type=entity.update`)
  const events = body['data'] as { data: object; diff: { after: Record<string, unknown> } }[]
  const [proof] = events.filter(event => event.diff.after['status'] === 'active')
  expect(proof?.data).toMatchObject(changed)
  expect(Object.keys(proof!.diff.after)).not.toContain('metadata')
})
