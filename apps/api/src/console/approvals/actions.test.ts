import { scopeOf } from '@causeway/contract/declaration/endpoint'
import { endpoints } from '@causeway/contract/endpoints/table'
import { describe, expect, it } from 'vitest'
import { setPaymentsStop } from '../../team/teams/stops.js'
import { findActiveStop } from '../../team/teams/store.js'
import { consoleOf } from '../../testing/console.js'
import { consoleUsersOf } from '../../testing/console-users.js'
import { confirmed, LOAN } from '../../testing/frame.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'
import { actions } from './actions.js'
import { storePolicy } from './store.js'

const service = await testService()
const { deps } = service
const desk = consoleOf(service)
const { send } = desk
const { join, accept, invite, post } = consoleUsersOf(service, desk)
const bank = lender(service)
const finance = await join('finance', 'Ines Farrow')
const admin = await join('admin', 'Ana Diaz')
const setPolicy = (above: number | null) =>
  service.store.write(tx => storePolicy(tx, service.team, above, deps.clock()))
await setPolicy(1_000)

const reasonHeader = { 'approval-reason': 'The%20audit%20is%20over' }
const act = (id: string, action: string, cookie: string) => post(`/console/approvals/${id}/${action}`, {}, cookie)

describe('a second person is also needed', () => {
  const change = (approve_above: number | null, cookie: string, headers = {}) =>
    send('POST', '/api/console/approval_settings', { body: { approve_above }, cookie, headers })

  it('to raise the amount or switch it off, but not to lower it', async () => {
    expect((await change(500, finance.cookie)).status).toBe(403)
    expect((await change(500, admin.cookie)).body).toEqual({ approve_above: 500 })
    expect((await change(1_000, admin.cookie)).headers.get('approval-required')).toBe('true')
    const unclear = await change(1_000, admin.cookie, { 'approval-reason': '%20.' })
    expect([unclear.status, unclear.headers.get('approval-required')]).toEqual([400, 'true'])
    for (const hidden of ['%E0%A4%A', 'Paid %E2%80%AEtwice', 'Paid%0Atwice', 'Paid%00twice'])
      expect((await change(1_000, admin.cookie, { 'approval-reason': hidden })).status).toBe(400)
    expect((await send('GET', '/api/console/approvals', { cookie: admin.cookie })).body['data']).toEqual([])
    const asked = await change(null, admin.cookie, reasonHeader)
    expect(asked.body).toMatchObject({ approval: { changes: [{ name: 'approve_above', before: '500', after: null }] } })
    const now = await send('GET', '/api/console/approval_settings', { cookie: admin.cookie })
    expect(now.body).toEqual({ approve_above: 500 })
    const second = await join('admin', 'Gil Stone')
    const { id } = asked.body['approval'] as { id: string }
    expect((await act(id, 'approve', second.cookie)).body).toMatchObject({ status: 'approved' })
    expect((await send('GET', '/api/console/approval_settings', { cookie: admin.cookie })).body).toEqual({
      approve_above: null,
    })
    await setPolicy(1_000)
  })

  it('to lift a stop of payments, which runs once, and never lifts the stop of a command', async () => {
    const { cookie: operator } = await desk.operator()
    const { cookie: other } = await desk.operator()
    const { cookie: second } = await accept((await invite('admin', '--operator')).invitation, 'Hal Reed')
    const team = { id: service.team, name: String((await bank.must('GET', '/team'))['name']) }
    const body = { team: team.id, confirm: team.name, reason: 'The rail is fixed' }
    const start = (given: object, headers: Record<string, string> = reasonHeader) =>
      send('POST', '/api/operator/payments/start', { body: given, cookie: operator, headers })
    await post('/operator/payments/stop', body, operator)
    const isStopped = async () => (await findActiveStop(deps.store.reader, (await deps.teamOf(team.id))!)) !== null
    expect((await start({ ...body, confirm: 'no' })).status).toBe(400)
    const asked = (await start(body)).body['approval'] as { id: string }
    expect(await isStopped()).toBe(true)
    for (const cookie of [admin.cookie, operator, other])
      expect((await act(asked.id, 'approve', cookie)).status).toBe(403)
    const both = await Promise.all([1, 2].map(() => act(asked.id, 'approve', second)))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(await isStopped()).toBe(false)
    await service.store.write(tx => setPaymentsStop(tx, team.id, deps.clock(), deps.clock()))
    deps.access.forget(team.id)
    const command = await start(body)
    expect([command.status, command.text]).toEqual([403, expect.stringContaining('pnpm admin payments start')])
    await service.store.write(tx => setPaymentsStop(tx, team.id, null, deps.clock()))
    deps.access.forget(team.id)
  })

  it('to raise a limit', async () => {
    await service.store.write(async tx => {
      const { settings } = await tx
        .selectFrom('teams')
        .select('settings')
        .where('id', '=', service.team)
        .executeTakeFirstOrThrow()
      const limits = { payment_amount_max: 10_000, payments_per_month: null }
      const changed = JSON.stringify({ ...JSON.parse(settings), limits: { ...JSON.parse(settings).limits, ...limits } })
      await tx
        .updateTable('teams')
        .set({ settings: changed as never })
        .where('id', '=', service.team)
        .execute()
    })
    deps.access.forget(service.team)
    const raise = await send('PATCH', '/api/team', {
      body: { limits: { payment_amount_max: 20_000 } },
      cookie: admin.cookie,
      headers: reasonHeader,
    })
    expect(raise.body).toMatchObject({
      approval: { changes: [{ name: 'payment_amount_max', before: '10000', after: '20000' }] },
    })
    expect((await bank.must('GET', '/team'))['limits']).toMatchObject({ payment_amount_max: 10_000 })
  })

  // kills: approval-not-around-by-key
  it('where a new key would do without: the console creates no key that can pay', async () => {
    const create = (scopes?: string[]) => post('/team/keys', scopes ? { scopes } : {}, admin.cookie)
    for (const scopes of [undefined, ['read', 'payments'], ['admin']]) {
      const reply = await create(scopes)
      expect([reply.status, reply.text]).toEqual([403, expect.stringContaining('pnpm admin key create')])
    }
    expect((await create(['read'])).status).toBe(200)
  })
})

it('a team without a second person can not switch it on', async () => {
  const lone = await testService()
  const at = consoleOf(lone)
  const { join: joinLone } = consoleUsersOf(lone, at)
  const { cookie } = await joinLone('admin', 'Ana Diaz')
  const set = () => at.send('POST', '/api/console/approval_settings', { body: { approve_above: 0 }, cookie })
  const reply = await set()
  expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('Invite a second person first')])
  await joinLone('finance', 'Ben Okafor')
  expect((await set()).status).toBe(200)
})

it('every endpoint with the payments scope is an action, except a cancellation', () => {
  const names = endpoints
    .filter(endpoint => scopeOf(endpoint) === 'payments')
    .map(({ method, path }) => `${method} ${path}`)
  const covered = actions.map(({ method, path }) => `${method} ${path}`)
  expect(names.filter(name => !covered.includes(name))).toEqual(['DELETE /payments/:pmt_id'])
})

// kills: rejection-undoes-decision
it('an approved release that has no source ends as failed at the first approval', async () => {
  const { session } = await confirmed(service, '+15125550110', LOAN, [10_000, 20_000])
  const body = { action: 'release_payments' }
  const path = `/api/opal/sessions/${session}`
  const reply = await send('POST', path, { body, cookie: finance.cookie, headers: reasonHeader })
  const { id } = reply.body['approval'] as { id: string }
  const decided = await act(id, 'approve', admin.cookie)
  expect(decided.body).toMatchObject({ status: 'failed', error: expect.stringContaining('source') })
})

// kills: approval-has-an-effect
it('one request to release a loan waits at a time, and fails if the loan was released meanwhile', async () => {
  const { session } = await confirmed(service, '+15125550110', LOAN, [10_000, 20_000])
  const source = (await bank.source()).id
  const release = (data: object, cookie = finance.cookie) =>
    send('POST', `/api/opal/sessions/${session}`, {
      body: { action: 'release_payments', data },
      cookie,
      headers: reasonHeader,
    })
  const { id } = (await release({ source })).body['approval'] as { id: string }
  const other = await release({})
  expect([other.status, other.text]).toEqual([
    400,
    expect.stringContaining(`Another request for this already waits: ${id}`),
  ])
  await bank.must('POST', `/opal/sessions/${session}`, { action: 'release_payments', data: { source } })
  const decided = await act(id, 'approve', admin.cookie)
  expect(decided.body).toMatchObject({ status: 'failed', error: expect.stringContaining('already released') })
})

it('an approval while payments are stopped says when to approve again, and the request keeps waiting', async () => {
  const { session } = await confirmed(service, '+15125550110', LOAN, [10_000, 20_000])
  const source = (await bank.source()).id
  const reply = await send('POST', `/api/opal/sessions/${session}`, {
    body: { action: 'release_payments', data: { source } },
    cookie: finance.cookie,
    headers: reasonHeader,
  })
  const { id } = reply.body['approval'] as { id: string }
  await service.store.write(tx => setPaymentsStop(tx, service.team, deps.clock(), deps.clock()))
  const stopped = await act(id, 'approve', admin.cookie)
  expect([stopped.status, stopped.text]).toEqual([503, expect.stringContaining('Approve the request again after')])
  await service.store.write(tx => setPaymentsStop(tx, service.team, null, deps.clock()))
  expect((await act(id, 'approve', admin.cookie)).body).toMatchObject({ status: 'approved' })
})
