import { describe, expect, it } from 'vitest'
import { resource, speaking } from '../../../testing/contract/cases.js'
import { provenDebts, recordOf } from '../../../testing/records.js'
import { testService } from '../../../testing/service.js'

type Body = Record<string, unknown> & { id: string }

let card: string
let loan: string
const service = await testService()
;({ card, loan } = await provenDebts(service))

describe.each(speaking)('sensitive, $name', ({ mount, headers }) => {
  const post = async (path: string, body?: unknown) =>
    resource<Body>(mount, (await service.call('POST', mount + path, body, headers)).body)
  const get = async (path: string) =>
    resource<Body>(mount, (await service.call('GET', mount + path, undefined, headers)).body)

  it("returns the requested fields, and null for the type's other fields", async () => {
    const path = `/accounts/${card}/sensitive`
    const made = await post(path, { expand: ['credit_card.number', 'credit_card.exp_month', 'credit_card.exp_year'] })
    expect(made).toEqual({
      id: expect.stringMatching(/^astv_\w{13}$/),
      ...recordOf(card),
      type: 'credit_card',
      credit_card: { billing_zip_code: null, number: '5555555555551580', exp_month: '03', exp_year: '2028', cvv: null },
      status: 'completed',
    })
    expect(await get(`${path}/${made.id}`)).toEqual(made)
    expect((await get(`/accounts/${card}?expand[]=sensitive`))['sensitive']).toEqual(made)
    expect(await get(`/accounts/${card}`)).not.toHaveProperty('sensitive')
    expect(await post(`/accounts/${loan}/sensitive`, { expand: ['auto_loan.number'] })).toMatchObject({
      type: 'auto_loan',
      auto_loan: { number: '7000008130' },
    })
  })
})

it('a number is encrypted at rest, appears in no event, and each read of it is in the audit log', async () => {
  const made = await service.call('POST', `/accounts/${card}/sensitive`, { expand: ['credit_card.number'] })
  const id = made.body['id']
  await service.call('GET', `/accounts/${card}/sensitive/${id}`)
  await service.call('GET', `/accounts/${card}?expand[]=sensitive`)
  const db = service.store.reader
  const [row] = await db.selectFrom('records').selectAll().where('id', '=', id).execute()
  expect(JSON.stringify(row)).not.toContain('1580')
  const reads = await db.selectFrom('audit').select('action').where('resource_id', '=', id).execute()
  expect(reads.map(read => read.action)).toEqual(['sensitive.read', 'sensitive.read', 'sensitive.read'])
  const events = (await service.call('GET', `/accounts/${card}`)).text
  expect(events).not.toContain('5555555555551580')
})
