import { DAY_MS } from '@causeway/contract/time'
import { describe, expect, it } from 'vitest'
import { audit } from '../platform/audit/store.js'
import { transact } from '../platform/scope.js'
import { consoleOf } from '../testing/console.js'
import { consoleUsersOf } from '../testing/console-users.js'
import { someone } from '../testing/frame.js'
import { lender } from '../testing/money.js'
import { testService } from '../testing/service.js'

const service = await testService()
const desk = consoleOf(service)
const { send } = desk
const { join } = consoleUsersOf(service, desk)
const { cookie, id: admin } = await join('admin', 'Ines Farrow')

interface Entry {
  id: string
  actor: string
  actor_name: string | null
  action: string
  resource_id: string | null
  reason: string | null
}
async function read(query = '', from = cookie) {
  const reply = await send('GET', `/api/console/audit${query}`, { cookie: from })
  expect(reply.status, reply.text).toBe(200)
  return reply.body as unknown as { data: Entry[]; next_cursor: string | null }
}
const act = async (actor: string, action: string, resource: string) =>
  transact(service.deps, (await service.deps.teamOf(service.team))!, scope => audit(scope, actor, action, resource))

describe('the audit log', () => {
  it('names who did what, with the reason, newest first', async () => {
    const person = await someone(service, '+15125550101')
    const body = { fields: ['dob'], reason: 'The caller asks for it, SSN 900-12-3456' }
    await send('POST', `/api/entities/${person}/reveal`, { cookie, body })
    const { data } = await read(`?resource_id=${person}`)
    expect(data[0]).toMatchObject({
      ...{
        actor: admin,
        actor_name: 'Ines Farrow',
        action: 'entity.reveal',
        reason: 'dob: The caller asks for it, SSN ••••',
      },
    })
  })

  // kills: console-writes-are-audited
  it('names who paid, canceled, created a link and sent a test, and nobody for refused and replayed requests', async () => {
    const { source, debts, must } = lender(service)
    const from = await source()
    const { entity, accounts } = await debts('+15125550110')
    const finance = await join('finance', 'Gil Stone')
    const destination = accounts.find(each => each['liability'])!.id
    const body = { source: from.id, destination, amount: 5_000, description: 'Payoff' }
    const headers = { 'idempotency-key': 'one payment' }
    const pay = (payment: object, more = {}) =>
      send('POST', '/api/payments', { cookie: finance.cookie, body: payment, headers: more })
    const paid = await pay(body, headers)
    expect(paid.status, paid.text).toBe(200)
    expect((await pay(body, headers)).status).toBe(200)
    expect((await pay({ ...body, amount: 1 })).status).toBe(400)
    expect((await pay({ ...body, dry_run: true })).status).toBe(200)
    service.advance(1)
    const payment = String(paid.body['id'])
    const cancel = () => send('DELETE', `/api/payments/${payment}`, { cookie: finance.cookie })
    expect((await cancel()).status).toBe(200)
    expect((await cancel()).status).toBe(400)
    const link = await send('POST', '/api/opal/token', {
      cookie,
      body: { mode: 'connect', entity_id: entity, redirect_url: 'http://localhost:3000/done' },
    })
    expect(link.status, link.text).toBe(200)
    service.advance(1)
    const webhook = await must('POST', '/webhooks', { type: 'payment.update', url: 'https://hooks.example.com/x' })
    await send('POST', `/api/webhooks/${webhook.id}/test`, { cookie })
    const { data } = await read(`?actor=${finance.id}`)
    const actions = (entries: readonly Entry[]) => entries.map(each => [each.action, each.resource_id]).reverse()
    expect(actions(data.filter(each => each.action.startsWith('payment')))).toEqual([
      ['payment.create', payment],
      ['payment.cancel', payment],
    ])
    expect(data[0]).toMatchObject({ actor_name: 'Gil Stone' })
    const own = (await read(`?actor=${admin}`)).data
    expect(actions(own.filter(each => ['session.link', 'webhook.test'].includes(each.action)))).toEqual([
      ['session.link', (link.body['data'] as { session_id: string }).session_id],
      ['webhook.test', webhook.id],
    ])
    // A key's requests are in the log of requests.
    await must('POST', '/payments', { ...body, description: 'By key' })
    expect((await read('?from_date=2000-01-01')).data.filter(each => each.action === 'payment.create')).toHaveLength(1)
  })

  it('is filtered by actor, resource and days, and read page by page', async () => {
    for (let count = 0; count < 55; count += 1) {
      await act('key_robot', 'payment.cancel', `pmt_${count}`)
      service.advance(1_000)
    }
    const first = await read('?actor=key_robot')
    const second = await read(`?actor=key_robot&page_cursor=${first.next_cursor}`)
    expect([...first.data, ...second.data].map(each => each.resource_id)).toEqual(
      [...Array(55).keys()].map(count => `pmt_${54 - count}`),
    )
    expect(second.next_cursor).toBe(null)
    expect((await read('?actor=key_robot&resource_id=pmt_3')).data).toHaveLength(1)
    const day = (offset: number) => new Date(service.deps.clock() + offset * DAY_MS).toISOString().slice(0, 10)
    expect((await read(`?actor=key_robot&from_date=${day(1)}`)).data).toEqual([])
    expect((await read(`?resource_id=pmt_3&from_date=${day(-1)}&to_date=${day(0)}`)).data).toHaveLength(1)
  })

  it('is filtered by the area of the action, over several pages and in the file', async () => {
    for (let count = 0; count < 30; count += 1) {
      for (const action of ['key.create', 'payee.propose', 'key.revoke']) await act('key_area', action, `key_${count}`)
      service.advance(1_000)
    }
    const first = await read('?actor=key_area&area=keys')
    const second = await read(`?actor=key_area&area=keys&page_cursor=${first.next_cursor}`)
    const actions = [...first.data, ...second.data].map(each => `${each.resource_id} ${each.action}`)
    expect([first.data.length, second.data.length, second.next_cursor]).toEqual([50, 10, null])
    expect(new Set(actions).size).toBe(60)
    expect(actions.map(each => Number(/\d+/.exec(each)![0]))).toEqual([...Array(60).keys()].map(at => 29 - (at >> 1)))
    const file = await send('GET', '/api/console/audit/csv?actor=key_area&area=keys', { cookie })
    expect(file.text.trimEnd().split('\r\n')).toHaveLength(61)
    for (const path of ['/api/console/audit', '/api/console/audit/csv']) {
      const rejection = await send('GET', `${path}?area=key`, { cookie })
      expect([rejection.status, rejection.text]).toEqual([
        400,
        expect.stringContaining('area must be one of: payments,'),
      ])
    }
  })

  it('is downloaded whole as CSV', async () => {
    const { text, headers } = await send('GET', '/api/console/audit/csv?actor=key_robot', { cookie })
    expect(headers.get('content-disposition')).toBe('attachment; filename="audit.csv"')
    const [header, ...lines] = text.trimEnd().split('\r\n')
    expect(header).toBe('id,at,actor,actor_name,session_id,action,resource_id,resource_name,reason,changes')
    expect(lines.length).toBeGreaterThanOrEqual(55)
    expect(lines.every(line => line.includes(',key_robot,,,payment.cancel,'))).toBe(true)
    expect((await read(`?actor=${admin}`)).data[0]).toMatchObject({ action: 'list.export', resource_id: 'audit' })
  })

  // kills: audit-needs-admin
  it.each(['viewer', 'support', 'engineer', 'finance'])('is closed to a %s', async role => {
    const other = await join(role)
    for (const path of ['/api/console/audit', '/api/console/audit/csv'])
      expect((await send('GET', path, { cookie: other.cookie })).status).toBe(403)
  })

  it("shows no other team's entries", async () => {
    const { team } = await service.anotherTeam()
    await transact(service.deps, (await service.deps.teamOf(team))!, scope =>
      audit(scope, 'key_other', 'x', 'pmt_other'),
    )
    expect((await read('?actor=key_other')).data).toEqual([])
  })
})
