import { describe, expect, it } from 'vitest'
import { defaultCodeLimits } from '../../../people/entities/methods/sms/codes.js'
import { arrive, arriveAs, atSelection, LOAN, Person, someone } from '../../../testing/frame.js'
import { testService } from '../../../testing/service.js'

const service = await testService()

describe('the code', () => {
  /** Returns a person without a number from the customer. */
  const withoutNumber = async () => {
    const body = {
      type: 'balance_transfer',
      entity: { type: 'individual', individual: { first_name: 'Kevin', last_name: 'Doyle' } },
      balance_transfer: LOAN,
    }
    return Person.arrive(service, (await service.call('POST', '/elements/token', body)).body['element_token'])
  }
  const begun = async ({ view }: Person) => {
    const { body } = await service.call('GET', `/entities/${view.entity_id}/verification_sessions`)
    return (body['data'] as { type: string; method: string }[])
      .filter(({ type }) => type === 'phone')
      .map(({ method }) => method)
  }

  it("is texted to the customer's number as soon as the person agrees", async () => {
    const person = await arrive(service, '+15125550101')
    expect(await begun(person)).toEqual([])
    await person.consent()
    expect(person.data('code')).toMatchObject({ last4: '0101', editable: false, silent: null })
    expect(await begun(person)).toEqual(['sms'])
  })

  // kills: typed-number-gets-no-code-on-agreement
  it('is texted to no number that a person typed, until the person confirms it', async () => {
    const person = await withoutNumber()
    await person.consent()
    await person.send({ action: 'send', phone: '+15125550101' })
    await person.send({ action: 'change' })
    await person.send({ action: 'back' })
    await person.consent()
    expect(person.data('phone')).toEqual({ last4: '0101', editable: true })
    expect(await begun(person)).toEqual(['sms'])
  })

  it('is not texted twice to a person whose proof still counts', async () => {
    const { person, entity } = await atSelection(service, '+15125550101')
    const again = await arriveAs(service, entity)
    if (again.view.step === 'consent') await again.consent()
    await again.wait()
    again.data('selection')
    expect(await begun(person)).toEqual(['sms'])
  })

  it('is not texted above the limit, and the person sees when they can ask for another', async () => {
    const limited = await service.again({ codeLimits: defaultCodeLimits('production') })
    const entity = await someone(limited, '+15125550112')
    const people = []
    for (const _ of Array(4)) people.push(await arriveAs(limited, entity))
    for (const person of people) await person.consent()
    expect(people.map(({ view }) => view.step)).toEqual(['code', 'code', 'code', 'phone'])
    expect(people[3]!.view.errors).toEqual([
      { field: null, code: 'too_many_codes', values: { retry_at: expect.any(String) } },
    ])
    const { session_id } = people[3]!.view
    const agreed = service.store.reader.selectFrom('consents').select('id').where('session_id', '=', session_id)
    expect(await agreed.execute()).toHaveLength(5)
  })
})
