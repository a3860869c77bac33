import { DAY_MS } from '@causeway/contract/time'
import { describe, expect, it } from 'vitest'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'

/** The first two payments were created on March 2, and the others a day later. The last one is canceled. */
const ids: string[] = []
const accounts = { a: '', b: '', card: '', loan: '' }
const holders = { a: '', b: '', person: '' }

const service = await testService()
const bank = lender(service)
const [a, b] = [await bank.source(), await bank.source('1000000005')]
const debts = await bank.debts()
Object.assign(accounts, { a: a.id, b: b.id, card: debts.accounts[0]!.id, loan: debts.accounts[2]!.id })
Object.assign(holders, { a: a['holder_id'], b: b['holder_id'], person: debts.entity })
const pay = async (source: string, destination: string) => {
  const made = await bank.must('POST', '/payments', { amount: 5_000, source, destination, description: 'x' })
  ids.push(made.id)
}
await pay(accounts.a, accounts.card)
await pay(accounts.a, accounts.loan)
service.advance(DAY_MS)
await pay(accounts.b, accounts.card)
await pay(accounts.b, accounts.loan)
await bank.must('DELETE', `/payments/${ids[3]}`)

const list = async (query: string) => {
  const reply = await bank.call('GET', `/payments${query}`)
  expect(reply.status, reply.text).toBe(200)
  const { data } = reply.body as unknown as { data: (Record<string, unknown> & { id: string })[] }
  return { data, ids: data.map(row => row.id), headers: reply.headers }
}
const numbers = async (query: string) => (await list(query)).ids.map(id => ids.indexOf(id))

describe('a list of payments', () => {
  it('is latest first, without fund_status', async () => {
    const { data } = await list('')
    expect(data.map(row => ids.indexOf(row.id))).toEqual([3, 2, 1, 0])
    expect(data[0]).not.toHaveProperty('fund_status')
  })

  it('is filtered by source, destination, holder, status and type, all combined', async () => {
    expect(await numbers(`?source=${accounts.a}`)).toEqual([1, 0])
    expect(await numbers(`?destination=${accounts.card}`)).toEqual([2, 0])
    expect(await numbers(`?acc_id=${accounts.b}`)).toEqual([3, 2])
    expect(await numbers(`?acc_id=${accounts.loan}`)).toEqual([3, 1])
    expect(await numbers(`?source_holder_id=${holders.b}`)).toEqual([3, 2])
    expect(await numbers(`?destination_holder_id=${holders.b}`)).toEqual([])
    expect(await numbers(`?holder_id=${holders.person}`)).toEqual([3, 2, 1, 0])
    expect(await numbers(`?holder_id=${holders.a}&destination=${accounts.loan}`)).toEqual([1])
    expect(await numbers('?status=canceled')).toEqual([3])
    expect(await numbers('?status=pending&type=standard')).toEqual([2, 1, 0])
    expect(await numbers('?type=clearing')).toEqual([])
    expect(await numbers('?reversal_id=rvs_0000000000000')).toEqual([])
    expect(await numbers('?unknown=1')).toEqual([3, 2, 1, 0])
    expect(await bank.rejection('GET', '/payments?status=')).toBe('INVALID_REQUEST')
  })

  it('is filtered by creation date, both days inclusive', async () => {
    expect(await numbers('?from_date=2026-03-03')).toEqual([3, 2])
    expect(await numbers('?to_date=2026-03-02')).toEqual([1, 0])
    expect(await numbers('?from_date=2026-03-02&to_date=2026-03-03')).toEqual([3, 2, 1, 0])
    expect(await bank.rejection('GET', '/payments?from_date=03/02/2026')).toBe('INVALID_REQUEST')
    expect(await bank.rejection('GET', '/payments?to_date=2026-02-30')).toBe('INVALID_REQUEST')
  })

  it('is paged by number, with totals', async () => {
    const { ids: found, headers } = await list('?page=2&page_limit=3')
    expect(found).toEqual([ids[0]])
    expect(headers.get('pagination-page')).toBe('2')
    expect(headers.get('pagination-page-count')).toBe('2')
    expect(headers.get('pagination-total-count')).toBe('4')
    expect(headers.get('pagination-page-limit')).toBe('3')
  })

  it('is paged by cursor, forward and back, with a filter', async () => {
    const first = await list(`?page_limit=1&acc_id=${accounts.card}`)
    const next = first.headers.get('pagination-page-cursor-next')
    expect(next).toBe(ids[0])
    const second = await list(`?page_limit=1&acc_id=${accounts.card}&page_cursor=${next}`)
    expect(second.ids).toEqual([ids[0]])
    expect(second.headers.get('pagination-page-cursor-next')).toBeNull()
    expect(second.headers.get('pagination-page-cursor-prev')).toBe(ids[2])
    expect(await bank.rejection('GET', `/payments?page=1&page_cursor=${next}`)).toBe('INVALID_SEARCH_PARAMETERS')
  })

  it('expands source and destination, and records in the audit log that a number was shown', async () => {
    const reads = async () =>
      (
        await service.store.reader
          .selectFrom('audit')
          .select('id')
          .where('action', '=', 'account.number.read')
          .execute()
      ).length
    const before = await reads()
    const { data } = await list('?expand[]=source&expand[]=destination.latest_verification_session')
    expect(data[3]).toMatchObject({
      source: { id: accounts.a, type: 'ach', latest_verification_session: expect.stringMatching(/^avf_/) },
      destination: { id: accounts.card, type: 'liability', latest_verification_session: null },
    })
    expect(await reads()).toBe(before + 2)
  })

  it('expands the session of a source or destination, for a single payment too', async () => {
    const body = await bank.must('GET', `/payments/${ids[0]}?expand=source.latest_verification_session`)
    expect(body).toMatchObject({
      source: { id: accounts.a, latest_verification_session: { account_id: accounts.a, status: 'verified' } },
      destination: accounts.card,
      fund_status: 'pending',
    })
  })

  it('rejects an unknown expansion and names the known ones', async () => {
    const reply = await bank.call('GET', '/payments?expand[]=reversal')
    expect(reply.status).toBe(400)
    for (const name of ['source', 'destination', 'source.latest_verification_session'])
      expect(reply.body.error?.message).toContain(name)
  })

  it("never contains another team's payments, which return 404 like an unknown one", async () => {
    const other = lender(service, (await service.anotherTeam()).key)
    expect((await other.must('GET', '/payments'))['data']).toEqual([])
    expect((await other.must('GET', `/payments?source=${accounts.a}`))['data']).toEqual([])
    const theirs = await other.call('GET', `/payments/${ids[0]}`)
    const nobodys = 'pmt_0000000000000'
    const unknown = await other.call('GET', `/payments/${nobodys}`)
    expect(unknown.text).toContain(nobodys)
    expect([theirs.status, theirs.text]).toEqual([404, unknown.text.replaceAll(nobodys, ids[0]!)])
    expect(await other.rejection('DELETE', `/payments/${ids[0]}`)).toBe('NOT_FOUND')
    expect(await other.rejection('POST', `/simulate/payments/${ids[0]}`, { status: 'processing' })).toBe('NOT_FOUND')
  })
})
