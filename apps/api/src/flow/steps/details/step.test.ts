import { DAY_MS } from '@causeway/contract/time'
import { describe, expect, it } from 'vitest'
import { arriveAs, details, type Person, someone } from '../../../testing/frame.js'
import { testService } from '../../../testing/service.js'

const service = await testService()

/** Returns a person in a new session, past the consent and phone steps. */
async function arrive(entity: string): Promise<Person> {
  const person = await arriveAs(service, entity)
  await person.arriveAtAccounts()
  return person
}
const begin = async (phone: string, more: Record<string, unknown> = {}) => arrive(await someone(service, phone, more))
const locked = (person: Person) => {
  const { reason, retry_at, can_retry } = person.data('blocked')
  return { reason, can_retry, wait: Date.parse(retry_at ?? '') - Date.parse(person.view.now) }
}

describe('details', () => {
  it('asks person 02 only for the date of birth, and names every mistake', async () => {
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

  it('does not ask again for details that the customer sent', async () => {
    const person = await begin('+15125550102', { dob: '1980-05-05' })
    expect(person.view.step).toBe('selection')
  })

  it('asks person 03 for the date of birth, address and last four digits, each in its own field', async () => {
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

  it('reads digits of every script, and accepts the addresses of service members and territories', async () => {
    for (const [state, zip] of [
      ['AE', '٠٩٠٠٥'],
      ['ap', '96349-1234'],
      ['MP', '９６９５０'],
    ]) {
      const person = await begin('+15125550103')
      await person.send({ action: 'submit', ...details, dob: '١٩٨٠-٠٥-٠٥', state, zip, ssn_4: '٤٤٤٤' })
      await person.wait()
      expect([state, person.view.step]).toEqual([state, 'selection'])
    }
  })

  it('rejects a state and a ZIP code that do not exist', async () => {
    const person = await begin('+15125550103')
    await person.send({ action: 'submit', ...details, state: 'ZZ', zip: '00000' })
    expect(person.view.errors.map(error => [error.field, error.code])).toEqual([
      ['state', 'invalid'],
      ['zip', 'invalid'],
    ])
  })

  it("reports details that don't match anyone and lets them be corrected; after four rounds the flow ends", async () => {
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
    expect(other.data('blocked').reason).toBe('identity_failed')
  })

  it('asks an unknown number for every detail, and never finds a match', async () => {
    const person = await begin('+12125550188')
    expect(person.data('details').fields).toEqual(['dob', 'address', 'ssn_4'])
    await person.send({ action: 'submit', ...details })
    expect(person.view.errors.map(error => error.code)).toEqual(['no_match'])
  })
})

describe("details that don't match anyone", () => {
  it('can be typed four times a day, regardless of the tokens used', async () => {
    const entity = await someone(service, '+15125550103')
    for (let round = 0; round < 4; round++) {
      const person = await arrive(entity)
      await person.send({ action: 'submit', ...details, ssn_4: '0000' })
      if (round === 3) expect(locked(person)).toEqual({ reason: 'identity_failed', can_retry: false, wait: DAY_MS })
      else expect(person.view.errors).toMatchObject([{ code: 'no_match' }])
    }
    const { body: sessions } = await service.call('GET', `/opal/sessions?entity_id=${entity}&page_limit=1`)
    const [session] = sessions['data'] as unknown as { id: string }[]
    const { body: progress } = await service.call('GET', `/opal/sessions/${session!.id}/progress`)
    expect(progress).toMatchObject({ step: 'blocked', waits_for: 'nothing', last_code: 'identity_failed' })
    expect(Date.parse(String(progress['retry_at'])) - Date.parse(String(progress['since']))).toBe(DAY_MS)
    await service.call('POST', '/simulate/clock', { advance: 'P1D' })
    const later = await arrive(entity)
    await later.send({ action: 'submit', ...details })
    await later.wait()
    expect(later.view.step).toBe('selection')
  })
})
