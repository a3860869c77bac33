import type { SessionView } from '@causeway/contract/session'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { people } from '../../sandbox/people.js'
import {
  atSelection,
  details,
  LOAN,
  Person,
  rightAnswers,
  someone,
  transferToken,
  verify,
} from '../../testing/frame.js'
import { type TestService, testService } from '../../testing/service.js'

let service: TestService
beforeAll(async () => {
  service = await testService()
})
afterAll(() => service.stop())

const begin = async (phone: string, terms: Record<string, unknown> = LOAN, more: Record<string, unknown> = {}) => {
  const { element_token } = await transferToken(service, await someone(service, phone, more), terms)
  const person = await Person.arrive(service, element_token)
  await person.arriveAtAccounts()
  return person
}
const blocked = (view: SessionView) => [view.step, (view.data as { reason?: string }).reason]
const accountsOf = (person: Person) =>
  person.data('selection').accounts.map(account => [account.name, account.status, account.reason] as const)

/** Where each person of the sandbox gets to, once verified; what a line says of the accounts is in the manual's order. */
const ends: Record<string, string | string[]> = {
  '+15125550100': ['ready', 'needs_number', 'ready', 'no_payment_rail', 'nothing_owed'],
  '+15125550101': ['ready', 'ready', 'ready', 'ready'],
  '+15125550102': ['ready', 'ready'],
  '+15125550103': ['ready', 'ready'],
  '+15125550104': ['ready', 'ready'],
  '+15125550105': 'no_accounts',
  '+15125550106': 'thin_file',
  '+15125550107': 'credit_freeze',
  '+15125550108': ['needs_number', 'ready'],
  '+15125550109': ['ready', 'ready', 'ready'],
  '+15125550110': ['ready', 'ready'],
  '+15125550111': ['ready', 'ready'],
  '+15125550112': ['ready', 'ready'],
  '+15125550120': ['ready', 'ready', 'ready', 'ready'],
  '+15121231111': ['ready', 'ready', 'ready'],
  '+15121231112': ['ready', 'authorized_user', 'closed'],
  '+15121231113': ['ready', 'ready', 'ready'],
  '+15121231122': ['ready', 'ready'],
  '+16505551115': ['ready', 'ready', 'ready'],
}

describe("the sandbox's people", () => {
  it('every one of them is tried', () => {
    expect(Object.keys(ends).sort()).toEqual(people.map(person => person.phone).sort())
  })

  it.each(people.map(person => [person.phone, person.scenario] as const))('%s: %s', async phone => {
    const { person } = await atSelection(service, phone)
    const wanted = ends[phone]!
    if (typeof wanted === 'string') return expect(blocked(person.view)).toEqual(['blocked', wanted])
    const { accounts } = person.data('selection')
    const byAge = [...accounts].sort((a, b) => (a.id < b.id ? -1 : 1))
    expect(byAge.map(account => account.reason ?? account.status)).toEqual(wanted)
    for (const account of accounts) expect(account).toMatchObject({ selected: false, institution: expect.any(String) })
  })

  it('date of birth alone is asked of 02, with every mistake named', async () => {
    const person = await begin('+15125550102')
    expect(person.data('details')).toEqual({ fields: ['dob'], values: {} })
    for (const [dob, code] of [
      [undefined, 'required'],
      ['', 'required'],
      ['1980-02-30', 'invalid'],
      ['05/05/1980', 'invalid'],
      ['2030-01-01', 'invalid'],
      ['1899-12-31', 'invalid'],
      ['2008-03-03', 'too_young'],
    ] as const) {
      await person.send({ action: 'submit', dob })
      expect([dob, person.view.errors]).toEqual([dob, [{ field: 'dob', code, values: {} }]])
    }
    await person.send({ action: 'submit', dob: '2008-03-02' })
    await person.wait()
    expect(person.view.step).toBe('selection')
  })

  it('what the customer sent is not asked again', async () => {
    const person = await begin('+15125550102', LOAN, { dob: '1980-05-05' })
    expect(person.view.step).toBe('selection')
  })

  it('date, address and last four are asked of 03, each by its field', async () => {
    const person = await begin('+15125550103')
    expect(person.data('details').fields).toEqual(['dob', 'address', 'ssn_4'])
    await person.send({ action: 'submit', dob: '1980-05-05', line1: '1 Elm', state: 'Texas', zip: '787', ssn_4: '12' })
    expect(person.view.errors.map(error => [error.field, error.code])).toEqual([
      ['city', 'required'],
      ['state', 'invalid'],
      ['zip', 'invalid'],
      ['ssn_4', 'invalid'],
    ])
  })

  it('details that match nobody are said so and can be corrected; after four rounds it ends', async () => {
    const person = await begin('+15125550103')
    await person.send({ action: 'submit', ...details, ssn_4: '0000' })
    expect(person.view.errors).toEqual([{ field: null, code: 'no_match', values: {} }])
    expect(person.data('details')).toEqual({
      fields: ['dob', 'address', 'ssn_4'],
      values: { dob: '1980-05-05', line1: '1 Elm Street', city: 'Austin', state: 'TX', zip: '78705' },
    })
    await person.send({ action: 'submit', ...details, ssn_4: '4444' })
    await person.wait()
    expect(person.view.step).toBe('selection')
    const other = await begin('+15125550103')
    for (let round = 0; round < 4; round++) await other.send({ action: 'submit', ...details, ssn_4: '0000' })
    expect(blocked(other.view)).toEqual(['blocked', 'identity_failed'])
  })

  it('a last name that matches nobody, with nothing left to ask, ends', async () => {
    expect(blocked((await begin('+15125550101', LOAN, { last_name: 'Nomatch' })).view)).toEqual([
      'blocked',
      'identity_failed',
    ])
  })

  it('an unknown number is asked everything and never matches', async () => {
    const person = await begin('+12125550188')
    expect(person.data('details').fields).toEqual(['dob', 'address', 'ssn_4'])
    await person.send({ action: 'submit', ...details })
    expect(person.view.errors.map(error => error.code)).toEqual(['no_match'])
  })

  it('questions of 04: a missing answer, a wrong round with other questions, then right ones', async () => {
    const person = await begin('+15125550104')
    const first = person.data('questions')
    expect([first.questions.length, first.tries_left]).toEqual([3, 2])
    await person.send({ action: 'answer', answers: rightAnswers(person).slice(1) })
    expect(person.view.errors).toEqual([{ field: null, code: 'required', values: {} }])
    const wrong = first.questions.map(question => ({ question_id: question.id, answer_id: 'ans_none' }))
    await person.send({ action: 'answer', answers: wrong })
    expect(person.view.errors).toEqual([{ field: null, code: 'incorrect', values: { tries_left: 1 } }])
    expect(person.data('questions').questions[0]!.id).not.toBe(first.questions[0]!.id)
    await person.send({ action: 'answer', answers: rightAnswers(person) })
    await person.wait()
    expect(person.view.step).toBe('selection')
  })

  it('questions of 04: two wrong rounds end it', async () => {
    const person = await begin('+15125550104')
    for (let round = 0; round < 2; round++)
      await person.send({
        action: 'answer',
        answers: person.data('questions').questions.map(question => ({ question_id: question.id, answer_id: 'x' })),
      })
    expect(blocked(person.view)).toEqual(['blocked', 'identity_failed'])
  })

  it('a frozen file can be tried again, a thin one not', async () => {
    const frozen = await begin('+15125550107')
    expect(frozen.view.data).toMatchObject({ reason: 'credit_freeze', can_retry: true })
    await frozen.send({ action: 'retry' })
    await frozen.wait()
    expect(blocked(frozen.view)).toEqual(['blocked', 'credit_freeze'])
    const thin = await begin('+15125550106')
    expect(thin.view.data).toMatchObject({ can_retry: false })
  })

  it('terms that no amounts can satisfy are told before anything is typed, in cents', async () => {
    const { person } = await atSelection(service, '+15125550112', { loan_amount: 500_000, residual_amount_max: 0 })
    expect(person.view.data).toMatchObject({
      reason: 'infeasible_terms',
      can_retry: false,
      shortfall: 500_000 - 59_950,
    })
    const fitting = await atSelection(service, '+15125550112', { loan_amount: 59_950, residual_amount_max: 0 })
    expect(fitting.person.data('selection').shortfall).toBe(0)
  })

  it('of 09 the third institution tells no balance, and the flow goes on without', async () => {
    const { person } = await atSelection(service, '+15125550109')
    const balances = person.data('selection').accounts.map(account => account.balance)
    expect(balances).toEqual([364_500, 201_875, null])
  })

  it('a person with a name and no more is asked for the number, and may type another', async () => {
    const made = await service.call('POST', '/elements/token', {
      type: 'balance_transfer',
      entity: { type: 'individual', individual: { first_name: 'Kevin', last_name: 'Doyle' } },
      balance_transfer: LOAN,
    })
    const person = await Person.arrive(service, made.body['element_token'])
    await person.consent()
    expect(person.data('phone')).toEqual({ last4: null, editable: true })
    for (const phone of [undefined, '', '555', '+44 20 7946 0958', '(112) 555-0101', 'phone']) {
      await person.send({ action: 'send', phone })
      expect([phone, person.view.errors[0]?.field, person.view.step]).toEqual([phone, 'phone', 'phone'])
    }
    await person.send({ action: 'send', phone: '(512) 555-0101' })
    expect(person.data('code')).toMatchObject({ last4: '0101', editable: true })
    await person.send({ action: 'change' })
    expect(person.data('phone')).toEqual({ last4: '0101', editable: true })
    await person.send({ action: 'send', phone: '512 555 0112' })
    await person.send({ action: 'verify', code: '123456' })
    await verify(service, person)
    expect(accountsOf(person)).toHaveLength(2)
  })
})
