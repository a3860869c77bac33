import { describe, expect, it } from 'vitest'
import { rejectionOf } from '../../../testing/contract/cases.js'
import { someone } from '../../../testing/frame.js'
import { testService } from '../../../testing/service.js'

const service = await testService()

describe("a connection from the team's own report", () => {
  const blank = {
    type_code: null,
    balance: 120_000,
    highest_balance: null,
    credit_limit: 500_000,
    term: null,
    next_payment_minimum_amount: null,
    last_payment_amount: null,
    past_due_amount: null,
    delinquency_charge_off_amount: null,
    opened_at: '2020-01-01',
    closed_at: null,
    last_activity_date: null,
    reported_date: null,
    next_payment_due_date: null,
    last_payment_date: null,
    delinquency_first_start_date: null,
    payment_history: null,
    narrative_codes: null,
    creditor_code: null,
  }
  const card = {
    ...blank,
    portfolio_type_code: 'revolving',
    designator_code: 'authorizedUser',
    number: '4000123412341234',
    creditor_name: 'CITI BANK NA',
    external_id: 'line-1',
  }
  const body = { bureau: 'equifax', tradelines: [card] }

  it('requires a team that supports it, creates the accounts, and stores the report encrypted', async () => {
    const entity = await someone(service, '+15125550104')
    const path = `/entities/${entity}/manual_connect`
    expect(rejectionOf(await service.call('POST', path, body))).toBe('TEAM_CAPABILITY_RESTRICTED')
    const { products } = (await service.call('GET', '/team')).body as { products: string[] }
    await service.call('PATCH', '/team', { products: [...products, 'manual_connect'] })
    const made = await service.call('POST', path, body)
    expect(made.body).toMatchObject({
      id: expect.stringMatching(/^mcxn_\w{13}$/),
      entity_id: entity,
      status: 'completed',
      accounts: [{ account_id: expect.stringMatching(/^acc_/), external_id: 'line-1' }],
      error: null,
    })
    expect((await service.call('GET', `${path}/${made.body['id']}`)).body).toEqual(made.body)
    expect((await service.call('GET', path)).status).toBe(404)
    const [line] = made.body['accounts'] as { account_id: string }[]
    const account = (await service.call('GET', `/accounts/${line!.account_id}`)).body
    expect(account['liability']).toMatchObject({ mask: '1234', ownership: 'authorized', type: 'credit_card' })
    const { reader } = service.store
    const row = await reader
      .selectFrom('records')
      .selectAll()
      .where('id', '=', made.body['id'])
      .executeTakeFirstOrThrow()
    expect(row.request).toMatch(/^v1\./)
    expect(rejectionOf(await service.call('POST', path, { ...body, bureau: 'other' }))).toBe('INVALID_REQUEST')
    await service.call('PATCH', '/team', { products })
  })
})
