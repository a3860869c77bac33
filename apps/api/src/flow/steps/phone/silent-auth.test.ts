import { OutsideError } from '@causeway/connector/ports/outside-error'
import { beforeEach, describe, expect, it } from 'vitest'
import { defaultCodeLimits } from '../../../people/entities/methods/sms/codes.js'
import { carrier, deniedPhone, refusedPhone } from '../../../sandbox/tables/inputs.js'
import { LOAN, Person, someone, transferToken } from '../../../testing/frame.js'
import { testService } from '../../../testing/service.js'

const phone = '+15125550101'
/** The carrier's responses, if they differ from the sandbox's. */
let says: { check?: () => Promise<{ status: 'correct' | 'incorrect' | 'pending' }>; urls?: string[]; texts: number }
const service = await testService({
  codeLimits: defaultCodeLimits('production'),
  silentOrigins: [carrier, 'https://*.carrier.example'],
  ports: ports => ({
    ...ports,
    identity: {
      ...ports.identity,
      beginSna: async call => {
        const begun = await ports.identity.beginSna(call)
        return begun.status === 'ready' ? { ...begun, urls: says.urls ?? begun.urls } : begun
      },
      checkSna: call => (says.check ? says.check() : ports.identity.checkSna(call)),
      sendCode: call => {
        says.texts += 1
        return ports.identity.sendCode(call)
      },
    },
  }),
})
beforeEach(async () => {
  says = { texts: 0 }
  await service.store.write(tx => tx.deleteFrom('counters').execute())
})

const begin = async (number: string | null = phone, more: { silent?: true } = {}) => {
  const entity = await someone(service, number as string)
  const { element_token, session_id } = await transferToken(service, entity, LOAN)
  const person = await Person.arrive(service, element_token)
  await person.consent(more)
  return { person, entity, session: session_id }
}
/** Begins on a mobile network, with a number that the customer sent. */
const beginSilently = (number = phone) => begin(number, { silent: true })
const sendSilently = (person: Person, more = {}) => person.send({ action: 'send', silent: true, ...more })
const proof = async (entity: string) =>
  ((await service.call('GET', `/entities/${entity}`)).body as never as { verification: { phone: unknown } })
    .verification.phone
interface Made {
  id: string
  type: string
  method: string
  status: string
}
/** Returns the phone sessions, latest first. */
const sessions = async (entity: string) => {
  const { body } = await service.call('GET', `/entities/${entity}/verification_sessions`)
  return (body['data'] as Made[]).filter(({ type }) => type === 'phone')
}
/** Checks that one code was texted and that the flow now asks for it. */
const isTexted = (person: Person) => {
  expect(person.data('code').silent).toBe(null)
  expect(says.texts).toBe(1)
}

describe('a phone that its carrier recognizes', () => {
  it('is verified without a code or text: the result is the same, and the method is sna', async () => {
    const { person, entity } = await beginSilently()
    const { silent, last4 } = person.data('code')
    expect(last4).toBe(phone.slice(-4))
    expect(silent).toHaveLength(2)
    for (const url of silent!) expect(new URL(url).origin).toBe(carrier)
    await person.send({ action: 'silent' })
    await person.wait()
    person.data('selection')
    expect(says.texts).toBe(0)
    const [made] = await sessions(entity)
    expect(made).toMatchObject({ method: 'sna', status: 'verified' })
    expect(await proof(entity)).toMatchObject({ verified: true, latest_verification_session: made!.id })
  })

  it('that was typed is kept, and can be changed while the carrier check runs', async () => {
    const { person, entity } = await begin(null)
    await sendSilently(person, { phone: '(512) 555-0102' })
    expect(person.data('code')).toMatchObject({ editable: true, last4: '0102' })
    expect(person.view.can_go_back).toBe(true)
    await person.send({ action: 'back' })
    await sendSilently(person, { phone })
    await person.send({ action: 'silent' })
    expect(await proof(entity)).toMatchObject({ verified: true })
    const read = await service.call('GET', `/entities/${entity}`)
    expect(read.body['individual']).toMatchObject({ phone })
  })

  it('can be checked at any URL that the operator allows, including a whole domain', async () => {
    says.urls = ['https://a.b.carrier.example/x?y=1']
    const { person } = await beginSilently()
    expect(person.data('code').silent).toEqual(says.urls)
  })
})

describe('texts a code as a fallback', () => {
  // kills: unconfirmed-phone-is-unverified
  it.each([
    ['does not know it', deniedPhone, {}],
    ['was not reached by it', phone, { check: async () => ({ status: 'pending' as const }) }],
    [
      'does not answer',
      phone,
      {
        check: async () => {
          throw new OutsideError('identity.checkSna')
        },
      },
    ],
  ])('if the carrier %s', async (_what, number, carrierSays) => {
    Object.assign(says, carrierSays)
    const { person, entity } = await beginSilently(number)
    await person.send({ action: 'silent' })
    isTexted(person)
    expect(await proof(entity)).toMatchObject({ verified: false })
    await person.send({ action: 'verify', code: '123456' })
    expect(await proof(entity)).toMatchObject({ verified: true })
    expect((await sessions(entity))[0]).toMatchObject({ method: 'sms', status: 'verified' })
  })

  // kills: silent-proof-at-listed-origins
  it.each([
    ['is on no list', ['https://elsewhere.example/x']],
    ['only ends like one of the list', ['https://xcarrier.example/x']],
    ['only begins like one of the list', ['https://a.carrier.example.evil.example/x']],
    ['is not https', ['http://a.carrier.example/x']],
    ['beside a good one is on no list', [`${carrier}/x`, 'https://elsewhere.example/x']],
  ])('if a URL %s, so the frame never opens it', async (_what, urls) => {
    says.urls = urls
    const { person } = await beginSilently()
    isTexted(person)
  })

  it('if the carrier rejects the number, even one that was just typed', async () => {
    const { person, entity } = await begin(null)
    await sendSilently(person, { phone: refusedPhone })
    expect(person.view).toMatchObject({ step: 'phone', errors: [{ field: 'phone', code: 'refused' }] })
    await sendSilently(person, { phone })
    await person.send({ action: 'resend' })
    expect(says.texts).toBe(2)
    await person.send({ action: 'verify', code: '123456' })
    expect(await proof(entity)).toMatchObject({ verified: true })
  })

  it('if the team does not use sna', async () => {
    const { identity_methods } = (await service.call('GET', '/team')).body as never as { identity_methods: string[] }
    await service.call('PATCH', '/team', { identity_methods: identity_methods.filter(name => name !== 'sna') })
    const { person } = await begin(null)
    await sendSilently(person, { phone })
    isTexted(person)
    await service.call('PATCH', '/team', { identity_methods })
  })

  it('if the person does not want to wait', async () => {
    const { person } = await beginSilently()
    await person.send({ action: 'resend' })
    isTexted(person)
  })

  it('after five carrier checks in a session', async () => {
    const { person } = await begin(null)
    for (let time = 1; time <= 5; time++) {
      await sendSilently(person, { phone })
      expect(person.data('code').silent, `time ${time}`).not.toBe(null)
      await person.send({ action: 'back' })
    }
    await sendSilently(person, { phone })
    isTexted(person)
  })

  it('or, if no more codes can be sent, asks for the number and gives the reason', async () => {
    const { person } = await begin()
    for (const action of ['resend', 'resend']) await person.send({ action })
    says.check = async () => ({ status: 'pending' })
    const other = await beginSilently()
    await other.person.send({ action: 'silent' })
    expect(other.person.view).toMatchObject({ step: 'phone', errors: [{ code: 'too_many_codes' }] })
  })
})

describe('during the carrier check', () => {
  // kills: typed-code-is-no-silent-proof
  it('a typed code verifies nothing', async () => {
    const { person, entity } = await beginSilently()
    await person.send({ action: 'verify', code: '123456' })
    isTexted(person)
    expect(await proof(entity)).toMatchObject({ verified: false })
  })

  it('only one of two simultaneous answers is accepted, and an old one is stale', async () => {
    const { person, entity } = await beginSilently()
    const { revision } = person.view
    const replies = await Promise.all([1, 2].map(() => person.send({ action: 'silent' }, 'code', revision)))
    expect(replies.map(reply => reply.status).sort()).toEqual([200, 409])
    expect((await person.send({ action: 'silent' }, 'code', revision)).status).toBe(409)
    expect(await proof(entity)).toMatchObject({ verified: true })
    expect(await sessions(entity)).toHaveLength(1)
  })

  it('another page of the session cannot claim the answer, and starts at the number', async () => {
    const { person, session } = await beginSilently()
    const made = await service.call('POST', '/elements/token', { type: 'balance_transfer', session_id: session })
    const other = await Person.arrive(service, made.body['element_token'])
    expect(other.view.step).toBe('phone')
    expect((await other.send({ action: 'silent' }, 'code')).status).toBe(409)
    await person.send({ action: 'silent' })
    expect(person.view.step).not.toBe('code')
    expect((await other.send({ action: 'send' })).status).toBe(401)
  })

  it('a person who returns too late starts at the number', async () => {
    const { person } = await beginSilently()
    service.advance(11 * 60_000)
    await service.settle()
    expect((await person.send({ action: 'silent' })).status).toBe(409)
    expect(person.view.step).toBe('phone')
  })

  it("an answer to a texted code does not count as the carrier's answer", async () => {
    const { person, entity } = await begin()
    await person.send({ action: 'silent' })
    expect(person.view).toMatchObject({ step: 'code', errors: [{ field: 'code', code: 'required' }] })
    expect(await proof(entity)).toMatchObject({ verified: false })
  })
})
