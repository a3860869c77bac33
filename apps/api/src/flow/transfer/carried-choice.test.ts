import { expect, it } from 'vitest'
import { arriveAs, LOAN, Person, someone, transferToken, verify } from '../../testing/frame.js'
import { testService } from '../../testing/service.js'

const service = await testService()

/** Connects the accounts that `choose` picks, and returns the entity with the ids of the chosen accounts. */
async function connected(phone: string, choose: <T>(accounts: T[]) => T[]) {
  const entity = await someone(service, phone)
  const made = await service.call('POST', '/elements/token', { type: 'connect', entity_id: entity })
  const person = await verify(service, await Person.arrive(service, made.body['element_token']))
  const offered = person.data('selection').accounts.filter(({ status }) => status !== 'ineligible')
  const ids = choose(offered).map(({ id }) => id)
  await person.send({ action: 'select', accounts: ids })
  person.data('done')
  return { entity, ids }
}
/** Opens a balance transfer, up to the first step after the phone and the identity. */
async function transfer(entity: string) {
  const { element_token, session_id } = await transferToken(service, entity, LOAN)
  const person = await Person.arrive(service, element_token)
  await person.arriveAtAccounts()
  return { person, token: element_token, session: session_id }
}

it('every account chosen in the connect session: the transfer begins with the split, and its events tell the choice', async () => {
  const { entity, ids } = await connected('+15125550101', all => all)
  const { person, token } = await transfer(entity)
  const { accounts, dropped } = person.data('allocation')
  expect(accounts.map(({ id }) => id).sort()).toEqual([...ids].sort())
  expect(dropped).toEqual([])
  const { body } = await service.call('GET', `/elements/token/${token}/results`)
  const events = body['events'] as unknown as { type: string; metadata: unknown }[]
  const chosen = events.filter(({ type }) => type === 'connect.accounts.selected')
  expect(chosen.map(({ metadata }) => metadata)).toEqual([{ entity_id: entity, accounts: expect.arrayContaining(ids) }])
  expect(events.map(({ type }) => type)).toContain('balance_transfer.flow.started')
})

it('the person can go back from the split, and choose fewer', async () => {
  const { entity, ids } = await connected('+15125550101', all => all)
  const { person } = await transfer(entity)
  expect(person.view.can_go_back).toBe(true)
  await person.send({ action: 'back' })
  const { accounts } = person.data('selection')
  expect(accounts.filter(({ selected }) => selected)).toHaveLength(ids.length)
  await person.send({ action: 'select', accounts: [ids[0]] })
  expect(person.data('allocation').accounts.map(({ id }) => id)).toEqual([ids[0]])
})

// kills: unchosen-account-is-offered
it('some accounts chosen: they are preselected, and the person sees the others', async () => {
  const { entity, ids } = await connected('+15125550101', all => all.slice(0, 2))
  const { person } = await transfer(entity)
  const { accounts } = person.data('selection')
  const selected = accounts.filter(account => account.selected).map(({ id }) => id)
  expect(selected.sort()).toEqual([...ids].sort())
  expect(accounts.length).toBeGreaterThan(2)
})

it('a chosen account that the loan cannot pay is listed with the reason', async () => {
  const { entity } = await connected('+15125550100', all => all)
  const { person } = await transfer(entity)
  if (person.view.step === 'number') await person.send({ action: 'skip' })
  const { dropped } = person.data('allocation')
  expect(dropped.map(({ status, reason }) => [status, reason])).toContainEqual(['ineligible', 'no_payment_rail'])
})

it('nothing is preselected for a person without a connect session', async () => {
  const person = await arriveAs(service, await someone(service, '+15125550101'))
  await verify(service, person)
  expect(person.data('selection').accounts.some(({ selected }) => selected)).toBe(false)
})
