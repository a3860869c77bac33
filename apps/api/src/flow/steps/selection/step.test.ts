import { describe, expect, it } from 'vitest'
import { atSelection, LOAN, type Person } from '../../../testing/frame.js'
import { testService } from '../../../testing/service.js'

const service = await testService()

const codes = (person: Person) => person.view.errors.map(error => [error.field, error.code])

describe('selection', () => {
  it('accepts only eligible accounts, at least one', async () => {
    const { person } = await atSelection(service, '+15125550100')
    const { accounts, terms } = person.data('selection')
    expect(terms).toMatchObject({ ...LOAN, minimum_payment: 100 })
    expect(accounts.map(account => account.status)).toEqual([
      'ready',
      'needs_number',
      'ready',
      'ineligible',
      'ineligible',
    ])
    const other = await atSelection(service, '+15125550101')
    const foreign = other.person.data('selection').accounts[0]!.id
    for (const [chosen, error] of [
      [[], 'none_selected'],
      [[accounts[3]!.id], 'not_eligible'],
      [[accounts[0]!.id, accounts[4]!.id], 'not_eligible'],
      [['acc_unknown'], 'not_eligible'],
      [[foreign], 'not_eligible'],
    ] as const) {
      await person.send({ action: 'select', accounts: chosen })
      expect([person.view.step, codes(person)]).toEqual(['selection', [['accounts', error]]])
    }
    await person.send({ action: 'select', accounts: [accounts[0]!.id, accounts[0]!.id] })
    expect(person.data('allocation').accounts).toHaveLength(1)
  })
})
