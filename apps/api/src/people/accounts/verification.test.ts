import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { remaining } from '../../platform/limits/counters.js'
import { type Scope, transact } from '../../platform/scope.js'
import { contrasts, errorOf, resource, timestamp } from '../../testing/cases.js'
import { lender } from '../../testing/money.js'
import { type TestService, testService } from '../../testing/service.js'
import type { RecordRow } from '../products/product.js'
import { cardGuesses } from './attempts.js'
import { lockAccount } from './store.js'
import { takeFirstTry } from './verification-tries.js'

type Body = Record<string, unknown> & { id: string }

let service: TestService
let holder: string
beforeAll(async () => {
  service = await testService()
  holder = (await lender(service).source()).id
  holder = (await service.call('GET', `/accounts/${holder}`)).body['holder_id']
})
afterAll(() => service.stop())

const sessions = (account: string) => `/accounts/${account}/verification_sessions`
const begin = async (account: string, type: string) => service.call('POST', sessions(account), { type })
const put = (account: string, id: string, body: unknown) => service.call('PUT', `${sessions(account)}/${id}`, body)
const refusal = (reply: { body: never }) => errorOf(reply.body).sub_type
const read = async (account: string) => (await service.call('GET', `/accounts/${account}`)).body as Body

async function bank(number: string, routing = '062103000'): Promise<string> {
  const made = await service.call('POST', '/accounts', {
    holder_id: holder,
    ach: { routing, number, type: 'checking' },
  })
  return made.body['id']
}
/** Returns a person's two cards, each from a different issuer. */
async function cards(): Promise<string[]> {
  service.advance(3_600_001) // the number of codes sent to one phone per hour is limited
  return (await lender(service).debts('+15121231111')).accounts.map(account => account.id)
}

describe('a bank account', () => {
  it('that the network verifies is verified from the start', async () => {
    const own = await service.call('GET', `/accounts/${await bank('5550001')}?expand[]=latest_verification_session`)
    expect(own.body).toMatchObject({
      products: ['payment'],
      latest_verification_session: { type: 'auto_verify', status: 'verified', auto_verify: {} },
    })
    const path = `/accounts/${await bank('5550002', '021000021')}?expand[]=latest_verification_session`
    expect((await service.call('GET', path)).body).toMatchObject({
      latest_verification_session: { type: 'trusted_provisioner', trusted_provisioner: {} },
    })
  })

  it.each(contrasts)('is verified by the amounts of two deposits, $name', async ({ mount, headers }) => {
    const account = await bank('1000000009')
    expect(await read(account)).toMatchObject({ products: [], restricted_products: ['payment'] })
    const path = mount + sessions(account)
    const call = async (method: string, at: string, body?: unknown) =>
      resource<Body>(mount, (await service.call(method, at, body, headers)).body)
    const begun = await call('POST', path, { type: 'micro_deposits' })
    expect(begun).toEqual({
      id: expect.stringMatching(/^avf_\w{13}$/),
      account_id: account,
      status: 'pending',
      type: 'micro_deposits',
      micro_deposits: { amounts: [] },
      error: null,
      created_at: expect.stringMatching(timestamp),
      updated_at: expect.stringMatching(timestamp),
    })
    await service.settle()
    expect(await call('GET', `${path}/${begun.id}`)).toMatchObject({ status: 'in_progress' })
    const { amounts } = (await call('GET', `${mount}/simulate${sessions(account)}/${begun.id}/amounts`)) as never as {
      amounts: [number, number]
    }
    expect(await call('GET', `${path}/${begun.id}/amounts`)).toEqual({ amounts })
    for (const amount of amounts) expect(amount).toBeGreaterThanOrEqual(20)
    for (const amount of amounts) expect(amount).toBeLessThanOrEqual(99)
    expect(amounts[0]).not.toBe(amounts[1])
    const wrong = await call('PUT', `${path}/${begun.id}`, { micro_deposits: { amounts: [amounts[0], 1] } })
    expect(wrong).toMatchObject({ status: 'in_progress', micro_deposits: { amounts: [] }, error: { code: 16002 } })
    const right = await call('PUT', `${path}/${begun.id}`, { micro_deposits: { amounts: [...amounts].reverse() } })
    expect(right).toMatchObject({ status: 'verified', micro_deposits: { amounts }, error: null })
    expect(await read(account)).toMatchObject({ products: ['payment'], latest_verification_session: begun.id })
    expect(refusal(await begin(account, 'micro_deposits'))).toBe('EXISTING_VERIFIED_SESSION')
  })

  it('fails verification after five wrong amounts, or if it returns deposits immediately', async () => {
    const account = await bank('1000000009')
    const id = (await begin(account, 'micro_deposits')).body['id']
    const wrong = () => put(account, id, { micro_deposits: { amounts: [1, 2] } })
    for (let tries = 0; tries < 4; tries++) await wrong()
    expect((await wrong()).body).toMatchObject({ status: 'failed', error: { code: 16003 } })
    expect(refusal(await wrong())).toBe('INVALID_VERIFICATION_STATUS')
    const other = await bank('1000000010')
    const refused = (await begin(other, 'micro_deposits')).body['id']
    await service.settle()
    expect((await service.call('GET', `${sessions(other)}/${refused}`)).body).toMatchObject({
      status: 'failed',
      error: { code: 16004, sub_type: 'MICRO_DEPOSITS_FAILED' },
    })
    expect((await begin(other, 'micro_deposits')).status).toBe(200)
  })

  it.each([
    ['plaid', { balances: {}, transactions: [] }, { balances: { available: 100 }, transactions: [{ amount: 1 }] }],
    ['mx', { account: {}, transactions: [] }, { account: { balance: 55.5 }, transactions: [] }],
    ['teller', { balances: {}, transactions: [] }, { balances: { ledger: '28' }, transactions: [{ id: 't' }] }],
  ])('is verified by the data of %s, stored as sent and in no event', async (type, blank, told) => {
    const account = await bank('1000000009')
    const begun = await begin(account, type)
    expect(begun.body).toMatchObject({ status: 'pending', [type]: blank })
    expect(refusal(await put(account, begun.body['id'], { [type]: { transactions: 1 } }))).toBe('INVALID_REQUEST')
    expect((await put(account, begun.body['id'], { [type]: told })).body).toMatchObject({
      status: 'verified',
      [type]: told,
    })
    expect(await read(account)).toMatchObject({ products: ['payment'] })
    const row = await service.store.reader
      .selectFrom('records')
      .selectAll()
      .where('id', '=', begun.body['id'])
      .executeTakeFirstOrThrow()
    expect(row.data).toMatch(/^v1\./)
  })

  it('rejects debt types, a second simultaneous session, and types reserved for the service', async () => {
    const account = await bank('1000000009')
    for (const type of ['standard', 'network', 'auto_verify', 'trusted_provisioner', 'issuer', 'toString'])
      expect(refusal(await begin(account, type))).toBe('VERIFICATION_TYPE_NOT_SUPPORTED')
    await begin(account, 'micro_deposits')
    expect(refusal(await begin(account, 'micro_deposits'))).toBe('EXISTING_VERIFICATION_SESSION')
    const id = (await begin(account, 'plaid')).body['id']
    expect(refusal(await put(account, id, {}))).toBe('INVALID_REQUEST')
  })
})

describe('a card', () => {
  const blank = {
    number: 'xxxxxxxxxxxxxxxx',
    exp_month: 'xx',
    exp_year: 'xxxx',
    exp_check: null,
    cvv: null,
    cvv_check: null,
    billing_zip_code: 'xxxxx',
    billing_zip_code_check: null,
  }

  it('that was discovered needs only its verification value, and can then show its numbers', async () => {
    const [account] = await cards()
    const begun = await begin(account!, 'pre_auth')
    expect(begun.body).toMatchObject({ status: 'pending', pre_auth: { ...blank, pre_auth_check: null } })
    expect(refusal(await put(account!, begun.body['id'], { pre_auth: {} }))).toBe('INVALID_REQUEST')
    const wrong = await put(account!, begun.body['id'], { pre_auth: { cvv: '111' } })
    expect(wrong.body).toMatchObject({
      status: 'pending',
      pre_auth: { cvv: 'xxx', cvv_check: 'fail', exp_check: 'pass', pre_auth_check: 'fail' },
      error: { code: 16002 },
    })
    const right = await put(account!, begun.body['id'], { pre_auth: { cvv: '878' } })
    expect(right.body).toMatchObject({
      status: 'verified',
      pre_auth: {
        ...blank,
        exp_check: 'pass',
        cvv: 'xxx',
        cvv_check: 'pass',
        billing_zip_code_check: 'pass',
        pre_auth_check: 'pass',
      },
      error: null,
    })
    const shown = await read(account!)
    expect(shown['products']).toContain('sensitive')
    expect(shown['products']).not.toContain('transaction')
    expect(refusal(await begin(account!, 'standard'))).toBe('EXISTING_VERIFIED_SESSION')
    expect((await begin(account!, 'network')).status).toBe(200)
  })

  it('verified by its network can be subscribed to: transactions arrive, and are shown with the account', async () => {
    const account = (await cards())[1]!
    expect(refusal(await service.call('GET', `/accounts/${account}/transactions`))).toBe('PRODUCT_VERIFICATION_MISSING')
    const id = (await begin(account, 'network')).body['id']
    const card = { exp_month: '09', exp_year: '2028', cvv: '539', billing_zip_code: '78758' }
    expect((await put(account, id, { network: card })).body).toMatchObject({
      status: 'verified',
      network: { network_check: 'pass' },
    })
    expect(await read(account)).toMatchObject({
      products: expect.arrayContaining(['transaction', 'sensitive']),
      available_subscriptions: expect.arrayContaining(['transaction']),
    })
    const simulate = () => service.call('POST', `/simulate/accounts/${account}/transactions`, {})
    expect(refusal(await simulate())).toBe('SIMULATION_RESTRICTED_MISSING_SUBSCRIPTION')
    await service.call('POST', `/accounts/${account}/subscriptions`, { enroll: 'transaction' })
    const first = (await simulate()).body as Body
    const second = (await simulate()).body as Body
    expect(Object.keys(first).sort()).toEqual(
      [
        ...['id', 'account_id', 'status', 'descriptor', 'merchant', 'merchant_category_code', 'amount', 'auth_amount'],
        ...['currency_code', 'transaction_amount', 'transaction_auth_amount', 'transaction_currency_code'],
        ...['transacted_at', 'posted_at', 'voided_at', 'original_txn_id', 'created_at', 'updated_at'],
      ].sort(),
    )
    expect(first).toMatchObject({ status: 'posted', currency_code: 'USD', merchant_category_code: '5182' })
    const path = `/accounts/${account}/transactions`
    expect((await service.call('GET', path)).body['data']).toEqual([second, first])
    expect((await service.call('GET', `${path}/${first.id}`)).body).toEqual(first)
    for (const name of ['transactions', 'transaction'])
      expect((await service.call('GET', `/accounts/${account}?expand[]=${name}`)).body[name]).toEqual([second, first])
    expect(await read(account)).not.toHaveProperty('transactions')
  })

  it('can be verified by number and expiry only', async () => {
    const [account] = await cards()
    const id = (await begin(account!, 'instant')).body['id']
    const { cvv: _, cvv_check: __, billing_zip_code: ___, billing_zip_code_check: ____, ...printed } = blank
    expect((await put(account!, id, { instant: {} })).body).toMatchObject({
      status: 'verified',
      instant: { ...printed, exp_check: 'pass' },
    })
  })

  it('with an unknown number requires it first, and requests a wrong one again', async () => {
    const account = (await lender(service).debts('+15125550100')).accounts[1]!.id
    const begun = await begin(account, 'pre_auth')
    expect(begun.body).toMatchObject({ pre_auth: { number: null, exp_month: 'xx' } })
    const wrong = { number: '4000000000091111', cvv: '123' }
    expect((await put(account, begun.body['id'], { pre_auth: wrong })).body).toMatchObject({
      status: 'pending',
      pre_auth: { number: null, cvv_check: 'pass' },
    })
    const right = await put(account, begun.body['id'], { pre_auth: { number: '4000 0000 0009 0342' } })
    expect(right.body).toMatchObject({ status: 'verified' })
    expect((await read(account))['products']).toContain('payment')
  })

  it('stores its verification value nowhere', async () => {
    const [account] = await cards()
    const id = (await begin(account!, 'pre_auth')).body['id']
    await put(account!, id, { pre_auth: { cvv: '878' } })
    const team = (await service.deps.teamOf(service.team))!
    const { open } = service.deps.vault.sealer(team.id, team.dataKey)
    const db = service.store.reader
    const record = await db.selectFrom('records').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(open({ id, field: 'data' }, record.data!)).not.toContain('878"')
    expect(JSON.parse(open({ id, field: 'data' }, record.data!))).toMatchObject({ cvv: true })
    const row = await db.selectFrom('accounts').selectAll().where('id', '=', account!).executeTakeFirstOrThrow()
    expect(open({ id: row.id, field: 'details' }, row.details!)).not.toContain('878"')
  })

  it('whose holder withdrew consent has sessions without data', async () => {
    const [account] = await cards()
    const id = (await begin(account!, 'pre_auth')).body['id']
    await put(account!, id, { pre_auth: { cvv: '878' } })
    const open = (await begin(account!, 'network')).body['id']
    await service.call('POST', `/accounts/${account}/consent`, { type: 'withdraw', reason: null })
    const listed = (await service.call('GET', sessions(account!))).body['data'] as Body[]
    expect(listed).toMatchObject([
      { id: open, status: 'failed', network: { number: null, exp_month: null, network_check: null } },
      { id, status: 'verified', pre_auth: { number: null, cvv: null, pre_auth_check: null } },
    ])
    expect(refusal(await put(account!, open, { network: { cvv: '878' } }))).toBe('INVALID_VERIFICATION_STATUS')
    expect(refusal(await begin(account!, 'standard'))).toBe('VERIFICATION_TYPE_NOT_SUPPORTED')
    expect(refusal(await service.call('GET', `/accounts/${account}/transactions`))).toBe('PRODUCT_UNAVAILABLE')
  })

  it('whose zip code cannot be checked is verified anyway; invalid formats are rejected', async () => {
    const [account] = await cards()
    const id = (await begin(account!, 'network')).body['id']
    for (const network of [{ cvv: '12' }, { cvv: '878', exp_month: '13' }, { cvv: '878', billing_zip_code: 'x' }])
      expect(refusal(await put(account!, id, { network }))).toBe('INVALID_REQUEST')
    const done = await put(account!, id, { network: { cvv: '878', billing_zip_code: '00000' } })
    expect(done.body).toMatchObject({ status: 'verified', network: { billing_zip_code_check: 'unavailable' } })
  })
})

describe('an attempt whose session was read before the account was locked', () => {
  const inTransaction = async <T>(work: (tx: Scope) => Promise<T>) =>
    transact(service.deps, (await service.deps.teamOf(service.team))!, work)
  const attempt = (
    account: string,
    known: RecordRow | null,
    read: () => { cvv: string } | string[] = () => ({ cvv: '878' }),
  ) => inTransaction(async tx => takeFirstTry(tx, (await lockAccount(tx, account))!, 'network', read, known))
  const all = async (account: string) => (await service.call('GET', sessions(account))).body['data'] as Body[]

  it('counts at the session that began meanwhile', async () => {
    const [account] = await cards()
    const open = (await begin(account!, 'network')).body['id']
    expect(await attempt(account!, null)).toMatchObject({ row: { id: open }, data: { tries: 1 } })
    expect(await all(account!)).toMatchObject([{ id: open }])
    // The attempt was counted once against the account's limit.
    const { left } = await inTransaction(tx => remaining(tx, cardGuesses, account!))
    expect(left).toBe(cardGuesses.most - 1)
  })

  it('returns the problems of its input, and begins no second session', async () => {
    const [account] = await cards()
    const open = (await begin(account!, 'network')).body['id']
    expect(await attempt(account!, null, () => ['cvv'])).toEqual(['cvv'])
    expect(await all(account!)).toMatchObject([{ id: open }])
  })

  it('counts at a new session if that one ended meanwhile', async () => {
    const [account] = await cards()
    const taken = await attempt(account!, null)
    if (Array.isArray(taken)) throw new Error('The attempt was not counted.')
    const { id } = taken.row
    await service.store.write(tx =>
      tx
        .updateTable('records')
        .set({ status: 'failed' })
        .where('team_id', '=', service.team)
        .where('id', '=', id)
        .execute(),
    )
    expect(await attempt(account!, taken.row)).toMatchObject({ row: { id: expect.not.stringMatching(id) } })
    expect(await all(account!)).toMatchObject([{ status: 'pending' }, { id, status: 'failed' }])
  })
})
