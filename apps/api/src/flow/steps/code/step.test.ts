import { describe, expect, it } from 'vitest'
import { arrive, type Person } from '../../../testing/frame.js'
import { testService } from '../../../testing/service.js'

const service = await testService()

const codes = (person: Person) => person.view.errors.map(error => [error.field, error.code])

/** Returns a new person to whom a code was sent. */
async function sent(phone = '+15125550101'): Promise<Person> {
  const person = await arrive(service, phone)
  await person.consent()
  return person
}

describe('the code', () => {
  it('is not counted as an attempt if it is empty or incomplete', async () => {
    const person = await sent()
    for (const [code, error] of [
      ['', 'required'],
      ['12345', 'invalid'],
      ['12345a', 'invalid'],
      [123456, 'required'],
    ] as const) {
      await person.send({ action: 'verify', code })
      expect([code, codes(person)]).toEqual([code, [['code', error]]])
    }
    expect(person.data('code').tries_left).toBe(5)
  })

  it('is counted if it is wrong, and can be corrected', async () => {
    const person = await sent()
    await person.send({ action: 'verify', code: '000000' })
    expect(person.view.errors).toEqual([{ field: 'code', code: 'incorrect', values: { tries_left: 4 } }])
    await person.send({ action: 'verify', code: '123 456' })
    await person.wait()
    expect(person.view.step).toBe('selection')
  })

  it('can be sent again if it expired or after too many attempts', async () => {
    const person = await sent()
    await person.send({ action: 'verify', code: '111111' })
    expect([person.view.step, codes(person)]).toEqual(['phone', [[null, 'expired']]])
    await person.send({ action: 'send' })
    for (let turn = 0; turn < 5; turn++) await person.send({ action: 'verify', code: '000000' })
    expect([person.view.step, codes(person)]).toEqual(['phone', [[null, 'too_many_attempts']]])
    await person.send({ action: 'send' })
    await person.send({ action: 'verify', code: '123 456' })
    await person.wait()
    expect(person.view.step).toBe('selection')
  })

  it('expires after ten minutes, and another can be sent', async () => {
    const person = await sent('+15125550102')
    service.advance(600_000)
    await person.send({ action: 'verify', code: '123456' })
    expect([person.view.step, codes(person)]).toEqual(['phone', [[null, 'expired']]])
  })
})
