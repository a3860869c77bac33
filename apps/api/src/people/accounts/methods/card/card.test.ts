import { describe, expect, it } from 'vitest'
import { rejectionOf } from '../../../../testing/contract/cases.js'
import { lender } from '../../../../testing/money.js'
import { testService } from '../../../../testing/service.js'
import { accountSessions } from '../../../../testing/verification.js'

type Body = Record<string, unknown> & { id: string }

const service = await testService()

const { sessions, begin, put, read, cards } = accountSessions(service)

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
    expect(rejectionOf(await put(account!, begun.body['id'], { pre_auth: {} }))).toBe('INVALID_REQUEST')
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
    expect(rejectionOf(await begin(account!, 'standard'))).toBe('EXISTING_VERIFIED_SESSION')
    expect((await begin(account!, 'network')).status).toBe(200)
  })

  it('verified by its network can be subscribed to: transactions arrive, and are shown with the account', async () => {
    const account = (await cards())[1]!
    expect(rejectionOf(await service.call('GET', `/accounts/${account}/transactions`))).toBe(
      'PRODUCT_VERIFICATION_MISSING',
    )
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
    expect(rejectionOf(await simulate())).toBe('SIMULATION_RESTRICTED_MISSING_SUBSCRIPTION')
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
    expect(rejectionOf(await put(account!, open, { network: { cvv: '878' } }))).toBe('INVALID_VERIFICATION_STATUS')
    expect(rejectionOf(await begin(account!, 'standard'))).toBe('VERIFICATION_TYPE_NOT_SUPPORTED')
    expect(rejectionOf(await service.call('GET', `/accounts/${account}/transactions`))).toBe('PRODUCT_UNAVAILABLE')
  })

  it('whose zip code cannot be checked is verified anyway; invalid formats are rejected', async () => {
    const [account] = await cards()
    const id = (await begin(account!, 'network')).body['id']
    for (const network of [{ cvv: '12' }, { cvv: '878', exp_month: '13' }, { cvv: '878', billing_zip_code: 'x' }])
      expect(rejectionOf(await put(account!, id, { network }))).toBe('INVALID_REQUEST')
    const done = await put(account!, id, { network: { cvv: '878', billing_zip_code: '00000' } })
    expect(done.body).toMatchObject({ status: 'verified', network: { billing_zip_code_check: 'unavailable' } })
  })
})
