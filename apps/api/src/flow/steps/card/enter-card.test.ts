import { describe, expect, it } from 'vitest'
import { Person, someone, verify } from '../../../testing/frame.js'
import { type TestOptions, testService } from '../../../testing/service.js'

const NO_ACCOUNTS = '+15125550105'
const printed = {
  issuer: 'mch_302086',
  number: '4936 4944 6240 8721',
  exp_month: '03',
  exp_year: '2028',
  cvv: '878',
  billing_zip_code: '78758',
}

/** Returns the actions of a person for whom no account is found. */
async function start(options: TestOptions = {}) {
  const service = await testService(options)
  const get = async (path: string) => (await service.call('GET', path)).body
  const arrive = async (entity: string) => {
    const connect = { products: ['balance', 'update'], account_filters: { selection_type: 'multiple' } }
    const made = await service.call('POST', '/elements/token', { type: 'connect', entity_id: entity, connect })
    return verify(service, await Person.arrive(service, made.body['element_token']))
  }
  const begin = async () => {
    const entity = await someone(service, NO_ACCOUNTS)
    return { entity, person: await arrive(entity) }
  }
  const submit = (person: Person, change: Partial<typeof printed> = {}) =>
    person.send({ action: 'submit', ...printed, ...change })
  return { service, get, begin, arrive, submit }
}

describe('a person for whom no account is found', async () => {
  const { service, get, begin, arrive, submit } = await start()

  it('can enter a card, choose it and share it', async () => {
    const { person, entity } = await begin()
    expect(person.data('blocked')).toMatchObject({ reason: 'no_accounts', can_add_card: true })
    await person.send({ action: 'add_card' })
    const { account, issuers, fields } = person.data('card')
    expect([account, fields.length]).toEqual([null, 5])
    expect(issuers).toContainEqual({ id: 'mch_302086', name: 'Chase Credit Card' })
    expect(issuers.map(({ name }) => name)).not.toContain('Ally Auto Loan')
    await submit(person)
    await service.settle()
    await person.look()
    await person.wait()
    expect(person.data('selection').accounts).toMatchObject([{ mask: '8721', status: 'ready' }])
    const { id } = person.data('selection').accounts[0]!
    expect((await get(`/accounts?holder_id=${entity}`))['data']).toEqual([])
    expect(JSON.stringify(await get('/events?page_limit=100'))).not.toContain(id)
    await person.send({ action: 'select', accounts: [id] })
    await service.settle()
    expect(person.view.step).toBe('done')
    const [shared] = (await get(`/accounts?holder_id=${entity}`))['data'] as Record<string, unknown>[]
    expect(shared).toMatchObject({ id, liability: { mask: '8721', ownership: 'primary' } })
    const [connect] = (await get(`/entities/${entity}/connect`))['data'] as { accounts: string[] }[]
    expect(connect!.accounts).toEqual([id])
    const sessions = (await get(`/accounts/${id}/verification_sessions`))['data']
    expect(sessions).toMatchObject([{ type: 'network', status: 'verified' }])
    expect((await service.call('POST', `/accounts/${id}/balances`)).status).toBe(200)
    expect(
      (await service.call('POST', `/accounts/${id}/sensitive`, { expand: ['credit_card.number'] })).text,
    ).toContain('PRODUCT_CONSENT_MISSING')
  })

  // kills: entered-card-is-checked
  it('is told what is wrong with the card, and adds nothing', async () => {
    const { person, entity } = await begin()
    await person.send({ action: 'add_card' })
    await submit(person, { issuer: 'mch_311130', cvv: '' })
    expect(person.view.errors.map(({ field, code }) => [field, code])).toEqual([
      ['issuer', 'required'],
      ['cvv', 'required'],
    ])
    await submit(person, { cvv: '111', exp_year: '2031' })
    expect(person.view.errors).toEqual([
      { field: 'exp_month', code: 'incorrect', values: { tries_left: 4 } },
      { field: 'cvv', code: 'incorrect', values: { tries_left: 4 } },
    ])
    const rows = await service.store.reader
      .selectFrom('accounts')
      .select('id')
      .where('holder_id', '=', entity)
      .execute()
    expect(rows).toEqual([])
    await person.send({ action: 'back' })
    expect(person.data('blocked').can_add_card).toBe(true)
  })

  it('has five attempts a day, in all sessions together', async () => {
    const { person, entity } = await begin()
    await person.send({ action: 'add_card' })
    for (let left = 4; left > 0; left--) {
      await submit(person, { cvv: '111' })
      expect(person.data('card').tries_left).toBe(left)
    }
    await submit(person, { cvv: '111' })
    expect(person.data('blocked')).toMatchObject({ reason: 'no_accounts', can_add_card: false })
    const again = await arrive(entity)
    expect(again.data('blocked').can_add_card).toBe(false)
    expect((await again.send({ action: 'add_card' })).status).toBe(400)
  })

  it('keeps the attempt if the issuer does not respond', async () => {
    const { person } = await begin()
    await person.send({ action: 'add_card' })
    await service.fault('network', 'failing')
    await submit(person)
    expect(person.view.errors).toEqual([{ field: null, code: 'unavailable', values: {} }])
    service.advance(30_000)
    expect(person.data('card').tries_left).toBe(5)
    await submit(person)
    await service.settle()
    await person.look()
    await person.wait()
    expect(person.data('selection').accounts).toHaveLength(1)
  })
})

describe('without a provider that describes or checks cards', () => {
  // kills: unserved-card-is-not-offered
  it.each([['network/describe'], ['network/check_card']])('%s, no card can be entered', async method => {
    const { begin } = await start({ unserved: [method] })
    expect((await begin()).person.data('blocked').can_add_card).toBe(false)
  })
})

describe('a card that the person added but did not choose', async () => {
  const { service, get, begin, arrive, submit } = await start()
  // kills: no-new-verification-of-hidden-accounts
  it('stays hidden, and can be chosen in a later session', async () => {
    const { person, entity } = await begin()
    await person.send({ action: 'add_card' })
    await submit(person)
    await service.settle()
    expect((await get(`/accounts?holder_id=${entity}`))['data']).toEqual([])
    const { data } = (await get('/events?page_limit=100')) as { data: { type: string }[] }
    expect(data.map(({ type }) => type)).not.toContain('account_verification_session.create')
    const later = await arrive(entity)
    const [card] = later.data('selection').accounts
    await later.send({ action: 'select', accounts: [card!.id] })
    expect((await get(`/accounts?holder_id=${entity}`))['data']).toHaveLength(1)
  })
})
