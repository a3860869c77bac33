import { describe, expect, it } from 'vitest'
import { confirmed, LOAN, Person, someone, verify } from '../../../testing/frame.js'
import { testService } from '../../../testing/service.js'

const service = await testService()

const codes = (person: Person) => person.view.errors.map(error => [error.field, error.code])

describe('done', () => {
  it('lets the person change the confirmed amounts, and accepts nothing else', async () => {
    const { person, accounts } = await confirmed(service, '+15125550110', LOAN, [200_000, 100_000])
    expect(person.view).toMatchObject({ accounts, can_go_back: false })
    expect(person.view.progress.index).toBe(person.view.progress.total)
    expect(person.view.result).not.toBeNull()
    await person.send({ action: 'confirm' })
    expect([person.view.step, codes(person)]).toEqual(['done', [[null, 'changed']]])
    await person.send({ action: 'edit' })
    expect(person.data('allocation').allocations).toEqual({ [accounts[0]!]: 200_000, [accounts[1]!]: 100_000 })
    expect([person.view.accounts, person.view.result]).toEqual([[], null])
  })

  it('has nothing to change if the session has no loan', async () => {
    const made = await service.call('POST', '/opal/token', {
      mode: 'connect',
      entity_id: await someone(service, '+15125550110'),
      connect: { selection_type: 'all' },
    })
    const { token } = made.body['data'] as { token: string }
    const person = await verify(service, await Person.arrive(service, token))
    await person.send({ action: 'select', accounts: [] })
    expect(person.data('done')).toMatchObject({ terms: null, editable: false })
    await person.send({ action: 'edit' })
    expect([person.view.step, codes(person)]).toEqual(['done', [[null, 'changed']]])
  })
})
