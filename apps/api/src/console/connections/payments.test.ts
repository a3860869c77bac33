import type { Ports } from '@causeway/connector/ports/ports'
import type { Rail } from '@causeway/connector/ports/rail'
import { beforeEach, describe, expect, it } from 'vitest'
import { readPayee } from '../../network/payees/payee.js'
import { confirmPayee, proposePayees } from '../../network/payees/store.js'
import { linkObject } from '../../network/providers/store.js'
import { consoleOf, cookieIn } from '../../testing/console.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'

type Status = Awaited<ReturnType<Rail['status']>>
/** The notice that the rail reports next. */
let notice: Pick<Status, 'noc' | 'corrected'> = {}
beforeEach(() => {
  notice = {}
})

const posted: Status = {
  ...{ status: 'posted', code: null, source_trace_id: null, destination_trace_id: null, returned: null },
  next_at: null,
}
const service = await testService({
  ports: (given: Ports): Ports => ({
    ...given,
    rail: { ...given.rail, status: async call => ({ ...posted, next_at: call.now + 60_000, ...notice }) },
  }),
})
const { deps } = service
const { send, signedIn, operator } = consoleOf(service)
const { cookie } = await operator()
const bank = lender(service)
const source = (await bank.source()).id
const [debt] = (await bank.debts('+15125550110')).accounts

async function pay(): Promise<string> {
  const { id } = await bank.must('POST', '/payments', {
    ...{ amount: 5_000, source, destination: debt!.id },
    description: 'x',
  })
  await service.settle()
  return id
}

describe("the provider's ids of a payment", () => {
  const get = (id: string, as: string) => send('GET', `/api/payments/${id}/provider`, { cookie: as })

  it("are shown to the team's users only", async () => {
    const id = await pay()
    const { cookie: viewer } = await signedIn(['read'])
    expect((await get(id, viewer)).body).toEqual({ objects: [] })
    await linkObject(deps, 'sandbox', service.team, 'ach_transfer_1', { kind: 'payment', id })
    await linkObject(deps, 'retired', service.team, 'old_1', { kind: 'payment', id })
    await linkObject(deps, 'sandbox', service.team, 'ach_transfer_2', { kind: 'payment', id: 'pmt_other' })
    const common = { kind: 'payment', resource_id: id, created_at: new Date(deps.clock()).toISOString() }
    expect((await get(id, viewer)).body).toEqual({
      objects: [
        { ...common, provider: 'sandbox', title: 'Sandbox', external_id: 'ach_transfer_1' },
        { ...common, provider: 'retired', title: 'retired', external_id: 'old_1' },
      ],
    })
    const other = await send('POST', '/api/session', { body: { key: (await service.anotherTeam()).key } })
    expect((await get(id, cookieIn(other.headers))).status).toBe(404)
    expect((await get('pmt_none', viewer)).status).toBe(404)
  })

  it('include those of its reversals', async () => {
    const id = await pay()
    await service.store.write(tx =>
      tx
        .insertInto('reversals')
        .values({
          ...{ id: 'rvs_1', team_id: service.team, payment_id: id, target_account: null, trace_id: null },
          ...{ direction: 'credit', description: 'x', amount: 5_000, status: 'sent', error: null },
          ...{ approved_at: null, created_at: 0, updated_at: 0 },
        })
        .execute(),
    )
    await linkObject(deps, 'sandbox', service.team, 'transfer_back', { kind: 'reversal', id: 'rvs_1' })
    expect((await get(id, cookie)).body).toMatchObject({
      objects: [{ kind: 'reversal', resource_id: 'rvs_1', external_id: 'transfer_back' }],
    })
  })
})

describe('notices of banks', () => {
  const list = async (query = '') => {
    const reply = await send('GET', `/api/operator/notices${query}`, { cookie })
    expect(reply.status, reply.text).toBe(200)
    return reply.body as { data: Record<string, unknown>[]; next_cursor: string | null }
  }

  it('name the merchant and the corrected details, until a payee is confirmed', async () => {
    const id = await pay()
    const at = Date.parse('2026-03-02T15:30:00.000Z')
    notice = { noc: { code: 'C03', at }, corrected: { routing: '021000021', number: '77001234' } }
    service.advance(60_000)
    await service.settle()
    const { data } = await list()
    const [found] = data.filter(each => each['payment_id'] === id)
    const merchant = (found as { merchant: { id: string; name: string } }).merchant
    expect(found).toEqual({
      ...{ team_id: service.team, payment_id: id, account_id: debt!.id, code: 'C03', state: 'open' },
      merchant: { id: expect.stringMatching(/^mch_/), name: expect.any(String) },
      at: '2026-03-02T15:30:00.000Z',
      received_at: new Date(deps.clock()).toISOString(),
      corrected: { routing: '021000021', number: '••1234' },
    })
    const input = readPayee({
      merchant: merchant.id,
      route: 'ach',
      routing: '021000021',
      account: 'number',
      sec: 'ccd',
    })
    if ('problems' in input) throw new Error(input.problems.join())
    service.advance(1)
    const [payee] = await proposePayees(deps, [input], 'Ana Diaz', deps.clock())
    expect((await list()).data.every(({ state }) => state === 'open')).toBe(true)
    await confirmPayee(service.store, payee!, 'Ben Okafor', deps.clock())
    expect((await list()).data.every(({ state }) => state === 'payee_confirmed')).toBe(true)
  })

  it('have pages', async () => {
    const created_at = deps.clock() + 1
    const before = (await list()).data.length
    const rows = Array.from({ length: 55 }, (_, index) => ({
      ...{ team_id: service.team, payment_id: `pmt_${Math.floor(index / 5)}`, code: `C0${index % 5}`, at: 7 },
      ...{ corrected: null, handled_at: created_at, created_at },
    }))
    await service.store.write(tx => tx.insertInto('payment_notices').values(rows).execute())
    const first = await list()
    const second = await list(`?page_cursor=${first.next_cursor}`)
    expect([first.data.length, second.next_cursor]).toEqual([50, null])
    const keys = [...first.data, ...second.data].map(row => `${row['payment_id']} ${row['code']} ${row['at']}`)
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys).toHaveLength(before + 55)
    expect(first.data[0]).toMatchObject({ merchant: null, account_id: null, state: 'account_corrected', corrected: {} })
    expect((await send('GET', '/api/operator/notices?page_cursor=1', { cookie })).status).toBe(400)
  })
})
