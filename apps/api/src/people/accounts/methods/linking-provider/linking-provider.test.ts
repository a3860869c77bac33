import { describe, expect, it } from 'vitest'
import { rejectionOf } from '../../../../testing/contract/cases.js'
import { testService } from '../../../../testing/service.js'
import { accountSessions } from '../../../../testing/verification.js'

const service = await testService()

const { begin, put, read, bank } = accountSessions(service)

describe('a bank account', () => {
  it.each([
    ['plaid', { balances: {}, transactions: [] }, { balances: { available: 100 }, transactions: [{ amount: 1 }] }],
    ['mx', { account: {}, transactions: [] }, { account: { balance: 55.5 }, transactions: [] }],
    ['teller', { balances: {}, transactions: [] }, { balances: { ledger: '28' }, transactions: [{ id: 't' }] }],
  ])('is verified by data from %s, which is stored as sent and in no event', async (type, blank, told) => {
    const account = await bank('1000000009')
    const begun = await begin(account, type)
    expect(begun.body).toMatchObject({ status: 'pending', [type]: blank })
    expect(rejectionOf(await put(account, begun.body['id'], { [type]: { transactions: 1 } }))).toBe('INVALID_REQUEST')
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
})
