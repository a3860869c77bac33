import { describe, expect, it } from 'vitest'
import { atSelection, type Person } from '../../../testing/frame.js'
import { testService } from '../../../testing/service.js'

const service = await testService()

const codes = (person: Person) => person.view.errors.map(error => [error.field, error.code])

describe('number', () => {
  it('a correct one makes the account payable; wrong ones are counted, and the fifth drops the account', async () => {
    const { person } = await atSelection(service, '+15125550100')
    const [card, needs] = person.data('selection').accounts
    await person.send({ action: 'select', accounts: [card!.id, needs!.id] })
    expect(person.data('number')).toMatchObject({ account: { id: needs!.id }, tries_left: 5, index: 1, count: 1 })
    for (const [number, error] of [
      [undefined, 'required'],
      ['', 'required'],
      ['abc', 'invalid'],
      ['123', 'invalid'],
      ['1'.repeat(26), 'invalid'],
    ] as const) {
      await person.send({ action: 'submit', number })
      expect([number, codes(person)]).toEqual([number, [['number', error]]])
    }
    expect(person.data('number').tries_left).toBe(5)
    await person.send({ action: 'submit', number: '4000 0000 0009 1111' })
    expect(person.view.errors).toEqual([{ field: 'number', code: 'incorrect', values: { tries_left: 4 } }])
    await person.send({ action: 'submit', number: '4000 0000 0009 0342' })
    expect(person.data('allocation').accounts.map(account => account.id)).toEqual([card!.id, needs!.id])
  })

  it('drops the account with its reason after five rejections, and continues with the rest', async () => {
    const { person } = await atSelection(service, '+15125550108')
    const accounts = person.data('selection').accounts.map(account => account.id)
    await person.send({ action: 'select', accounts })
    for (let turn = 0; turn < 5; turn++) await person.send({ action: 'submit', number: '4000 0000 0002 8045' })
    expect(person.view.errors).toEqual([{ field: null, code: 'number_refused', values: { account: accounts[0] } }])
    expect(person.data('allocation')).toMatchObject({
      accounts: [{ id: accounts[1] }],
      dropped: [{ id: accounts[0], status: 'ineligible', reason: 'number_refused' }],
    })
  })

  it('if skipped, the account is not paid; if it was the only one, the person chooses again', async () => {
    const { person } = await atSelection(service, '+15125550108')
    const [needs, ready] = person.data('selection').accounts
    await person.send({ action: 'select', accounts: [needs!.id] })
    await person.send({ action: 'skip' })
    expect(person.view.step).toBe('selection')
    await person.send({ action: 'select', accounts: [needs!.id, ready!.id] })
    expect(person.view.can_go_back).toBe(true)
    await person.send({ action: 'back' })
    expect(person.view.step).toBe('selection')
    await person.send({ action: 'select', accounts: [needs!.id, ready!.id] })
    await person.send({ action: 'skip' })
    expect(person.data('allocation').dropped).toMatchObject([{ id: needs!.id }])
  })
})
