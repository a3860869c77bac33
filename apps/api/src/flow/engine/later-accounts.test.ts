import { describe, expect, it } from 'vitest'
import { type Account, first, later } from '../../testing/future-accounts.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'

const service = await testService()

const { get, list, told, choosing, waiting, times, connected, opens, enroll } = later(service)

describe('a person who agreed to share later accounts', () => {
  it('has newly opened accounts found, and is not asked again', async () => {
    const entity = await connected('+15125550101', true)
    await enroll(entity)
    await opens(entity, 'credit_card')
    const [look] = (await get(`/entities/${entity}/connect`)).body['data'] as { id: string; accounts: string[] }[]
    expect(look!.accounts).toHaveLength(1)
    expect(await told(look!.id)).toContain('connect.available')
    expect(await told(look!.accounts[0]!)).toContain('account.opened')
    expect([await times(entity), await waiting(entity)]).toEqual([0, []])
    const { person } = await choosing('', entity)
    expect(person.data('selection').future_accounts).toBeNull()
    await person.send({ action: 'select', accounts: [first(person)] })
    await opens(entity, 'auto_loan')
    expect(await waiting(entity)).toEqual([])
  })

  it("has agreed only when the connection is complete, in a separate consent with the others' language", async () => {
    const { person, entity } = await choosing('+15125550100', undefined, { products: ['payment'] })
    const needs = person.data('selection').accounts.find(account => account.status === 'needs_number')!
    expect(person.data('selection').future_accounts).toBe(false)
    await person.send({ action: 'select', accounts: [needs.id], future_accounts: true })
    const consents = () =>
      service.store.reader
        .selectFrom('consents')
        .select(['document', 'version', 'locale', 'created_at'])
        .where('entity_id', '=', entity)
        .where('document', '=', 'future_accounts')
        .execute()
    expect([person.view.step, await consents()]).toEqual(['number', []])
    const row = () =>
      service.store.reader
        .selectFrom('entities')
        .select('future_accounts_at')
        .where('id', '=', entity)
        .executeTakeFirstOrThrow()
    expect((await row()).future_accounts_at).toBeNull()
    const other = await choosing('', entity, { products: ['payment'] })
    expect(other.person.view.step).toBe('number')
    await other.person.send({ action: 'back' })
    expect(other.person.data('selection').future_accounts).toBe(true)
    await other.person.send({ action: 'select', accounts: [needs.id], future_accounts: true })
    await other.person.send({ action: 'submit', number: '4000000000090342' })
    other.person.data('done')
    expect(await consents()).toMatchObject([{ version: '2026-11-26', locale: 'en' }])
    expect(Number((await row()).future_accounts_at)).toBeGreaterThan(0)
  })

  it('can withdraw the agreement by unticking it before the end', async () => {
    const { person, entity } = await choosing('+15125550100', undefined, { products: ['payment'] })
    const needs = person.data('selection').accounts.find(account => account.status === 'needs_number')!
    await person.send({ action: 'select', accounts: [needs.id], future_accounts: true })
    await person.send({ action: 'back' })
    await person.send({ action: 'select', accounts: [needs.id] })
    await person.send({ action: 'submit', number: '4000000000090342' })
    person.data('done')
    await opens(entity, 'credit_card')
    await service.call('POST', `/entities/${entity}/connect`)
    expect(await waiting(entity)).toHaveLength(1)
  })

  it('has it deleted with all other data when consent is withdrawn, and pending accounts are removed silently', async () => {
    const entity = await connected('+15125550101', true)
    const other = await connected('+15125550102', false)
    await opens(other, 'credit_card')
    await service.call('POST', `/entities/${other}/connect`)
    const [{ id }] = (await waiting(other)) as [Account]
    for (const each of [entity, other]) {
      await service.call('POST', `/entities/${each}/consent`, { type: 'withdraw' })
      const row = await service.store.reader
        .selectFrom('entities')
        .selectAll()
        .where('id', '=', each)
        .executeTakeFirstOrThrow()
      expect(row).toMatchObject({ element_connect_at: null, future_accounts_at: null })
    }
    expect(await told(id)).toEqual([])
    expect(await waiting(other)).toEqual([])
    expect((await list(`holder_id=${other}`)).map(account => account.id)).not.toContain(id)
    expect((await get(`/accounts/${id}?include_pending_consent=true`)).body).toMatchObject({
      consent_status: 'withdrawn',
      liability: null,
    })
    // After consent is granted again, the entity counts as new, so its first accounts need no further consent.
    await service.call('POST', `/entities/${other}/consent`, { type: 'grant' })
    await service.call('PUT', `/entities/${other}`, {
      individual: { first_name: 'Kevin', last_name: 'Doyle', phone: '+15125550101' },
    })
    const back = await choosing('', other)
    await back.person.send({ action: 'select', accounts: [first(back.person)] })
    expect(await waiting(other)).toEqual([])
    expect(await list(`holder_id=${other}&status=active`)).toHaveLength(1)
  })
})

describe('a person who was connected only by the team', () => {
  it('is not asked, and new accounts are found as before', async () => {
    const { entity } = await lender(service).debts('+15125550101')
    await opens(entity, 'credit_card')
    const made = await service.call('POST', `/entities/${entity}/connect`)
    expect(made.body['accounts']).toHaveLength(1)
    expect([await times(entity), await waiting(entity)]).toEqual([0, []])
  })
})
