import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  atAllocation,
  atSelection,
  confirmed,
  frameCall,
  LOAN,
  Person,
  someone,
  transferToken,
} from '../testing/frame.js'
import { type TestService, testService } from '../testing/service.js'
import { authorization } from './modes.js'

let service: TestService
beforeAll(async () => {
  service = await testService()
})
afterAll(() => service.stop())

const codes = (person: Person) => person.view.errors.map(error => [error.field, error.code])
const arrive = async (phone: string) => {
  await service.store.write(tx => tx.deleteFrom('code_sends').execute())
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

  it('codes: empty, short, wrong, expired, too many; each can be put right', async () => {
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
    expect(person.data('code').sends_left).toBe(0)
    await person.send({ action: 'resend' })
    expect([person.view.step, codes(person)]).toEqual(['code', [[null, 'too_many_codes']]])
    expect(person.view.errors[0]!.values['retry_at']).toBe(new Date(service.deps.clock() + 3_600_000).toISOString())
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
    expect(person.view.step).toBe('phone')
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

describe('allocation and review', () => {
  it('starts with the largest debts, and refuses each broken rule with the number that would be right', async () => {
    const terms = {
      loan_amount: 500_000,
      minimum_payment: 10_000,
      maximum_payment: 300_000,
      residual_amount_max: 400_000,
    }
    const { person, accounts } = await atAllocation(service, '+15125550110', terms)
    const [large, small] = accounts as [string, string]
    expect(person.data('allocation')).toMatchObject({
      allocations: { [large]: 300_000, [small]: 200_000 },
      suggestion: { [large]: 300_000, [small]: 200_000 },
      shortfall: 0,
    })
    for (const [allocations, errors] of [
      [
        {},
        [
          [null, 'nothing_allocated', {}],
          [null, 'residual_too_large', { limit: 400_000, needed: 100_000 }],
        ],
      ],
      [{ [large]: 9_999, [small]: 290_000 }, [[large, 'below_minimum', { limit: 10_000 }]]],
      [{ [large]: 300_001 }, [[large, 'above_maximum', { limit: 300_000 }]]],
      [{ [small]: 295_061 }, [[small, 'above_balance', { limit: 295_060, over: 1 }]]],
      [{ [large]: 300_000, [small]: 200_001 }, [[null, 'exceeds_loan', { limit: 500_000, over: 1 }]]],
      [{ [large]: 99_999 }, [[null, 'residual_too_large', { limit: 400_000, needed: 1 }]]],
      [{ [large]: 100_000.5 }, [[large, 'not_an_amount', {}]]],
      [{ [large]: -100_000 }, [[large, 'not_an_amount', {}]]],
      [{ acc_unknown: 200_000 }, [['acc_unknown', 'unknown_account', {}]]],
    ] as const) {
      await person.send({ action: 'review', allocations })
      expect([person.view.step, person.view.errors]).toEqual([
        'allocation',
        errors.map(([field, code, values]) => ({ field, code, values })),
      ])
    }
    await person.send({ action: 'review', allocations: { [large]: 100_000 } })
    expect(person.data('review')).toMatchObject({
      allocations: { [large]: 100_000 },
      authorization: { id: 'payments', version: expect.any(String) },
    })
    await person.send({ action: 'back' })
    expect(person.data('allocation').allocations).toEqual({ [large]: 100_000, [small]: 0 })
    await person.send({ action: 'back' })
    expect(person.view.step).toBe('selection')
  })

  it('over the balance is fine where the terms say so', async () => {
    const { person, accounts } = await atAllocation(service, '+15125550110', { ...LOAN, allow_over_balance: true })
    await person.send({ action: 'review', allocations: { [accounts[1]!]: 400_000 } })
    expect(person.view.step).toBe('review')
  })

  it('confirming keeps the authorization, tells the customer, and signs a result that their keys verify', async () => {
    const { person, session, accounts } = await confirmed(service, '+15125550110', LOAN, [200_000, 0])
    expect(person.data('done')).toMatchObject({
      allocations: { [accounts[0]!]: 200_000 },
      payout_status: 'pending_release',
      released_at: null,
      editable: true,
    })
    expect(person.view.accounts).toEqual([accounts[0]])
    expect(person.view.events.map(event => event.type)).toEqual([
      'balance_transfer.allocations.confirmed',
      'opal.session.completed',
      'balance_transfer.step.completed',
    ])
    const claims = JSON.parse(Buffer.from(person.view.result!.split('.')[1]!, 'base64url').toString())
    expect(claims).toMatchObject({ sub: session, aud: service.team, allocated: 200_000, accounts: [accounts[0]] })
    expect(claims.exp - claims.iat).toBe(600)
    const consents = await service.store.reader
      .selectFrom('consents')
      .select('document')
      .where('session_id', '=', session)
      .execute()
    expect(consents.map(row => row.document)).toContain('payments')
  })

  it('the authorization is kept in the language that it was shown in, else in that of the consent before', async () => {
    const locales = async (more: Record<string, string>) => {
      await service.store.write(tx => tx.deleteFrom('code_sends').execute())
      const { element_token, session_id } = await transferToken(service, await someone(service, '+15125550110'), LOAN)
      const person = await Person.arrive(service, element_token)
      const { documents } = person.data('consent')
      await person.send({ action: 'accept', documents, locale: 'es-US' })
      await person.arriveAtAccounts()
      const [first] = person.data('selection').accounts.filter(account => account.status === 'ready')
      await person.send({ action: 'select', accounts: [first!.id] })
      await person.send({ action: 'review', allocations: { [first!.id]: 200_000 } })
      await person.send({ action: 'confirm', ...more })
      // What a copy of the session tells: each document in its version, and when it was agreed to.
      const { agreed, completed_at } = person.data('done')
      expect(agreed.map(({ id, version }) => ({ id, version }))).toEqual([...documents, authorization])
      expect(agreed.at(-1)!.at).toBe(completed_at)
      return service.store.reader
        .selectFrom('consents')
        .select('locale')
        .where('session_id', '=', session_id)
        .where('document', '=', 'payments')
        .execute()
    }
    expect(await locales({ locale: 'ar' })).toEqual([{ locale: 'ar' }])
    expect(await locales({})).toEqual([{ locale: 'es-US' }])
  })

  it('terms that changed meanwhile send the person back to the amounts with what is wrong', async () => {
    const { person, accounts, session } = await atAllocation(service, '+15125550110', LOAN)
    await person.send({ action: 'review', allocations: { [accounts[0]!]: 300_000 } })
    await service.call('POST', '/elements/token', {
      type: 'balance_transfer',
      session_id: session,
      balance_transfer: { loan_amount: 200_000 },
    })
    await person.look()
    await person.send({ action: 'confirm' })
    expect(person.view.step).toBe('allocation')
    expect(codes(person)).toContainEqual([null, 'exceeds_loan'])
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
