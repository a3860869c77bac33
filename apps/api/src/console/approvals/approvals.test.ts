import { randomUUID } from 'node:crypto'
import { DAY_MS } from '@causeway/contract/time'
import { describe, expect, it } from 'vitest'
import { consoleOf } from '../../testing/console.js'
import { consoleUsersOf, newEmail, secretOf } from '../../testing/console-users.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'
import { changeUser } from '../users/manage.js'
import { findUser } from '../users/store.js'
import { storePolicy } from './store.js'

const service = await testService()
const { deps } = service
const desk = consoleOf(service)
const { send } = desk
const { join, accept, post } = consoleUsersOf(service, desk)
const bank = lender(service)
const source = (await bank.source()).id
const card = (await bank.debts()).accounts[0]!.id
const asker = await join('finance', 'Ines Farrow')
const approver = await join('finance', 'Ben Okafor')
const admin = await join('admin', 'Ana Diaz')

const setPolicy = (above: number | null) =>
  service.store.write(tx => storePolicy(tx, service.team, above, deps.clock()))
await setPolicy(1_000)

interface Approval {
  id: string
  status: string
  amount: number | null
  resource_id: string | null
  error: string | null
  why_not: string | null
  created_at: string
  expires_at: string
  can: { approve: boolean; withdraw: boolean }
}
const reasonHeader = { 'approval-reason': encodeURIComponent('The card was closed – refund, call 512-555-0101') }

/** Returns a reversal that waits for approval. */
async function reversal(amount = 5_000) {
  const { id } = await bank.must('POST', '/payments', { amount, source, destination: card, description: 'x' })
  for (const status of ['processing', 'sent', 'posted']) await bank.must('POST', `/simulate/payments/${id}`, { status })
  const returned = { status: 'reversal_required', error_code: 10009 }
  const { reversal_id } = await bank.must('POST', `/simulate/payments/${id}`, returned)
  return { id, path: `/payments/${id}/reversals/${reversal_id}` }
}
const statusOf = async (id: string) => (await bank.must('GET', `/payments/${id}`))['status']

const put = (path: string, cookie = asker.cookie, headers: Record<string, string> = reasonHeader) =>
  send('PUT', `/api${path}`, { body: { status: 'pending' }, cookie, headers })

/** Asks for the approval of a reversal. */
async function ask(cookie = asker.cookie) {
  const payment = await reversal()
  const reply = await put(payment.path, cookie)
  expect(reply.status, reply.text).toBe(202)
  return { ...payment, approval: reply.body['approval'] as unknown as Approval }
}
const act = async (id: string, action: string, cookie = approver.cookie, body = {}) => {
  const reply = await post(`/console/approvals/${id}/${action}`, body, cookie)
  return { ...reply, approval: reply.body as unknown as Approval }
}
const get = async (id: string, cookie = approver.cookie) =>
  (await send('GET', `/api/console/approvals/${id}`, { cookie })).body as unknown as Approval
const auditOf = async (id: string) =>
  (
    await service.store.reader
      .selectFrom('audit')
      .select(['action', 'actor_name'])
      .where('team_id', '=', service.team)
      .where('resource_id', '=', id)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
  )
    .map(row => `${row.action} ${row.actor_name}`)
    .sort()

describe('a request above the amount', () => {
  // kills: approval-above-the-amount
  it('waits for a second person, and runs when that person approves it', async () => {
    const { id, approval } = await ask()
    expect(approval).toMatchObject({
      action: 'reversal.approve',
      status: 'waiting',
      amount: 5_000,
      resource_id: id,
      reason: 'The card was closed - refund, call ••••0101',
      asked_by: { id: asker.id, name: 'Ines Farrow' },
      can: { approve: false, withdraw: true },
    })
    expect(await statusOf(id)).toBe('reversal_required')
    const session = await send('GET', '/api/session', { cookie: approver.cookie })
    expect(session.body).toMatchObject({ approvals_waiting: 1 })
    const list = await send('GET', `/api/console/approvals?resource_id=${id}`, { cookie: approver.cookie })
    expect(list.body['data']).toMatchObject([{ id: approval.id, can: { approve: true, withdraw: false } }])
    const done = await act(approval.id, 'approve')
    expect(done.approval).toMatchObject({
      status: 'approved',
      decided_by: { id: approver.id, name: 'Ben Okafor' },
      error: null,
    })
    expect(await statusOf(id)).toBe('reversal_processing')
    expect(await auditOf(approval.id)).toEqual(['approval.approve Ben Okafor', 'approval.ask Ines Farrow'])
  })

  it('is one request, however often it is sent', async () => {
    const { path, approval } = await ask()
    expect((await put(path)).body).toMatchObject({ approval: { id: approval.id } })
    const other = await put(path, approver.cookie)
    expect([other.status, other.text]).toEqual([400, expect.stringContaining(approval.id)])
  })

  it('at the amount or below it runs at once, and so does every request without the setting', async () => {
    const { path } = await reversal(1_000)
    expect((await put(path)).status).toBe(200)
    await setPolicy(null)
    const large = await reversal()
    expect((await put(large.path)).status).toBe(200)
    await setPolicy(1_000)
  })

  it('of a payment pays once, with the key of the person who asked, and repeats its answer', async () => {
    const key = randomUUID()
    const body = { amount: 2_000, source, destination: card, description: 'x' }
    const pay = (more = {}) =>
      send('POST', '/api/payments', {
        body: { ...body, ...more },
        cookie: asker.cookie,
        headers: { ...reasonHeader, 'idempotency-key': key },
      })
    const first = (await pay()).body['approval'] as unknown as Approval
    expect((await pay()).body).toMatchObject({ approval: { id: first.id, status: 'waiting' } })
    expect((await pay({ amount: 2_001 })).headers.get('idempotency-mismatch')).toBe('true')
    const both = await Promise.all([act(first.id, 'approve'), act(first.id, 'approve', admin.cookie)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    const { resource_id } = await get(first.id)
    expect(resource_id).toMatch(/^pmt_/)
    expect((await pay()).body).toMatchObject({ approval: { id: first.id, status: 'approved' } })
    const { data } = await bank.must('GET', '/payments?page_limit=50')
    expect((data as unknown as { amount: number }[]).filter(({ amount }) => amount === 2_000)).toHaveLength(1)
  })

  it('of a payment is checked before anyone is asked', async () => {
    const pay = (more: object) =>
      post('/payments', { amount: 2_000, source, destination: card, description: 'x', ...more }, asker.cookie)
    expect((await pay({ dry_run: true })).status).toBe(200)
    expect((await pay({ destination: source })).body['error']).toMatchObject({ sub_type: 'INVALID_TRANSFER' })
    expect((await pay({ amount: '2000' })).body['error']).toMatchObject({ sub_type: 'INVALID_AMOUNT_TYPE' })
  })

  it('that would be rejected ends as failed, with the error', async () => {
    const { id, path, approval } = await ask()
    await bank.must('PUT', path, { status: 'pending' })
    const done = await act(approval.id, 'approve')
    expect(done.approval).toMatchObject({ status: 'failed', error: expect.stringContaining('pending_approval') })
    expect(await statusOf(id)).toBe('reversal_processing')
    expect(await auditOf(approval.id)).toEqual(['approval.ask Ines Farrow', 'approval.fail Ben Okafor'])
  })

  // kills: approval-keeps-amount
  it('is not run with another amount than the one that was asked for', async () => {
    const { id, approval } = await ask()
    await service.store.write(tx =>
      tx
        .updateTable('reversals')
        .set({ amount: 4_000 })
        .where('team_id', '=', service.team)
        .where('payment_id', '=', id)
        .execute(),
    )
    expect((await act(approval.id, 'approve')).approval).toMatchObject({ status: 'failed' })
    expect(await statusOf(id)).toBe('reversal_required')
  })
})

describe('the second person', () => {
  // kills: approver-is-another-person
  it('is not the person who asked', async () => {
    const { id, approval } = await ask()
    const own = await act(approval.id, 'approve', asker.cookie)
    expect([own.status, own.text]).toEqual([403, expect.stringContaining('another person')])
    expect((await act(approval.id, 'decline', asker.cookie, { reason: 'Not needed' })).status).toBe(403)
    const { cookie } = await desk.operator({ role: 'finance', name: 'farrow, inés' })
    expect((await act(approval.id, 'approve', cookie)).status).toBe(403)
    expect(await get(approval.id, cookie)).toMatchObject({ why_not: 'asked_it', can: { approve: false } })
    expect(await statusOf(id)).toBe('reversal_required')
  })

  // kills: approver-has-permission
  it('has the permission for the request', async () => {
    const { id, approval } = await ask()
    const engineer = await join('engineer', 'Cleo Park')
    expect((await act(approval.id, 'approve', engineer.cookie)).status).toBe(403)
    expect(await get(approval.id, engineer.cookie)).toMatchObject({ why_not: 'no_permission' })
    expect(await statusOf(id)).toBe('reversal_required')
  })

  // kills: approver-has-a-name
  it('signed in with an account, not with a key or a one-time link', async () => {
    const { approval } = await ask()
    for (const { cookie } of [await desk.signedIn(), await desk.operator()]) {
      expect((await act(approval.id, 'approve', cookie)).status).toBe(403)
      expect(await get(approval.id, cookie)).toMatchObject({ why_not: 'no_name' })
    }
  })

  // kills: approver-not-invited-by-asker
  it('was not invited by the person who asked in the last 7 days', async () => {
    const invited = await post('/console/users', { email: newEmail(), role: 'finance' }, admin.cookie)
    const { link } = invited.body['invitation'] as { link: string }
    const { cookie } = await accept(secretOf(link), 'Dora Lane')
    const { approval } = await ask(admin.cookie)
    expect((await act(approval.id, 'approve', cookie)).status).toBe(403)
    expect(await get(approval.id, cookie)).toMatchObject({ why_not: 'invited_by_asker' })
    const other = await ask()
    expect((await act(other.approval.id, 'approve', cookie)).status).toBe(200)
  })

  it('can decline it, with a reason', async () => {
    const { id, approval } = await ask()
    expect((await act(approval.id, 'decline', approver.cookie, { reason: ' ' })).status).toBe(400)
    const done = await act(approval.id, 'decline', approver.cookie, { reason: 'The bank pays it again' })
    expect(done.approval).toMatchObject({ status: 'declined', decline_reason: 'The bank pays it again' })
    const late = await act(approval.id, 'approve', admin.cookie)
    expect([late.status, late.text]).toEqual([400, expect.stringContaining('was declined')])
    expect(await statusOf(id)).toBe('reversal_required')
  })
})

describe('a waiting request', () => {
  // kills: only-asker-withdraws
  it('can be withdrawn by the person who asked', async () => {
    const { id, approval } = await ask()
    expect((await act(approval.id, 'withdraw')).status).toBe(403)
    expect((await act(approval.id, 'withdraw', asker.cookie)).approval).toMatchObject({ status: 'withdrawn' })
    expect((await act(approval.id, 'approve')).status).toBe(400)
    expect(await statusOf(id)).toBe('reversal_required')
  })

  // kills: approval-runs-once
  it('has one end, even if several people decide at once', async () => {
    const { id, approval } = await ask()
    const replies = await Promise.all([
      act(approval.id, 'approve'),
      act(approval.id, 'approve', admin.cookie),
      act(approval.id, 'withdraw', asker.cookie),
      act(approval.id, 'decline', admin.cookie, { reason: 'Not needed' }),
    ])
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const { status } = await get(approval.id)
    expect(await statusOf(id)).toBe(status === 'approved' ? 'reversal_processing' : 'reversal_required')
    expect(await auditOf(approval.id)).toHaveLength(2)
  })

  const expire = (id: string) =>
    service.store.write(tx =>
      tx
        .updateTable('console_approvals')
        .set({ expires_at: deps.clock() })
        .where('team_id', '=', service.team)
        .where('id', '=', id)
        .execute(),
    )

  it('expires after 7 days', async () => {
    const { id, approval } = await ask()
    expect(Date.parse(approval.expires_at) - Date.parse(approval.created_at)).toBe(7 * DAY_MS)
    await expire(approval.id)
    expect(await get(approval.id)).toMatchObject({ status: 'expired', can: { approve: false } })
    const reply = await act(approval.id, 'approve')
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('expired')])
    const list = await send('GET', `/api/console/approvals?resource_id=${id}`, { cookie: approver.cookie })
    expect(list.body['data']).toEqual([])
    expect(await statusOf(id)).toBe('reversal_required')
  })

  // kills: asker-keeps-permission
  it.each([{ role: 'viewer' }, { status: 'disabled' }] as const)(
    'fails if the person who asked became %o',
    async change => {
      const { id: user, cookie } = await join('finance', 'Eli Ross')
      const { id, approval } = await ask(cookie)
      await service.store.write(async tx =>
        changeUser(tx, (await findUser(tx, service.team, user))!, change, deps.clock()),
      )
      expect((await act(approval.id, 'approve')).approval).toMatchObject({
        status: 'failed',
        error: expect.stringContaining('may no longer do this'),
      })
      expect(await statusOf(id)).toBe('reversal_required')
    },
  )

  /** Approves a request while something changes between the checks before the transaction and the transaction. */
  async function approveDuring(id: string, change: () => Promise<unknown>, cookie = approver.cookie) {
    const at = desk.open({
      api: async (request, caller) => {
        if (request.method === 'PUT') await change()
        return service.app.api.fetch(request, { user: caller })
      },
    })
    return send('POST', `/api/console/approvals/${id}/approve`, { cookie }, at)
  }

  // kills: approval-locks-both-people
  it('does not run if a person loses the role while it is approved', async () => {
    const { id: user, cookie } = await join('finance', 'Fay Moss')
    const { id, approval } = await ask()
    const demote = () =>
      service.store.write(async tx =>
        changeUser(tx, (await findUser(tx, service.team, user))!, { role: 'viewer' }, deps.clock()),
      )
    expect((await approveDuring(approval.id, demote, cookie)).status).toBe(403)
    expect(await get(approval.id)).toMatchObject({ status: 'waiting' })
    expect(await statusOf(id)).toBe('reversal_required')
  })

  // kills: approval-expires
  it('does not run if it expires while it is approved', async () => {
    const { id, approval } = await ask()
    const reply = await approveDuring(approval.id, () => expire(approval.id))
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('expired')])
    expect(await statusOf(id)).toBe('reversal_required')
  })

  it('keeps waiting if the amount of the setting changes', async () => {
    const { approval } = await ask()
    await setPolicy(1_000_000)
    expect(await get(approval.id)).toMatchObject({ status: 'waiting' })
    expect((await act(approval.id, 'approve')).approval).toMatchObject({ status: 'approved' })
    await setPolicy(1_000)
  })

  it('is not visible to another team', async () => {
    const { approval } = await ask()
    const other = await service.anotherTeam()
    const { headers } = await send('POST', '/api/session', { body: { key: other.key } })
    const cookie = headers.get('set-cookie')!.split(';')[0]!
    for (const action of ['approve', 'withdraw']) expect((await act(approval.id, action, cookie)).status).toBe(404)
  })
})
