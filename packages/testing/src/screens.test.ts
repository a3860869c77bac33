import { describe, expect, it } from 'vitest'
import { containing } from './screens.js'
import { journeys, steps } from './steps.js'

describe('a partial text match', () => {
  it('accepts either case and either apostrophe', () => {
    expect('That isn’t the code we sent. You have 4 tries left.').toMatch(containing("that isn't the code"))
    expect('Lowe’s (Store card)').toMatch(containing('Lowe’s (store'))
  })

  it('treats special characters literally', () => {
    expect('1x500').not.toMatch(containing('1.500'))
  })
})

describe('a journey', () => {
  const controls = (actions: { do: string }[]) => actions.map(action => action.do)

  it('skips the phone screens for a person who has verified the phone', () => {
    expect(journeys.connect({ verified: true })).toEqual([
      ...steps.consent(),
      ...steps.selectAllAccounts(),
      ...steps.done(),
    ])
  })

  it('starts with the split for a person who linked all accounts', () => {
    const split = [...steps.setAmounts(), ...steps.confirmPayments(), ...steps.done()]
    expect(journeys.balanceTransfer({ linked: true, verified: true })).toEqual(split)
    expect(journeys.balanceTransfer({ linked: true })).toEqual([...steps.consent(), ...steps.verifyPhone(), ...split])
  })

  it('provides details and answers only to a flow that requires them', () => {
    const filled = journeys.connect({ details: { dob: '1980-03-11' }, answers: '(Correct)' })
    expect(filled).toEqual([
      ...steps.consent(),
      ...steps.verifyPhone(),
      ...steps.giveDetails({ dob: '1980-03-11' }),
      ...steps.answerQuestions('(Correct)'),
      ...steps.selectAllAccounts(),
      ...steps.done(),
    ])
    const enter = ['wait', 'fill', 'press']
    expect(controls(steps.giveDetails({ ssn_4: '1234' }))).toEqual(enter)
    const address = { line1: '100 Congress Ave', city: 'Austin', state: 'TX', zip: '78701' }
    const enterAddress = ['wait', 'fill', 'fill', 'select', 'fill', 'press']
    expect(controls(steps.giveDetails({ address }))).toEqual(enterAddress)
    expect(controls(steps.giveDetails({ ssn_4: '1234', address }))).toEqual([...enter, ...enterAddress])
  })
})
