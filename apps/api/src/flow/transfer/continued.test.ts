import { expect, it } from 'vitest'
import { LOAN, Person, someone, verify } from '../../testing/frame.js'
import { testService } from '../../testing/service.js'

const service = await testService()

const mint = (body: object) => service.call('POST', '/elements/token', { type: 'connect', ...body })
const connect = { products: ['balance'], balance_transfer: LOAN }

/** Takes a person to the end of the connect session whose token also has the terms of a balance transfer. */
async function linked(phone = '+15125550101') {
  const entity = await someone(service, phone)
  const made = await mint({ entity_id: entity, connect })
  const { element_token: token, session_id: transfer } = made.body as { element_token: string; session_id: string }
  const person = await verify(service, await Person.arrive(service, token))
  const session = person.view.session_id
  const ids = person.data('selection').accounts.flatMap(({ id, status }) => (status === 'ineligible' ? [] : [id]))
  await person.send({ action: 'select', accounts: ids })
  return { entity, token, transfer, session, person, ids }
}

it('continues with the split once the accounts are linked, and the same bearer confirms the allocations', async () => {
  const { person, token, transfer, session, ids } = await linked()
  expect(person.data('done').continues).toBe(true)
  expect(person.view).toMatchObject({ session_id: session, mode: 'connect', result: expect.any(String) })
  expect([...person.view.accounts].sort()).toEqual([...ids].sort())
  await person.send({ action: 'continue' })
  expect(person.view).toMatchObject({ session_id: transfer, mode: 'balance_transfer' })
  await person.arriveAtAccounts()
  await person.send({ action: 'review', allocations: person.data('allocation').suggestion })
  await person.send({ action: 'confirm' })
  expect(person.data('done').continues).toBe(false)
  const { body } = await service.call('GET', `/opal/sessions/${transfer}`)
  expect(body['data']).toMatchObject({ bt: { completed: true, loan_amount: LOAN.loan_amount } })
  const read = await service.call('GET', `/elements/token/${token}/results`)
  const types = (read.body['events'] as unknown as { type: string }[]).map(({ type }) => type)
  for (const type of ['opal.session.started', 'opal.session.completed'])
    expect(types.filter(each => each === type)).toHaveLength(2)
  expect(types).toEqual(expect.arrayContaining(['connect.flow.completed', 'balance_transfer.allocations.confirmed']))
  const told = (kind: string, id: string) => service.call('GET', `/events?resource_id=${id}&type=${kind}`)
  expect((await told('element_session.update', session)).body['data']).toHaveLength(1)
  expect((await told('opal_session.update', transfer)).body['data']).toHaveLength(1)
})

it('continues once: a repeated or later request shows the transfer', async () => {
  const { person, transfer } = await linked()
  const { revision } = person.view
  await person.send({ action: 'continue' })
  const again = await person.send({ action: 'continue' }, 'done', revision)
  expect([again.status, person.view.session_id]).toEqual([409, transfer])
  expect((await person.look()).session_id).toBe(transfer)
})

it('uses the same two sessions for a further token until the accounts are linked', async () => {
  const entity_id = await someone(service, '+15125550101')
  const first = await mint({ entity_id, connect })
  const second = await mint({ entity_id, connect })
  expect(second.body['session_id']).toBe(first.body['session_id'])
  expect((await mint({ entity_id, connect: { products: ['balance'] } })).body).not.toHaveProperty('session_id')
})

it('requires an existing entity, and does not continue a session without terms', async () => {
  const entity = { type: 'individual', individual: { phone: '+15125550101' } }
  const refused = await mint({ connect: { ...connect, entity } })
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringContaining('entity_id is required with connect.balance_transfer'),
  ])
  const made = await mint({ entity_id: await someone(service, '+15125550101') })
  const person = await verify(service, await Person.arrive(service, made.body['element_token']))
  await person.send({ action: 'select', accounts: [person.data('selection').accounts[0]!.id] })
  await person.send({ action: 'continue' })
  expect(person.view).toMatchObject({ step: 'done', mode: 'connect', errors: [{ code: 'changed' }] })
})
