import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atAllocation, atSelection, frameCall, LOAN, Person, someone, transferToken } from '../../testing/frame.js'
import { type TestService, testService } from '../../testing/service.js'

let service: TestService
beforeAll(async () => {
  service = await testService()
})
afterAll(() => service.stop())

const codes = (person: Person) => person.view.errors.map(error => [error.field, error.code])
const arrive = async (phone: string) => {
  const { element_token } = await transferToken(service, await someone(service, phone), LOAN)
  return Person.arrive(service, element_token)
}

describe('consent', () => {
  it('takes all documents in their versions, and keeps what was agreed to and in which language', async () => {
    const person = await arrive('+15125550101')
    const { documents } = person.data('consent')
    expect(documents.map(document => document.id)).toEqual([
      'esign',
      'account_data',
      'credit_report',
      'text_messages',
      'privacy',
    ])
    for (const given of [[], documents.slice(1), documents.map(document => ({ ...document, version: '1999-01-01' }))]) {
      await person.send({ action: 'accept', documents: given, locale: 'en' })
      expect([person.view.step, codes(person)]).toEqual(['consent', [['documents', 'changed']]])
    }
    await person.send({ action: 'accept', documents, locale: 'es' })
    expect(person.view.step).toBe('phone')
    const kept = await service.store.reader
      .selectFrom('consents')
      .selectAll()
      .where('session_id', '=', person.view.session_id)
      .execute()
    expect(kept.map(row => [row.document, row.version, row.locale])).toEqual(
      documents.map(document => [document.id, document.version, 'es']),
    )
  })
})

describe('phone and code', () => {
  it('a number of the customer is shown by its last four and cannot be changed', async () => {
    const person = await arrive('+15125550101')
    await person.consent()
    expect(person.data('phone')).toEqual({ last4: '0101', editable: false })
    await person.send({ action: 'send', phone: '+15125550112' })
    expect(person.data('code').last4).toBe('0101')
    await person.send({ action: 'change' })
    expect([person.view.step, codes(person)]).toEqual(['code', [['phone', 'changed']]])
    expect(person.view.can_go_back).toBe(false)
  })

  it('codes: empty, short, wrong, expired, too many attempts; each can be put right', async () => {
    const person = await arrive('+15125550101')
    await person.consent()
    await person.send({ action: 'send' })
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
    await person.send({ action: 'verify', code: '000000' })
    expect(person.view.errors).toEqual([{ field: 'code', code: 'incorrect', values: { tries_left: 4 } }])
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

  it('a code left for ten minutes is over, and another can be sent', async () => {
    const person = await arrive('+15125550102')
    await person.consent()
    await person.send({ action: 'send' })
    service.advance(600_000)
    await person.send({ action: 'verify', code: '123456' })
    expect([person.view.step, codes(person)]).toEqual(['phone', [[null, 'expired']]])
  })

  it('a number that takes no messages is said so', async () => {
    const person = await arrive('+15125550199')
    await person.consent()
    await person.send({ action: 'send' })
    await service.settle()
    await person.look()
    expect([person.view.step, codes(person)]).toEqual(['phone', [['phone', 'refused']]])
  })

  it('a code that can’t be sent is said so: while it is tried, and when it is given up', async () => {
    const person = await arrive('+15125550101')
    await person.consent()
    await service.fault('identity', 'failing')
    await person.send({ action: 'send' })
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

describe('selection', () => {
  it('takes eligible accounts alone, at least one', async () => {
    const { person } = await atSelection(service, '+15125550100')
    const { accounts, terms } = person.data('selection')
    expect(terms).toMatchObject({ ...LOAN, minimum_payment: 100 })
    expect(accounts.map(account => account.status)).toEqual([
      'ready',
      'needs_number',
      'ready',
      'ineligible',
      'ineligible',
    ])
    const other = await atSelection(service, '+15125550101')
    const foreign = other.person.data('selection').accounts[0]!.id
    for (const [chosen, error] of [
      [[], 'none_selected'],
      [[accounts[3]!.id], 'not_eligible'],
      [[accounts[0]!.id, accounts[4]!.id], 'not_eligible'],
      [['acc_unknown'], 'not_eligible'],
      [[foreign], 'not_eligible'],
    ] as const) {
      await person.send({ action: 'select', accounts: chosen })
      expect([person.view.step, codes(person)]).toEqual(['selection', [['accounts', error]]])
    }
    await person.send({ action: 'select', accounts: [accounts[0]!.id, accounts[0]!.id] })
    expect(person.data('allocation').accounts).toHaveLength(1)
  })
})

describe('number', () => {
  it('a right one makes the account payable; wrong ones are counted, the fifth drops it', async () => {
    const { person } = await atSelection(service, '+15125550100')
    const [card, needs] = person.data('selection').accounts
    await person.send({ action: 'select', accounts: [card!.id, needs!.id] })
    expect(person.data('number')).toMatchObject({ account: { id: needs!.id }, tries_left: 5, index: 1, count: 1 })
    for (const [number, error] of [
      [undefined, 'required'],
      ['', 'required'],
      ['abc', 'invalid'],
      ['123', 'invalid'],
      ['1'.repeat(26), 'invalid'],
    ] as const) {
      await person.send({ action: 'submit', number })
      expect([number, codes(person)]).toEqual([number, [['number', error]]])
    }
    expect(person.data('number').tries_left).toBe(5)
    await person.send({ action: 'submit', number: '4000 0000 0009 1111' })
    expect(person.view.errors).toEqual([{ field: 'number', code: 'incorrect', values: { tries_left: 4 } }])
    await person.send({ action: 'submit', number: '4000 0000 0009 0342' })
    expect(person.data('allocation').accounts.map(account => account.id)).toEqual([card!.id, needs!.id])
  })

  it('refused five times the account is dropped with its reason, and the rest goes on', async () => {
    const { person } = await atSelection(service, '+15125550108')
    const accounts = person.data('selection').accounts.map(account => account.id)
    await person.send({ action: 'select', accounts })
    for (let turn = 0; turn < 5; turn++) await person.send({ action: 'submit', number: '4000 0000 0002 8045' })
    expect(person.view.errors).toEqual([{ field: null, code: 'number_refused', values: { account: accounts[0] } }])
    expect(person.data('allocation')).toMatchObject({
      accounts: [{ id: accounts[1] }],
      dropped: [{ id: accounts[0], status: 'ineligible', reason: 'number_refused' }],
    })
  })

  it('left out, the account is not paid; alone, the person chooses again', async () => {
    const { person } = await atSelection(service, '+15125550108')
    const [needs, ready] = person.data('selection').accounts
    await person.send({ action: 'select', accounts: [needs!.id] })
    await person.send({ action: 'skip' })
    expect(person.view.step).toBe('selection')
    await person.send({ action: 'select', accounts: [needs!.id, ready!.id] })
    expect(person.view.can_go_back).toBe(true)
    await person.send({ action: 'back' })
    expect(person.view.step).toBe('selection')
    await person.send({ action: 'select', accounts: [needs!.id, ready!.id] })
    await person.send({ action: 'skip' })
    expect(person.data('allocation').dropped).toMatchObject([{ id: needs!.id }])
  })
})

describe('every step', () => {
  it('an unknown step is 404, one that is not the current one 409 with the view, a way back that is none 400', async () => {
    const person = await arrive('+15125550101')
    expect((await person.send({}, 'nowhere')).status).toBe(404)
    const other = await person.send({ action: 'confirm' }, 'review')
    expect([other.status, other.body.error?.sub_type, other.body.view?.step]).toEqual([
      409,
      'STALE_REVISION',
      'consent',
    ])
    await person.look()
    expect((await person.send({ action: 'back' })).status).toBe(400)
  })

  it('a refusal of the call itself changes nothing: the same revision can be sent again', async () => {
    const { person, accounts } = await atAllocation(service, '+15125550110')
    const { revision } = person.view
    const bad = await person.send({ action: 'review', allocations: { [accounts[0]!]: 'all' } })
    expect([bad.status, bad.body.error?.message]).toEqual([400, `allocations.${accounts[0]} must be a number.`])
    const good = await person.send(
      { action: 'review', allocations: { [accounts[0]!]: 200_000 } },
      'allocation',
      revision,
    )
    expect([good.status, person.view.step]).toEqual([200, 'review'])
  })

  it('bodies that are no input are 400', async () => {
    const person = await arrive('+15125550101')
    const post = (body: unknown) =>
      frameCall(service, 'POST', '/s/steps/consent', body, { authorization: `Bearer ${person.bearer}` })
    for (const body of [
      [],
      {},
      { revision: 'x', input: {} },
      { revision: 1.5, input: {} },
      { revision: 1 },
      { revision: 1, input: [] },
    ])
      expect((await post(body)).status).toBe(400)
    expect((await person.look()).step).toBe('consent')
  })
})
