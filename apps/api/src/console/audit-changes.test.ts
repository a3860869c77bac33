import { describe, expect, it } from 'vitest'
import { consoleOf } from '../testing/console.js'
import { consoleUsersOf } from '../testing/console-users.js'
import { lender } from '../testing/money.js'
import { testService } from '../testing/service.js'

const service = await testService()
const desk = consoleOf(service)
const { send } = desk
const { join, run } = consoleUsersOf(service, desk)
const { must, source, debts } = lender(service)
const { cookie, id: admin } = await join('admin', 'Ines Farrow')

type Json = Record<string, unknown>

/** Returns the latest entry of an action. */
async function latest(action: string): Promise<Json> {
  const { body, text, status } = await send('GET', '/api/console/audit', { cookie })
  expect(status, text).toBe(200)
  return (body as unknown as { data: Json[] }).data.find(each => each['action'] === action)!
}
const change = (name: string, before: string | null, after: string | null) => ({ name, before, after })
const patch = async (body: Json, headers: Record<string, string> = {}) => {
  const reply = await send('PATCH', '/api/team', { cookie, body, headers })
  expect(reply.status, reply.text).toBe(200)
}

describe('the audit log shows what changed', () => {
  it('in the settings of the team, by path', async () => {
    await patch({
      brand: { name: 'Acme Inc.' },
      limits: { payment_amount_max: 500_000 },
      allowed_origins: ['https://a.example'],
    })
    service.advance(1_000)
    await patch({ limits: { payment_amount_max: null }, allowed_origins: [] })
    expect((await latest('team.update'))['changes']).toEqual([
      change('allowed_origins', 'https://a.example', null),
      change('limits.payment_amount_max', '500000', null),
    ])
  })

  it('but no personal data and no secret', async () => {
    service.advance(1_000)
    await patch({ ein: '123456789', contacts: [{ name: 'Ana Diaz', email: 'ana@example.com', type: 'legal' }] })
    expect((await latest('team.update'))['changes']).toEqual([
      change('ein', null, null),
      change('contacts', null, null),
    ])
    const webhook = await must('POST', '/webhooks', { type: 'payment.update', url: 'https://hooks.example.com/x' })
    await must('POST', `/webhooks/${webhook.id}/rotate`, { hmac_secret: 's'.repeat(40) })
    expect((await latest('webhook.create'))['changes']).toEqual([change('type', null, 'payment.update')])
    expect((await latest('webhook.rotate'))['changes']).toEqual([change('hmac_secret', null, null)])
    await must('PATCH', `/webhooks/${webhook.id}`, { status: 'disabled' })
    expect((await latest('webhook.update'))['changes']).toEqual([change('status', 'active', 'disabled')])
    const { text } = await send('GET', '/api/console/audit', { cookie })
    expect(text).not.toMatch(/123456789|ana@example|Ana Diaz|ssss/)
  })

  it('in the role and status of a user, whom it names', async () => {
    const { id } = await join('support', 'Gil Stone')
    service.advance(1_000)
    await send('POST', `/api/console/users/${id}`, { cookie, body: { role: 'finance' } })
    expect(await latest('console.user_change')).toMatchObject({
      ...{ actor: admin, actor_name: 'Ines Farrow', resource_id: id, resource_name: 'Gil Stone' },
      changes: [change('role', 'support', 'finance')],
    })
    service.advance(1_000)
    await run('console', 'disable', id)
    expect(await latest('console.user_change')).toMatchObject({
      ...{ actor: 'operator', resource_name: 'Gil Stone', changes: [change('status', 'active', 'disabled')] },
    })
    expect((await latest('console.user_invite'))['changes']).toEqual([
      change('role', null, 'support'),
      change('status', null, 'invited'),
      change('operator', null, 'false'),
    ])
  })

  it('in the amount that needs a second person, in keys, versions and grants', async () => {
    await join('finance', 'Finn Abel')
    await send('POST', '/api/console/approval_settings', { cookie, body: { approve_above: 100_000 } })
    service.advance(1_000)
    await send('POST', '/api/console/approval_settings', { cookie, body: { approve_above: 50_000 } })
    expect((await latest('approval.settings'))['changes']).toEqual([change('approve_above', '100000', '50000')])
    await must('POST', '/team/keys', { scopes: ['read', 'write'] })
    expect((await latest('key.create'))['changes']).toEqual([change('scopes', null, 'read, write')])
    await patch({ limits: { payments_per_month: 900 } })
    service.advance(1_000)
    await run('team', 'grant', service.team, 'payments_per_month', '10')
    expect((await latest('team.grant'))['changes']).toEqual([change('payments_per_month', null, '10')])
    expect(await latest('team.update')).toMatchObject({
      ...{ actor: 'operator', changes: [change('limits.payments_per_month', '900', '10')] },
    })
    await run('version', 'set', service.team, '2025-12-01')
    expect((await latest('version.set'))['changes']).toMatchObject([{ name: 'version', after: '2025-12-01' }])
  })

  it('in the file', async () => {
    const { text } = await send('GET', '/api/console/audit/csv', { cookie })
    expect(text).toContain('role: support → finance')
  })
})

describe('the audit log shows the reason', () => {
  it('that a user gives for a payment, sealed in the store', async () => {
    const finance = await join('finance', 'Fay Ortiz')
    const from = await source()
    const { accounts } = await debts('+15125550110')
    const destination = accounts.find(each => each['liability'])!.id
    const body = { source: from.id, destination, amount: 5_000, description: 'Payoff' }
    const pay = (reason: string) =>
      send('POST', '/api/payments', { cookie: finance.cookie, body, headers: { 'approval-reason': reason } })
    expect((await pay('x')).status).toBe(400)
    const paid = await pay(encodeURIComponent('The card was reopened'))
    expect(paid.status, paid.text).toBe(200)
    expect(await latest('payment.create')).toMatchObject({
      ...{ actor_name: 'Fay Ortiz', reason: 'The card was reopened', resource_id: paid.body['id'] },
    })
    const { reason } = await service.store.reader
      .selectFrom('audit')
      .select('reason')
      .where('team_id', '=', service.team)
      .where('action', '=', 'payment.create')
      .executeTakeFirstOrThrow()
    expect(reason).not.toContain('reopened')
  })

  it('and who searched for a phone number', async () => {
    const support = await join('support', 'Sam Reed')
    await send('POST', '/api/search', { cookie: support.cookie, body: { q: '+15125550110' } })
    expect(await latest('search.phone')).toMatchObject({ actor: support.id, actor_name: 'Sam Reed' })
    const row = await service.store.reader
      .selectFrom('audit')
      .select(['session_id', 'request_id'])
      .where('team_id', '=', service.team)
      .where('action', '=', 'search.phone')
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ session_id: expect.stringMatching(/^csess_/), request_id: expect.stringMatching(/^req_/) })
  })
})
