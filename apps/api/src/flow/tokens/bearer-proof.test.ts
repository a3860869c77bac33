import { DAY_MS } from '@causeway/contract/time'
import { describe, expect, it } from 'vitest'
import { atSelection, confirmed, frameCall, LOAN, Person, redeemToken, someone } from '../../testing/frame.js'
import { testService } from '../../testing/service.js'

const BACK = 'http://127.0.0.1:4300/back'

const service = await testService()

const mint = async (body: Record<string, unknown>): Promise<{ element_token: string; session_id: string }> => {
  const made = await service.call('POST', '/elements/token', { type: 'balance_transfer', ...body })
  if (made.status !== 200) throw new Error(made.text)
  return made.body
}
const open = async (token: string): Promise<Person> => {
  const { body } = await redeemToken(service, token, { origin: null })
  return new Person(service, body.bearer!, body.view!)
}
const link = (body: Record<string, unknown>) => mint({ redirect_url: BACK, ...body })
const call = (person: Person, path = '/s', body?: unknown) =>
  frameCall(service, body ? 'POST' : 'GET', path, body, { authorization: `Bearer ${person.bearer}` })
const atCode = async (token: string) => {
  const person = await open(token)
  if (person.view.step === 'consent') await person.consent()
  expect(person.view.step).toBe('code')
  return person
}

/** Matches text that contains an account holder's name, account or amount. */
const personal = /Discover|Chase|Kevin|balance|acc_/

describe('an unverified bearer', () => {
  const refused = async (stranger: Person, revision: number, accounts: string[]) => {
    const seen = await call(stranger)
    expect([seen.status, seen.body.error?.sub_type]).toEqual([401, 'SESSION_EXPIRED'])
    for (const [step, input] of [
      ['selection', { action: 'select', accounts }],
      ['allocation', { action: 'review', allocations: Object.fromEntries(accounts.map(id => [id, 500_000])) }],
      ['review', { action: 'confirm' }],
    ] as const) {
      const reply = await call(stranger, `/s/steps/${step}`, { revision, input })
      expect([step, reply.status]).toEqual([step, 401])
      expect(JSON.stringify(reply.body)).not.toMatch(personal)
    }
  }

  it('on the same session is revoked when the person enters the code through another link', async () => {
    const entity = await someone(service, '+15125550110')
    const first = await link({ entity_id: entity, balance_transfer: LOAN })
    const stranger = await atCode(first.element_token)
    const person = await atCode((await link({ session_id: first.session_id })).element_token)
    await person.arriveAtAccounts()
    const accounts = person.data('selection').accounts.map(account => account.id)
    await refused(stranger, person.view.revision, accounts)
    expect((await service.call('GET', `/opal/sessions/${first.session_id}`)).body['data']).toMatchObject({
      bt: { completed: false, allocations: {} },
    })
  })

  // kills: proof-revokes-unverified-bearers
  it("on another of the person's sessions is revoked too", async () => {
    const entity = await someone(service, '+15125550110')
    const stranger = await atCode((await link({ entity_id: entity, balance_transfer: LOAN })).element_token)
    const { element_token } = await link({ entity_id: entity, balance_transfer: { loan_amount: 400_000 } })
    const person = await atCode(element_token)
    await person.arriveAtAccounts()
    await refused(stranger, stranger.view.revision, [])
    await person.look()
    expect(person.view.step).toBe('selection')
  })

  it('stays unverified if the number is verified through the API, and must enter a code', async () => {
    const entity = await someone(service, '+15125550110')
    const stranger = await atCode((await link({ entity_id: entity, balance_transfer: LOAN })).element_token)
    const path = `/entities/${entity}/verification_sessions`
    const begun = await service.call('POST', path, { type: 'phone', method: 'sms' })
    const answer = { type: 'phone', method: 'sms', sms: { sms_code: '123456' } }
    const { body } = await service.call('PUT', `${path}/${begun.body['id']}`, answer)
    expect(body).toMatchObject({ status: 'verified' })
    const seen = await stranger.look()
    expect(seen.step).toBe('code')
    expect(JSON.stringify(seen.data)).not.toMatch(personal)
  })

  it('of another person stays open', async () => {
    const other = await atCode(
      (await link({ entity_id: await someone(service, '+15125550109'), balance_transfer: LOAN })).element_token,
    )
    await atSelection(service, '+15125550110')
    expect((await other.look()).step).toBe('code')
  })
})

describe("two of a person's bearers that verify the phone", () => {
  it('in sequence: both stay valid if the second token was used after the proof', async () => {
    const { person, session } = await atSelection(service, '+15125550110')
    const second = await Person.arrive(service, (await mint({ session_id: session })).element_token)
    expect([(await person.look()).step, second.view.step]).toEqual(['selection', 'selection'])
  })

  it('simultaneously: one succeeds, and the other is revoked', async () => {
    const entity = await someone(service, '+15125550110')
    const people = await Promise.all(
      [LOAN, { loan_amount: 400_000 }].map(async terms =>
        atCode((await link({ entity_id: entity, balance_transfer: terms })).element_token),
      ),
    )
    await Promise.all(people.map(person => person.send({ action: 'verify', code: '123456' })))
    const answers = await Promise.all(people.map(person => call(person)))
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 401])
  })
})

describe('a phone proof', () => {
  // kills: link-asks-for-code
  it('does not count for a hosted link unless the token allows it, and then only as long as the team allows', async () => {
    const { entity } = await atSelection(service, '+15125550110')
    const steps = async (more: Record<string, unknown>) => {
      const person = await open((await link({ entity_id: entity, balance_transfer: LOAN, ...more })).element_token)
      if (person.view.step === 'consent') await person.consent()
      await person.wait()
      return person.view.step
    }
    expect(await steps({})).toBe('code')
    expect(await steps({ phone_proof_days: 1 })).toBe('selection')
    expect(await steps({ phone_proof_days: null })).toBe('selection')
    service.advance(DAY_MS + 1)
    expect(await steps({ phone_proof_days: 1 })).toBe('code')
    expect(await steps({ phone_proof_days: 2 })).toBe('selection')
    await service.call('PATCH', '/team', { phone_proof_days: 1 })
    expect(await steps({ phone_proof_days: 2 })).toBe('code')
    await service.call('PATCH', '/team', { phone_proof_days: 30 })
  })

  // kills: proof-as-old-as-verification
  it("is as old as the customer's own verification", async () => {
    const stated: Record<string, (timestamp: string) => Promise<string>> = {
      async byo_sms(timestamp) {
        const entity = await someone(service, '+15125550110')
        const proof = { type: 'phone', method: 'byo_sms', byo_sms: { timestamp } }
        expect((await service.call('POST', `/entities/${entity}/verification_sessions`, proof)).status).toBe(200)
        return entity
      },
      async phone_verification_timestamp(timestamp) {
        const proof = { phone_verification_type: 'sms', phone_verification_timestamp: timestamp }
        const individual = { first_name: 'Kevin', last_name: 'Doyle', phone: '+15125550110', ...proof }
        const body = { type: 'individual', individual }
        return (await service.call('POST', '/entities', body, { 'service-version': '2020-12-06' })).body['id']
      },
    }
    const now = service.deps.clock()
    for (const [way, state] of Object.entries(stated))
      for (const [days, step, phone] of [
        [0.9, 'selection', '+15125550110'],
        [1.1, 'code', undefined],
        [3_650, 'code', undefined],
      ] as const) {
        const entity_id = await state(new Date(now - days * DAY_MS).toISOString())
        const terms = { entity_id, balance_transfer: LOAN, phone_proof_days: 1 }
        const opal = await service.call('POST', '/opal/token', { mode: 'balance_transfer', ...terms })
        const authorization = `Bearer ${opal.body['data']['token']}`
        const read = await service.call('GET', '/opal/token', undefined, { authorization })
        const seen = read.body['data']['entity']['individual'] as { phone?: string } | null
        const person = await Person.arrive(service, (await mint(terms)).element_token)
        if (person.view.step === 'consent') await person.consent()
        await person.wait()
        expect([way, days, person.view.step, seen?.phone]).toEqual([way, days, step, phone])
      }
  })

  // kills: api-proof-verifies-no-bearer
  it('does not count for any token if the team always requires a code', async () => {
    await service.call('PATCH', '/team', { phone_proof_days: 0 })
    const { session } = await confirmed(service, '+15125550110')
    const late = await Person.arrive(service, (await mint({ session_id: session })).element_token)
    expect(late.view.step).toBe('phone')
    expect(JSON.stringify(late.view.data)).not.toMatch(personal)
    await service.call('PATCH', '/team', { phone_proof_days: 30 })
  })

  it('accepts an age limit of 0 to 30 days', async () => {
    const entity_id = await someone(service, '+15125550110')
    for (const phone_proof_days of [-1, 31, 1.5, '7', {}]) {
      const body = { type: 'balance_transfer', entity_id, balance_transfer: LOAN, phone_proof_days }
      const { status, text } = await service.call('POST', '/elements/token', body)
      expect([phone_proof_days, status, /phone_proof_days must be/.test(text)]).toEqual([phone_proof_days, 400, true])
    }
  })

  it('is deleted for every bearer when the person withdraws consent', async () => {
    const { person, entity } = await atSelection(service, '+15125550110')
    await service.call('POST', `/entities/${entity}/consent`, { type: 'withdraw' })
    await service.call('POST', `/entities/${entity}/consent`, { type: 'grant' })
    await service.store.write(tx =>
      tx.updateTable('entities').set({ phone_verified_at: 1 }).where('id', '=', entity).execute(),
    )
    expect((await person.look()).step).toBe('consent')
    await person.consent()
    expect(person.view.step).toBe('phone')
  })
})
