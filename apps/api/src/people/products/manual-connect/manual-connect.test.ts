import { describe, expect, it } from 'vitest'
import { rejectionOf } from '../../../testing/contract/cases.js'
import { someone } from '../../../testing/frame.js'
import { blankTradeline } from '../../../testing/records.js'
import { testService } from '../../../testing/service.js'

const service = await testService()

describe("a connection from the team's own report", () => {
  const card = {
    ...blankTradeline,
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
