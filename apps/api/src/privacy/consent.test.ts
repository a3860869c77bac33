import { describe, expect, it } from 'vitest'
import { openStates } from '../notify/events/states.js'
import { NEWEST, rejectionOf, resource, speaking, timestamp } from '../testing/contract/cases.js'
import { fundingAccount, someone, transferToken } from '../testing/frame.js'
import { lender } from '../testing/money.js'
import { testService } from '../testing/service.js'

const service = await testService()

const times = { created_at: expect.stringMatching(timestamp), updated_at: expect.stringMatching(timestamp) }
const withdraw = { type: 'withdraw', reason: 'entity_withdrew_consent' }
const gone = {
  products: [],
  restricted_products: [],
  subscriptions: [],
  available_subscriptions: [],
  restricted_subscriptions: [],
}
const disabledAccount = {
  type: 'ACCOUNT_DISABLED',
  sub_type: 'ACCOUNT_CONSENT_WITHDRAWN',
  code: 11004,
  message: 'Account was disabled due to consent withdrawal.',
}

describe.each(speaking)('withdrawing consent, $name', ({ mount, headers, name }) => {
  const consent = name.includes('2026') ? { consent_status: 'withdrawn' } : {}
  const call = (method: string, path: string, body?: unknown) => service.call(method, mount + path, body, headers)
  const read = async (path: string) => resource(mount, (await call('GET', path)).body)

  it('removes all personal data from the entity and its accounts', async () => {
    const { entity, accounts } = await lender(service).debts('+15121231111')
    const done = await call('POST', `/entities/${entity}/consent`, withdraw)
    const stripped = {
      id: entity,
      type: null,
      individual: null,
      verification: null,
      error: {
        type: 'ENTITY_DISABLED',
        sub_type: 'ENTITY_CONSENT_WITHDRAWN',
        code: 12004,
        message: 'Entity was disabled due to consent withdrawal.',
      },
      address: {},
      status: 'disabled',
      metadata: null,
      ...times,
    }
    expect(resource(mount, done.body)).toEqual(stripped)
    expect(await read(`/entities/${entity}`)).toEqual(stripped)
    for (const { id } of accounts)
      expect(await read(`/accounts/${id}`)).toEqual({
        id,
        holder_id: entity,
        status: 'disabled',
        ...consent,
        type: null,
        liability: null,
        ...gone,
        error: disabledAccount,
        metadata: null,
        ...times,
      })
  })

  it("removes a single account's data", async () => {
    const { entity, accounts } = await lender(service).debts('+15125550102')
    const body = { type: 'withdraw', reason: 'holder_withdrew_consent' }
    const done = await call('POST', `/accounts/${accounts[0]!.id}/consent`, body)
    expect(resource(mount, done.body)).toMatchObject({ type: null, liability: null, error: disabledAccount, ...gone })
    expect(await read(`/accounts/${accounts[1]!.id}`)).toMatchObject({ status: 'active' })
    expect(await read(`/entities/${entity}`)).toMatchObject({ status: 'active' })
    expect(rejectionOf(await call('POST', `/accounts/${accounts[0]!.id}/consent`, body))).toBe(
      'ACCOUNT_CONSENT_ALREADY_WITHDRAWN',
    )
  })
})

describe('after a person with every kind of record withdrew consent', async () => {
  const person = {
    type: 'individual',
    individual: { first_name: 'Quillonius', last_name: 'Abernathwaite', phone: '+16505551115', ssn_4: '3333' },
  }
  const keyed = (key: string) => ({ 'idempotency-key': key })
  const entity = (await service.call('POST', '/entities', person, keyed('w-entity'))).body['id'] as string
  const at = `/entities/${entity}`
  const sessions = `${at}/verification_sessions`
  const timestamp = '2021-01-01T10:00:00.000Z'
  await service.call('POST', sessions, { type: 'phone', method: 'byo_sms', byo_sms: { timestamp } })
  await service.call('POST', sessions, { type: 'identity', method: 'kba', kba: {} })
  await service.call('POST', `${at}/identities`, {}, keyed('w-identities'))
  const connect = await service.call('POST', `${at}/connect?expand[]=accounts`, {}, keyed('w-connect'))
  await service.call('POST', `${at}/subscriptions`, { enroll: 'credit_score' })
  await service.call('POST', `${at}/subscriptions`, { enroll: 'connect' })
  await service.call('POST', `${at}/credit_scores`)
  await service.settle()
  const before = await everything()
  const withdrawal = await service.call('POST', `${at}/consent`, withdraw, keyed('w-consent'))
  const after = await everything()

  it('no personal data is left in records, events or stored responses', () => {
    expect(withdrawal.status).toBe(200)
    const { name, mask } = connect.body['accounts'][0]['liability'] as { name: string; mask: string }
    for (const text of ['Quillonius', '111223333', name]) expect(before).toContain(text)
    for (const text of ['Quillonius', 'Abernathwaite', '111223333', '+16505551115', name, `"${mask}"`])
      expect(after, text).not.toContain(text)
  })

  it('repeated requests return the ids without the data', async () => {
    const again = await service.call('POST', '/entities', person, keyed('w-entity'))
    expect(again.headers.get('idem-status')).toBe('replayed')
    expect(again.body).toMatchObject({ id: entity, status: 'disabled', individual: null })
    const connected = await service.call('POST', `${at}/connect?expand[]=accounts`, {}, keyed('w-connect'))
    expect(connected.body).toEqual({ id: connect.body['id'] })
  })

  it('no record is added, because the subscriptions have ended', async () => {
    expect((await service.call('GET', `${at}/subscriptions`)).body['data']).toEqual({})
    const count = async () => (await service.store.reader.selectFrom('records').select('id').execute()).length
    const records = await count()
    await service.call('POST', '/simulate/clock', { advance: 'P62D' })
    await service.settle()
    expect(await count()).toBe(records)
  })

  it('records can be listed, but no product, update or account can be requested', async () => {
    for (const path of ['verification_sessions', 'identities', 'connect', 'credit_scores', 'attributes', 'vehicles'])
      expect([path, (await service.call('GET', `${at}/${path}`)).status]).toEqual([path, 200])
    expect(rejectionOf(await service.call('POST', `${at}/identities`))).toBe('PRODUCT_UNAVAILABLE')
    expect(rejectionOf(await service.call('PUT', at, { metadata: {} }))).toBe('ENTITY_UPDATE_RESTRICTED')
    const ach = { routing: '062103000', number: '123456789', type: 'checking' }
    expect(rejectionOf(await service.call('POST', '/accounts', { holder_id: entity, ach }))).toBe('INVALID_HOLDER_ID')
  })
})

describe('after consent was withdrawn', () => {
  it("an account's records still exist, without their type and data", async () => {
    const { accounts } = await lender(service).debts('+15121231111')
    const at = `/accounts/${accounts[0]!.id}`
    const session = await service.call('POST', `${at}/verification_sessions`, { type: 'network' })
    await service.call('PUT', `${at}/verification_sessions/${session.body['id']}`, { network: { cvv: '878' } })
    for (const path of ['updates', 'balances', 'card_brands', 'attributes'])
      expect([path, (await service.call('POST', `${at}/${path}`)).status]).toEqual([path, 200])
    await service.call('POST', `${at}/payment_instruments`, { type: 'card' })
    await service.call('POST', `${at}/sensitive`, { expand: ['credit_card.number'] })
    await service.settle()
    const types = ['updates', 'sensitive']
    const paths = [...types, 'balances', 'card_brands', 'attributes', 'payment_instruments', 'verification_sessions']
    const listed = async (path: string) =>
      (await service.call('GET', `${at}/${path}`)).body['data'] as (Record<string, unknown> & { id: string })[]
    const before = new Map(await Promise.all(paths.map(async path => [path, await listed(path)] as const)))
    for (const [path, list] of before) expect([path, list.length > 0]).toEqual([path, true])
    await service.call('POST', `${at}/consent`, { type: 'withdraw', reason: 'holder_withdrew_consent' })
    for (const [path, list] of before) {
      const after = await listed(path)
      expect(after.map(({ id }) => id)).toEqual(list.map(({ id }) => id))
      for (const record of after) {
        if (types.includes(path)) {
          expect(record['type']).toBeNull()
          expect(Object.keys(record)).not.toContain('credit_card')
        }
        expect(await resource('', (await service.call('GET', `${at}/${path}/${record.id}`)).body)).toEqual(record)
      }
    }
  })

  // kills: withdrawn-account-in-no-answer
  it.each(['', '/enveloped'])(
    'the account is removed from a stored response that contained others, at %j',
    async mount => {
      const entity = await lender(service).verified('+15121231111')
      const connect = () =>
        service.call('POST', `${mount}/entities/${entity}/connect?expand[]=accounts`, {}, { 'idempotency-key': entity })
      const made = resource<{ accounts: { id: string }[] }>(mount, (await connect()).body)
      const [gone, ...others] = made.accounts
      expect(others).toHaveLength(2)
      await service.call('POST', `/accounts/${gone!.id}/consent`, { type: 'withdraw' })
      const replayed = await connect()
      expect(replayed.headers.get('idem-status')).toBe('replayed')
      const { body: stripped } = await service.call('GET', `/accounts/${gone!.id}`)
      expect(resource(mount, replayed.body)).toEqual({ ...made, accounts: [stripped, ...others] })
    },
  )

  it.each(['2020-12-06', '2024-04-04', '2025-07-04', NEWEST])(
    'a stored response is replayed with the remaining fields in the form of its version, at %s',
    async version => {
      const headers = { 'service-version': version, 'idempotency-key': `version-${version}` }
      const person = { type: 'individual', individual: { first_name: 'Kevin', last_name: 'Doyle' } }
      const made = (await service.call('POST', '/entities', person, headers)).body['id'] as string
      const bank = (await service.call('GET', `/accounts/${await fundingAccount(service)}`)).body['holder_id']
      const ach = { routing: '062103000', number: '123450000', type: 'checking' }
      const body = { holder_id: bank, ach }
      const keyed = { ...headers, 'idempotency-key': `account-${version}` }
      const account = (await service.call('POST', '/accounts', body, keyed)).body['id'] as string
      for (const path of [`/entities/${made}`, `/accounts/${account}`])
        expect((await service.call('POST', `${path}/consent`, { type: 'withdraw' })).status).toBe(200)
      const show = async (path: string) =>
        (await service.call('GET', path, undefined, { 'service-version': version })).body
      expect((await service.call('POST', '/entities', person, headers)).body).toEqual(await show(`/entities/${made}`))
      expect((await service.call('POST', '/accounts', body, keyed)).body).toEqual(await show(`/accounts/${account}`))
    },
  )

  it('expansions add nothing to the remaining fields', async () => {
    const { entity } = await lender(service).debts('+15125550101')
    const left = (await service.call('POST', `/entities/${entity}/consent`, withdraw)).body as object
    const names = ['connect', 'connect.accounts', 'credit_score', 'identity', 'attribute', 'vehicle']
    for (const name of [...names, 'phone_latest_verification_session', 'identity_latest_verification_session']) {
      const expand = `expand[]=${name}`
      expect((await service.call('GET', `/entities/${entity}?${expand}`)).body, name).toEqual(left)
      const listed = (await service.call('GET', `/entities?${expand}`)).body['data'] as { id: string }[]
      expect(
        listed.find(({ id }) => id === entity),
        name,
      ).toEqual(left)
    }
  })

  it('responses to earlier requests are not stored', async () => {
    const entity = await lender(service).verified('+15125550100')
    const made = await service.call('POST', `/entities/${entity}/connect`, {}, { prefer: 'respond-async' })
    await service.call('POST', `/entities/${entity}/consent`, withdraw)
    await service.settle()
    expect((await service.call('GET', `/entities/${entity}/connect/${made.body['id']}`)).body).toMatchObject({
      status: 'failed',
      accounts: null,
    })
    expect((await service.call('GET', `/accounts?holder_id=${entity}`)).body['data']).toEqual([])
  })

  it('consent can be granted again: the entity is like new, and finds its accounts again', async () => {
    const { entity, accounts } = await lender(service).debts('+15125550101')
    const consent = (type: string) => service.call('POST', `/entities/${entity}/consent`, { type })
    expect(rejectionOf(await consent('grant'))).toBe('ENTITY_CONSENT_ALREADY_GRANTED')
    await consent('withdraw')
    expect(rejectionOf(await consent('withdraw'))).toBe('ENTITY_CONSENT_ALREADY_WITHDRAWN')
    const { body } = await consent('grant')
    expect(body).toMatchObject({ type: 'individual', status: 'incomplete', error: null, connect: null })
    expect(body['individual']).toMatchObject({ first_name: null, phone: null })
    expect((await service.call('GET', `/accounts/${accounts[0]!.id}`)).body['status']).toBe('disabled')
    const put = await service.call('PUT', `/entities/${entity}`, {
      individual: { first_name: 'Kevin', last_name: 'Doyle', phone: '+15125550101' },
    })
    expect(put.body['verification']['identity']['matched']).toBe(true)
    const sessions = `/entities/${entity}/verification_sessions`
    const timestamp = '2021-01-01T10:00:00.000Z'
    await service.call('POST', sessions, { type: 'phone', method: 'byo_sms', byo_sms: { timestamp } })
    await service.call('POST', sessions, { type: 'identity', method: 'kba', kba: {} })
    const found = (await service.call('POST', `/entities/${entity}/connect`)).body['accounts'] as string[]
    expect(found).toHaveLength(accounts.length)
  })

  it("the person's open flow ends", async () => {
    const entity = await someone(service, '+15125550101')
    const { element_token } = await transferToken(service, entity, { loan_amount: 500_000 })
    expect(element_token).toMatch(/^pk_elem_/)
    await service.call('POST', `/entities/${entity}/consent`, withdraw)
    const refused = await service.call('POST', '/elements/token', { type: 'connect', entity_id: entity, connect: {} })
    expect(refused.status).toBe(400)
  })
})

describe('consent', () => {
  it('cannot be withdrawn while a payment is in progress', async () => {
    const { entity, accounts } = await lender(service).debts('+15125550101')
    const source = await fundingAccount(service)
    const made = await service.call('POST', '/payments', {
      amount: 5_000,
      source,
      destination: accounts[0]!.id,
      description: 'Loan',
    })
    const ofEntity = () => service.call('POST', `/entities/${entity}/consent`, withdraw)
    const ofAccount = () => service.call('POST', `/accounts/${accounts[0]!.id}/consent`, { type: 'withdraw' })
    expect(rejectionOf(await ofEntity())).toBe('ENTITY_HAS_PAYMENTS_IN_PROGRESS')
    expect(rejectionOf(await ofAccount())).toBe('ACCOUNT_HAS_PAYMENT_IN_PROGRESS')
    expect((await service.call('POST', `/accounts/${accounts[1]!.id}/consent`, { type: 'withdraw' })).status).toBe(200)
    await service.call('DELETE', `/payments/${made.body['id']}`)
    expect((await ofEntity()).status).toBe(200)
    expect((await service.call('GET', `/payments/${made.body['id']}`)).body).toMatchObject({ status: 'canceled' })
  })

  it('is withdrawn once, even by simultaneous requests', async () => {
    const { entity } = await lender(service).debts('+15125550112')
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => service.call('POST', `/entities/${entity}/consent`, withdraw)),
    )
    expect(replies.map(reply => reply.status).sort()).toEqual([200, ...Array(7).fill(400)])
  })

  it('rejects unknown values and requests from another team', async () => {
    const entity = await someone(service, '+15125550101')
    const at = `/entities/${entity}/consent`
    expect(rejectionOf(await service.call('POST', at, {}))).toBe('INVALID_REQUEST')
    expect(rejectionOf(await service.call('POST', at, { ...withdraw, reason: 'other' }))).toBe('INVALID_REQUEST')
    const other = { authorization: `Bearer ${(await service.anotherTeam()).key}` }
    expect((await service.call('POST', at, withdraw, other)).status).toBe(404)
  })
})

/** Returns all text stored for the team, with encrypted values decrypted. */
async function everything(): Promise<string> {
  const { reader } = service.store
  const team = (await service.deps.teamOf(service.team))!
  const own = service.deps.vault.sealer(team.id, team.dataKey)
  const opened = (id: string, row: Record<string, unknown>) =>
    Object.entries(row).map(([field, value]) => {
      if (typeof value !== 'string' || !value.startsWith('v1.')) return value
      return own.open({ id, field: 'state' in row ? 'answer' : field }, value)
    })
  const rows = [
    ...(await reader.selectFrom('entities').selectAll().execute()),
    ...(await reader.selectFrom('accounts').selectAll().execute()),
    ...(await reader.selectFrom('records').selectAll().execute()),
    ...(await reader.selectFrom('subscriptions').selectAll().execute()),
  ].map(row => opened(row.id, row))
  const events = (await reader.selectFrom('events').selectAll().execute()).map(row => ({
    ...row,
    ...openStates(own, row),
  }))
  const answers = (await reader.selectFrom('idempotency').selectAll().execute()).map(row => opened(row.key, row))
  return JSON.stringify([rows, events, answers]).replaceAll('\\', '')
}
