import { describe, expect, it } from 'vitest'
import { atSelection, fundingAccount, LOAN, Person, someone, verify } from '../../../testing/frame.js'
import { later, several } from '../../../testing/future-accounts.js'
import { lender } from '../../../testing/money.js'
import { testService } from '../../../testing/service.js'

const service = await testService()

const codes = (person: Person) => person.view.errors.map(error => [error.field, error.code])

describe('selection', () => {
  it('accepts only eligible accounts, at least one', async () => {
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

describe('the choice of accounts to share', () => {
  const { list, told, choosing, get } = later(service)
  const idsIn = (person: Person) => person.data('selection').accounts.map(({ id }) => id)
  const shared = async (entity: string) => (await list(`holder_id=${entity}`)).map(({ id }) => id).sort()
  const preselected = (person: Person) =>
    person
      .data('selection')
      .accounts.filter(({ selected }) => selected)
      .map(({ id }) => id)
      .sort()

  it('hides all accounts until then, for good if the person leaves', async () => {
    const { person, entity } = await choosing('+15125550101')
    expect(person.data('selection').sharing).toBe('chosen')
    expect(person.data('selection').accounts.every(({ balance }) => balance !== null)).toBe(true)
    expect(await shared(entity)).toEqual([])
    for (const id of idsIn(person)) expect(await told(id)).toEqual([])
    await service.call('POST', `/entities/${entity}/connect`)
    await service.settle()
    expect(await shared(entity)).toEqual([])
  })

  // kills: api-connect-awaits-the-choice
  it('is not anticipated by a connect through the API while the session has found no accounts', async () => {
    const entity = await someone(service, '+15125550101')
    const made = await service.call('POST', '/elements/token', { type: 'connect', entity_id: entity })
    const person = await Person.arrive(service, made.body['element_token'])
    await person.consent()
    await service.fault('network', 'failing')
    await person.send({ action: 'verify', code: '123456' })
    await service.settle()
    service.advance(30_000)
    const { body } = await service.call('POST', `/entities/${entity}/connect`)
    await service.settle()
    expect((await get(`/entities/${entity}/connect/${body['id']}`)).body['accounts']).toEqual([])
    expect(await shared(entity)).toEqual([])
  })

  it('is not revealed by records that are open when the person withdraws', async () => {
    const { person, entity } = await choosing('+15125550101')
    const hidden = idsIn(person)
    await service.store.write(tx =>
      tx.updateTable('records').set({ status: 'pending' }).where('holder_id', 'in', hidden).execute(),
    )
    await service.call('POST', `/entities/${entity}/consent`, { type: 'withdraw' })
    const { text } = await get('/events?page_limit=100')
    expect(text).toContain(entity)
    for (const id of hidden) expect(text).not.toContain(id)
  })

  it('shares the chosen accounts, with their events, and lists them in the result of the connect', async () => {
    const { person, entity } = await choosing('+15125550101')
    const [one, two, , four] = idsIn(person) as [string, string, string, string]
    await person.send({ action: 'select', accounts: [one, two], future_accounts: false })
    await service.settle()
    expect(await shared(entity)).toEqual([one, two].sort())
    expect((await get(`/accounts/${four}?include_pending_consent=true`)).status).toBe(404)
    const [connect] = (await get(`/entities/${entity}/connect`)).body['data'] as { id: string; accounts: string[] }[]
    expect(connect!.accounts.sort()).toEqual([one, two].sort())
    expect(await told(connect!.id)).toContain('connect.update')
    expect(await told(one)).toEqual(['account.create'])
    const updates = (await get(`/accounts/${one}/updates`)).body['data'] as { id: string; status: string }[]
    expect(updates.map(({ status }) => status)).toContain('completed')
    for (const { id } of updates) expect(await told(id)).toContain('update.create')
  })

  it('is changed by a later choice, except for an account with a payment in progress', async () => {
    const { person, entity } = await choosing('+15125550101')
    const [one, two, three, four] = idsIn(person) as [string, string, string, string]
    await person.send({ action: 'select', accounts: [one, two, three], future_accounts: false })
    const { must } = lender(service)
    await must('POST', '/payments', {
      amount: 5_000,
      source: await fundingAccount(service),
      destination: two,
      description: 'Loan',
    })
    const second = (await choosing('', entity)).person
    expect(preselected(second)).toEqual([one, two, three].sort())
    await second.send({ action: 'select', accounts: [three, four], future_accounts: false })
    expect(await shared(entity)).toEqual([two, three, four].sort())
    expect((await told(one)).at(-1)).toBe('account.update')
  })

  it('is not changed by a choice for another purpose, which hides only accounts that were never shared', async () => {
    const { person, entity } = await choosing('+15125550101')
    const [one, two, three] = idsIn(person) as [string, string, string]
    await person.send({ action: 'select', accounts: [one, two], future_accounts: false })
    const { body } = await service.call('POST', '/elements/token', {
      type: 'balance_transfer',
      entity_id: entity,
      balance_transfer: LOAN,
    })
    const loan = await verify(service, await Person.arrive(service, body['element_token'] as string))
    await loan.send({ action: 'select', accounts: [two, three] })
    expect(await shared(entity)).toEqual([one, two, three].sort())
  })

  // kills: enveloped-shares-all
  it("shares all accounts under the team's setting, which is the default for tokens from /enveloped", async () => {
    const open = async (mount: string) => {
      const entity = (await lender(service).must('POST', '/entities', {
        type: 'individual',
        individual: { first_name: 'Kevin', last_name: 'Doyle', phone: '+15125550101' },
      })) as { id: string }
      const token = { type: 'connect', entity_id: entity.id, connect: several }
      const { body } = await service.call('POST', `${mount}/elements/token`, token)
      const { element_token } = (mount ? body['data'] : body) as { element_token: string }
      const person = await verify(service, await Person.arrive(service, element_token))
      const { sharing } = person.data('selection')
      await person.send({ action: 'select', accounts: [idsIn(person)[0]], future_accounts: false })
      return [sharing, (await shared(entity.id)).length]
    }
    expect([await open(''), await open('/enveloped')]).toEqual([
      ['chosen', 1],
      ['all', 4],
    ])
    await service.call('PATCH', '/team', { account_sharing: 'all' })
    expect(await open('')).toEqual(['all', 4])
    await service.call('PATCH', '/team', { account_sharing: 'chosen' })
    expect(await open('/enveloped')).toEqual(['chosen', 1])
    await service.call('PATCH', '/team', { account_sharing: null })
  })
})
