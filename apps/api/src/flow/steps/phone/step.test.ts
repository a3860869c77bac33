import { describe, expect, it } from 'vitest'
import { arrive, LOAN, Person, verify } from '../../../testing/frame.js'
import { testService } from '../../../testing/service.js'

const service = await testService()

const codes = (person: Person) => person.view.errors.map(error => [error.field, error.code])
describe('the phone', () => {
  it("shows the last four digits of the customer's number, which cannot be changed", async () => {
    const person = await arrive(service, '+15125550101')
    await person.consent()
    await person.letCodeExpire()
    expect(person.data('phone')).toEqual({ last4: '0101', editable: false })
    await person.send({ action: 'send', phone: '+15125550112' })
    expect(person.data('code').last4).toBe('0101')
    await person.send({ action: 'change' })
    expect([person.view.step, codes(person)]).toEqual(['code', [['phone', 'changed']]])
    expect(person.view.can_go_back).toBe(false)
  })

  it('goes back to the documents, which must be accepted again', async () => {
    const person = await arrive(service, '+15125550101')
    await person.consent()
    await person.letCodeExpire()
    expect(person.view.can_go_back).toBe(true)
    await person.send({ action: 'back' })
    expect(person.view).toMatchObject({ step: 'consent', can_go_back: false })
    await person.consent()
    expect([person.view.step, codes(person)]).toEqual(['code', []])
  })

  it('asks a person with only a name for the number, and lets them type another', async () => {
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
    expect(person.data('selection').accounts).toHaveLength(2)
  })

  it('rejects numbers that no phone in the US can have, and sends no code', async () => {
    const made = await service.call('POST', '/elements/token', {
      type: 'balance_transfer',
      entity: { type: 'individual', individual: { first_name: 'Ana', last_name: 'Reyes' } },
      balance_transfer: LOAN,
    })
    const person = await Person.arrive(service, made.body['element_token'])
    await person.consent()
    const refused = [
      '+47 22 12 34 56',
      '0052 55 1234 5678',
      '911 555 0101',
      '512 155 0101',
      '512 123 4567',
      '512555010112',
    ]
    for (const phone of refused) {
      await person.send({ action: 'send', phone })
      expect([phone, person.view.step, codes(person)]).toEqual([phone, 'phone', [['phone', 'invalid']]])
    }
    expect(person.data('phone').last4).toBe(null)
    await person.send({ action: 'send', phone: '+١ ٥١٢ ٥٥٥ ٠١٠١' })
    expect(person.data('code').last4).toBe('0101')
  })

  it("reports a number that can't receive texts", async () => {
    const person = await arrive(service, '+15125550199')
    await person.consent()
    await service.settle()
    await person.look()
    expect([person.view.step, codes(person)]).toEqual(['phone', [['phone', 'refused']]])
  })

  it("reports a code that can't be sent, during the attempts and after the last one", async () => {
    const person = await arrive(service, '+15125550101')
    await service.fault('identity', 'failing')
    await person.consent()
    for (const view of [person.view, await person.look()])
      expect([view.step, view.errors.map(error => error.code)]).toEqual(['code', ['not_sent_yet']])
    for (let second = 0; second < 5; second++) {
      service.advance(1_000)
      await service.settle()
    }
    const late = await person.send({ action: 'verify', code: '123456' })
    expect([late.status, person.view.step, codes(person)]).toEqual([409, 'phone', [[null, 'not_sent']]])
    service.advance(30_000)
    await person.send({ action: 'send' })
    expect([person.view.step, codes(person)]).toEqual(['code', []])
  })
})
