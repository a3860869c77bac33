import { DAY_MS } from '@causeway/contract/time'
import { describe, expect, it } from 'vitest'
import { readJson, writeJson } from '../../platform/db/json.js'
import {
  arrive,
  arriveAs,
  atAllocation,
  atSelection,
  confirmed,
  details,
  frameCall,
  fundingAccount,
  LOAN,
  Person,
  rightAnswers,
  someone,
  transferToken,
} from '../../testing/frame.js'
import { testService } from '../../testing/service.js'

const service = await testService()

/** Continues the session with another token, as if the page had been lost. */
async function comeBack(session: string, on = service): Promise<Person> {
  const made = await on.call('POST', '/elements/token', { type: 'balance_transfer', session_id: session })
  return Person.arrive(on, made.body['element_token'])
}
const rows = async (table: 'consents' | 'session_events' | 'records') =>
  (await service.store.reader.selectFrom(table).selectAll().execute()).length
const sends = async () => {
  const { sum } = service.store.reader.fn
  const sent = service.store.reader.selectFrom('counters').select(sum<number>('used').as('all'))
  return Number((await sent.where('kind', '=', 'code_day').executeTakeFirstOrThrow()).all)
}

describe('a lost page', () => {
  it('continues where it was at every step, with a new token on another device, across a restart', async () => {
    const { element_token, session_id } = await transferToken(service, await someone(service, '+15125550104'), LOAN)
    const seen: string[] = []
    let person = await Person.arrive(service, element_token)
    let amounts: Record<string, number> = {}
    for (let turn = 0; person.view.step !== 'done' && turn < 12; turn++) {
      const { step } = person.view
      seen.push(step)
      if (step === 'consent') await person.consent()
      if (step === 'code') await person.send({ action: 'verify', code: '123456' })
      if (step === 'questions') await person.send({ action: 'answer', answers: rightAnswers(person) })
      if (step === 'selection')
        await person.send({ action: 'select', accounts: person.data('selection').accounts.map(account => account.id) })
      if (step === 'allocation') {
        amounts = person.data('allocation').suggestion
        await person.send({ action: 'review', allocations: amounts })
      }
      if (step === 'review') {
        expect(person.data('review').allocations).toEqual(amounts)
        await person.send({ action: 'confirm' })
      }
      const left = person.view.step
      const next = await service.again()
      person = await comeBack(session_id, next)
      if (left !== 'discovering') expect([step, person.view.step]).toEqual([step, left])
      while (person.view.step === 'discovering') {
        await next.settle()
        await person.look()
      }
    }
    expect(seen).toEqual(['consent', 'code', 'questions', 'selection', 'allocation', 'review'])
    const session = await service.call('GET', `/opal/sessions/${session_id}`)
    const positive = Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount > 0))
    expect(session.body['data']['bt']).toMatchObject({ completed: true, allocations: positive })
  })

  it('typed details are shown again to the person who typed them, but details from the customer never are', async () => {
    const entity = await someone(service, '+15125550103', { dob: '1980-05-05' })
    const { element_token, session_id } = await transferToken(service, entity, LOAN)
    const person = await Person.arrive(service, element_token)
    await person.arriveAtAccounts()
    expect(person.data('details').fields).toEqual(['address', 'ssn_4'])
    await person.send({ action: 'submit', ...details, ssn_4: '0000' })
    const again = await comeBack(session_id)
    const { values } = again.data('details')
    expect(values).toMatchObject({ city: 'Austin' })
    expect(Object.keys(values)).not.toContain('dob')
    expect(JSON.stringify(again.view)).not.toContain('0000')
  })

  it("the old frame also continues, and a later frame shows the other's work", async () => {
    const { person, session } = await atSelection(service, '+15125550110')
    const other = await comeBack(session)
    const accounts = other.data('selection').accounts.map(account => account.id)
    await other.send({ action: 'select', accounts })
    const late = await person.send({ action: 'select', accounts: [accounts[0]] })
    expect([late.status, late.body.error?.sub_type]).toEqual([409, 'STALE_REVISION'])
    expect(person.view.step).toBe('allocation')
    expect(person.data('allocation').accounts).toHaveLength(2)
  })
})

describe('a step sent twice', () => {
  it('runs once: 20 copies of consent, code, choice and confirmation', async () => {
    const other = service.store.engine === 'postgres' ? await service.again() : service
    const { element_token, session_id } = await transferToken(service, await someone(service, '+15125550110'), LOAN)
    const person = await Person.arrive(service, element_token)
    const twenty = async (input: Record<string, unknown>) => {
      const { step, revision } = person.view
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          frameCall(
            index % 2 ? other : service,
            'POST',
            `/s/steps/${step}`,
            { revision, input },
            { authorization: `Bearer ${person.bearer}` },
          ),
        ),
      )
      const statuses = replies.map(reply => reply.status).sort()
      expect([step, statuses.filter(status => status === 200).length]).toEqual([step, 1])
      expect([...new Set(statuses)]).toEqual([200, 409])
      expect(replies.filter(reply => reply.status === 409).every(reply => reply.body.view !== undefined)).toBe(true)
      await person.look()
    }
    const consents = await rows('consents')
    const before = await sends()
    await twenty({ action: 'accept', documents: person.data('consent').documents, locale: 'en' })
    expect(await rows('consents')).toBe(consents + 5)
    expect(await sends()).toBe(before + 1)
    await twenty({ action: 'verify', code: '000000' })
    expect(person.data('code').tries_left).toBe(4)
    await twenty({ action: 'verify', code: '123456' })
    await person.wait()
    await twenty({ action: 'select', accounts: person.data('selection').accounts.map(account => account.id) })
    await twenty({ action: 'review', allocations: person.data('allocation').suggestion })
    await twenty({ action: 'confirm' })
    expect(person.view.step).toBe('done')
    const ended = await service.store.reader
      .selectFrom('session_events')
      .select('id')
      .where('session_id', '=', session_id)
      .where('type', '=', 'opal.session.completed')
      .execute()
    expect(ended).toHaveLength(1)
  })
})

describe('a returning person', () => {
  it('whose last proof is over 30 days old must enter a code again, at any step and after the release', async () => {
    const { session } = await confirmed(service, '+15125550110')
    const fresh = await comeBack(session)
    expect(fresh.view.step).toBe('done')
    service.advance(30 * DAY_MS)
    expect((await comeBack(session)).view.step).toBe('done')
    service.advance(1)
    const old = await comeBack(session)
    expect([old.view.step, old.view.accounts, old.view.result]).toEqual(['phone', [], null])
    expect(JSON.stringify(old.view)).not.toMatch(/Discover|Chase/)
    await old.send({ action: 'send' })
    await old.send({ action: 'verify', code: '123456' })
    await old.wait()
    expect(old.view.step).toBe('done')
    const source = await fundingAccount(service)
    await service.call('POST', `/opal/sessions/${session}`, { action: 'release_payments', data: { source } })
    service.advance(30 * DAY_MS + 1)
    const late = await comeBack(session)
    expect(late.view.step).toBe('phone')
    expect(JSON.stringify(late.view)).not.toMatch(/Discover|Chase/)
  })

  it('needs no code if the team disabled it', async () => {
    const { session } = await confirmed(service, '+15125550110')
    service.advance(100 * DAY_MS)
    const settings = async (phone_proof_days: number | null) =>
      service.store.write(async tx => {
        const row = await tx.selectFrom('teams').selectAll().where('id', '=', service.team).executeTakeFirstOrThrow()
        const changed = writeJson({ ...readJson('teams.settings', row.settings), phone_proof_days })
        await tx.updateTable('teams').set({ settings: changed }).where('id', '=', service.team).execute()
        service.deps.access.forget(service.team)
      })
    await settings(null)
    expect((await comeBack(session)).view.step).toBe('done')
    await settings(30)
    expect((await comeBack(session)).view.step).toBe('phone')
  })

  // kills: nothing-new-asks-nothing
  it('with a new loan is already verified, and is asked neither for consent nor for identity', async () => {
    const { entity } = await atAllocation(service, '+15125550110')
    const person = await arriveAs(service, entity)
    await person.wait()
    expect(person.view.step).toBe('selection')
  })

  it('who was disabled cannot proceed', async () => {
    const { person, entity } = await atSelection(service, '+15125550110')
    await service.store.write(tx =>
      tx.updateTable('entities').set({ status: 'disabled' }).where('id', '=', entity).execute(),
    )
    await person.look()
    expect(person.view.data).toMatchObject({ reason: 'disabled', can_retry: false })
  })
})

describe('an external service that does not respond', () => {
  it('is shown at the step, and a retry continues', async () => {
    const person = await arrive(service, '+15125550110')
    await person.consent()
    await service.fault('identity', 'failing')
    await person.send({ action: 'verify', code: '123456' })
    expect(person.view.errors).toEqual([{ field: null, code: 'unavailable', values: {} }])
    service.advance(31_000)
    await person.send({ action: 'verify', code: '123456' })
    await person.wait()
    expect(person.view.step).toBe('selection')
  })
})
