import { describe, expect, it } from 'vitest'
import { arriveAs, details, type Person, someone } from '../../../testing/frame.js'
import { testService } from '../../../testing/service.js'

const service = await testService()

/** Opens the frame for a person in a new session. */
async function arrive(entity: string): Promise<Person> {
  const person = await arriveAs(service, entity)
  await person.consent()
  return person
}
const put = (entity: string, body: Record<string, unknown>) => service.call('PUT', `/entities/${entity}`, body)
const named = async (): Promise<string> =>
  (
    await service.call('POST', '/entities', {
      type: 'individual',
      individual: { first_name: 'Kevin', last_name: 'Doyle' },
    })
  ).body['id']

describe('mistyped, unverified details', () => {
  // kills: details-of-own-session
  it("can be retyped in another session, which does not show the first session's details", async () => {
    const entity = await someone(service, '+15125550103')
    const first = await arrive(entity)
    await first.arriveAtAccounts()
    await first.send({ action: 'submit', ...details, ssn_4: '0000' })
    const second = await arrive(entity)
    await second.arriveAtAccounts()
    expect(second.data('details')).toEqual({ fields: ['dob', 'address', 'ssn_4'], values: {} })
    await second.send({ action: 'submit', ...details })
    await second.wait()
    expect(second.view.step).toBe('selection')
  })

  it('can be corrected by the customer, who controls them from then on', async () => {
    const entity = await someone(service, '+15125550103', { dob: '1980-05-05' })
    const person = await arrive(entity)
    await person.arriveAtAccounts()
    await person.send({ action: 'submit', ...details, ssn_4: '0000', city: 'Ostin' })
    expect(person.view.errors).toMatchObject([{ code: 'no_match' }])
    const fixed = await put(entity, { individual: { ssn_4: '4444' }, address: { city: 'Austin' } })
    expect([fixed.status, fixed.body['address']]).toEqual([
      200,
      { line1: '1 Elm Street', line2: null, city: 'Austin', state: 'TX', zip: '78705' },
    ])
    for (const body of [
      { individual: { ssn_4: '5555' } },
      { address: { city: 'Waco' } },
      { individual: { dob: '1981-05-05' } },
      { individual: { last_name: 'Boyle' } },
    ])
      expect((await put(entity, body)).body['error']['sub_type']).toBe('ENTITY_UPDATE_INVALID')
    expect((await put(entity, { address: { zip: '78701' } })).status).toBe(200)
    await person.look()
    await person.wait()
    expect(person.view.step).toBe('selection')
  })

  it('are replaced by a whole SSN from the customer, even if the four typed digits differ', async () => {
    const entity = await someone(service, '+15125550103')
    const person = await arrive(entity)
    await person.arriveAtAccounts()
    await person.send({ action: 'submit', ...details, ssn_4: '0000' })
    expect((await put(entity, { individual: { ssn: '123456789' } })).status).toBe(200)
    await person.look()
    await person.wait()
    expect(person.view.step).toBe('selection')
  })

  // kills: verified-details-stay
  it("can't be changed once the identity is verified", async () => {
    const entity = await someone(service, '+15125550102')
    const person = await arrive(entity)
    await person.arriveAtAccounts()
    await person.send({ action: 'submit', ...details })
    await person.wait()
    expect(person.view.step).toBe('selection')
    const late = await put(entity, { individual: { dob: '1970-01-01' } })
    expect(late.body['error']['sub_type']).toBe('ENTITY_UPDATE_INVALID')
  })
})

describe('a mistyped phone number', () => {
  it('can be retyped in another session until a code verifies it', async () => {
    const entity = await named()
    const first = await arrive(entity)
    await first.send({ action: 'send', phone: '5125550199' })
    const second = await arrive(entity)
    expect(second.data('phone')).toEqual({ last4: '0199', editable: true })
    await second.send({ action: 'send', phone: '5125550112' })
    expect(second.data('code')).toMatchObject({ last4: '0112', editable: true })
    await second.arriveAtAccounts()
    expect(second.data('selection').accounts).toHaveLength(2)
    expect((await put(entity, { individual: { phone: '+15125550101' } })).body['error']['sub_type']).toBe(
      'ENTITY_UPDATE_INVALID',
    )
  })

  // kills: new-number-forgets-person
  it("never lets another number verify the identity of the first number's owner", async () => {
    const entity = await named()
    const person = await arrive(entity)
    await person.send({ action: 'send', phone: '5125550101' })
    const matched = await put(entity, { individual: { email: 'kevin@example.com' } })
    expect(matched.body['verification']['identity']['matched']).toBe(true)
    await person.send({ action: 'change' })
    await person.send({ action: 'send', phone: '5125550112' })
    await person.arriveAtAccounts()
    expect(person.data('selection').accounts).toHaveLength(2)
  })

  // kills: new-number-ends-codes
  it('invalidates its code when changed: a code sent to the old number does not verify the new one', async () => {
    const entity = await named()
    const person = await arrive(entity)
    await person.send({ action: 'send', phone: '5125550101' })
    const sent = await service.call('GET', `/entities/${entity}/verification_sessions`)
    expect((await put(entity, { individual: { phone: '+15125550112' } })).status).toBe(200)
    const path = `/entities/${entity}/verification_sessions/${sent.body['data'][0]['id']}`
    const answer = await service.call('PUT', path, { type: 'phone', method: 'sms', sms: { sms_code: '123456' } })
    expect(answer.body).toMatchObject({ status: 'failed', error: { code: 19001 } })
    await person.look()
    expect(person.data('phone')).toEqual({ last4: '0112', editable: false })
  })
})
