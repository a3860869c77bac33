import { consoleExports } from '@causeway/contract/endpoints/console-exports'
import { describe, expect, it, vi } from 'vitest'
import { consoleOf } from '../../testing/console.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'

const service = await testService()
const bank = lender(service)
const { send, open, operator, signedIn } = consoleOf(service)
const { cookie } = await operator({ role: 'finance', name: 'Fay Ortiz' })
const source = (await bank.source()).id
const debts = await bank.debts()
const destination = debts.accounts[0]!.id

/** The number of payments: more than two pages of a list. */
const PAYMENTS = 205
const payments = [...Array(PAYMENTS).keys()].map(index => ({
  amount: 100 + index,
  source,
  destination,
  description: 'Loan',
}))
for (const body of payments) await bank.must('POST', '/payments', body)

interface Person {
  individual: { first_name: string; last_name: string }
}

/** Returns the lines of a file without its header, and the header. */
async function linesOf(path: string, from = cookie) {
  const reply = await send('GET', `/api${path}`, { cookie: from })
  expect(reply.status, reply.text).toBe(200)
  const [header, ...lines] = reply.text.trimEnd().split('\r\n')
  return { header, lines, reply }
}
const idsOf = (lines: readonly string[]) => lines.map(line => line.split(',')[0])
const rejection = async (path: string, from = cookie) => {
  const reply = await send('GET', `/api${path}`, { cookie: from })
  return [reply.status, (reply.body['error'] as { sub_type: string }).sub_type]
}

/** Returns the ids in a list of the API, over all of its pages. */
async function listedIds(path: string): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const mark = path.includes('?') ? '&' : '?'
    const reply = await bank.call('GET', `${path}${cursor && `${mark}page_cursor=${cursor}`}`)
    ids.push(...(reply.body['data'] as { id: string }[]).map(({ id }) => id))
    cursor = reply.headers.get('pagination-page-cursor-next')
  }
  return ids
}

describe('a list that is exported as CSV', () => {
  it('contains the rows of every page of the list, in order', async () => {
    const { header, lines, reply } = await linesOf('/payments/csv')
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(reply.headers.get('content-disposition')).toBe('attachment; filename="payments.csv"')
    expect(header).toMatch(/^id,status,amount_usd,/)
    expect(lines).toHaveLength(PAYMENTS)
    expect(idsOf(lines)).toEqual(await listedIds('/payments'))
    expect(lines.at(-1)).toContain(',pending,1.00,standard,Loan,')
    const { individual } = (await bank.must('GET', `/entities/${debts.entity}`)) as unknown as Person
    const person = `,${debts.entity},${individual.first_name} ${individual.last_name},`
    expect(lines.filter(line => line.includes(person))).toHaveLength(PAYMENTS)
  })

  it('contains only the rows that match the filters', async () => {
    const [first, second] = await listedIds('/payments')
    for (const id of [first, second]) await bank.must('DELETE', `/payments/${id}`)
    const filtered = '/payments/csv?status%5B%5D=canceled&status%5B%5D=failed'
    expect(idsOf((await linesOf(filtered)).lines)).toEqual([first, second])
    expect((await linesOf('/payments/csv?from_date=2027-01-01')).lines).toEqual([])
  })

  it('contains the oldest rows first if the list does', async () => {
    const ids = idsOf((await linesOf('/payments/csv?sort=created_at')).lines)
    expect(ids).toEqual((await listedIds('/payments')).reverse())
  })

  it('exports every list of the console', async () => {
    for (const { path } of Object.values(consoleExports)) {
      const { header, lines } = await linesOf(path)
      expect([path, header?.startsWith('id,')]).toEqual([path, true])
      const list = path.replace(/\/csv$/, '')
      // The export itself adds no rows to the other lists.
      expect(idsOf(lines)).toEqual(await listedIds(list))
    }
  })

  // kills: export-masks-rows
  it('masks values as the list does, and neutralizes formulas', async () => {
    const individual = { first_name: '=HYPERLINK("x")', last_name: 'ssn 123-45-6789', phone: '+15125550111' }
    const { id } = await bank.must('POST', '/entities', { type: 'individual', individual })
    const { lines, reply } = await linesOf(`/entities/csv?id=${id}`)
    expect(lines).toEqual([expect.stringContaining(`${id},individual,incomplete,"'=HYPERLINK(""x"")",ssn ••••,`)])
    expect(reply.text).not.toContain('5125550111')
  })

  it("contains no other team's rows", async () => {
    const other = lender(service, (await service.anotherTeam()).key)
    const { id } = await other.must('POST', '/entities', { type: 'individual', individual: {} })
    const { lines } = await linesOf('/entities/csv')
    expect(lines.length).toBeGreaterThan(0)
    expect(idsOf(lines)).not.toContain(id)
    expect((await linesOf(`/entities/csv?id=${id}`)).lines).toEqual([])
  })

  it('rejects invalid filters before the file begins', async () => {
    expect(await rejection('/payments/csv?status=lost')).toEqual([400, 'INVALID_REQUEST'])
    expect(await rejection('/payments/csv?from_date=soon')).toEqual([400, 'INVALID_REQUEST'])
    expect(await rejection('/payments/csv?page_limit=5')).toEqual([400, 'INVALID_SEARCH_PARAMETERS'])
  })

  // kills: export-needs-permission
  it('needs a role that may export lists', async () => {
    for (const role of ['viewer', 'support'] as const) {
      const user = await operator({ role, name: role })
      expect(await rejection('/payments/csv', user.cookie)).toEqual([403, 'FORBIDDEN'])
    }
    expect(await rejection('/payments/csv', (await signedIn(['read'])).cookie)).toEqual([403, 'FORBIDDEN'])
  })

  it('stops between two pages when the session has ended', async () => {
    const ending = await operator({ role: 'finance', name: 'Fay Ortiz' })
    const headers = { cookie: ending.cookie, 'sec-fetch-site': 'same-origin' }
    const origin = 'http://localhost:4400'
    const response = await open().fetch(new Request(`${origin}/api/payments/csv`, { headers }))
    const reader = response.body!.getReader()
    // The header and the first page.
    for (let part = 0; part < 2; part += 1) expect((await reader.read()).done).toBe(false)
    await send('DELETE', '/api/session', { cookie: ending.cookie })
    await expect(reader.read()).rejects.toThrow('signed out')
  })

  // kills: export-is-audited
  it('records the user and the list', async () => {
    await linesOf('/opal/sessions/csv')
    const entries = await service.store.reader
      .selectFrom('audit')
      .select(['resource_id', 'actor_name'])
      .where('team_id', '=', service.team)
      .where('action', '=', 'list.export')
      .orderBy('created_at', 'desc')
      .execute()
    expect(entries).toContainEqual({ resource_id: 'sessions', actor_name: 'Fay Ortiz' })
  })

  // kills: export-counts-once
  it('counts as one request toward the limit, however many pages it has', async () => {
    const count = vi.spyOn(service.deps.limits, 'request')
    await linesOf('/payments/csv')
    expect(count).toHaveBeenCalledTimes(1)
    count.mockRestore()
  })
})
