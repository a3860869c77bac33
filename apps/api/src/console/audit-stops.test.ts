import { describe, expect, it } from 'vitest'
import { consoleOf } from '../testing/console.js'
import { consoleUsersOf, newEmail, secretOf } from '../testing/console-users.js'
import { testService } from '../testing/service.js'

const service = await testService()
const desk = consoleOf(service)
const { send, operator } = desk
const { join, run, accept } = consoleUsersOf(service, desk)
const { cookie } = await join('admin', 'Ines Farrow')

type Json = Record<string, unknown>

async function adminOf(team: string): Promise<string> {
  const { link } = await run('console', 'invite', newEmail(), '--team', team, '--role', 'admin')
  return (await accept(secretOf(link))).cookie
}

/** Returns the stops in the audit log of a user's team, latest first. */
async function stops(as = cookie, query = '') {
  const { body, status, text } = await send('GET', `/api/console/audit${query}`, { cookie: as })
  expect(status, text).toBe(200)
  const { data } = body as unknown as { data: Json[]; next_cursor: string | null }
  return data.filter(({ action }) => String(action).startsWith('payments.'))
}
const actionsOf = (entries: readonly Json[]) => entries.map(({ action }) => action)

/** Runs a command at a time of its own. */
async function command(...args: string[]) {
  service.advance(1_000)
  await run(...args)
}
const hidden = { actor: 'operator', actor_name: null, session_id: null, resource_id: null, reason: null }

describe('the audit log of a team', () => {
  it('shows a stop of all teams and its lifting, without the operator and the reason', async () => {
    await command('payments', 'stop', 'all')
    await command('payments', 'start', 'all')
    const { cookie: other } = await operator()
    service.advance(1_000)
    const body = { team: 'all', confirm: 'STOP ALL', reason: 'Northwind reports fraud' }
    expect((await send('POST', '/api/operator/payments/stop', { cookie: other, body })).status).toBe(200)
    await command('payments', 'start', 'all')
    // Nothing is stopped anymore, so these lift nothing.
    await command('payments', 'start', 'all')
    await command('payments', 'start', service.team)
    const entries = await stops()
    expect(actionsOf(entries)).toEqual(['payments.start', 'payments.stop', 'payments.start', 'payments.stop'])
    for (const entry of entries) expect(entry).toMatchObject(hidden)
    const csv = await send('GET', '/api/console/audit/csv', { cookie })
    expect(csv.text).toContain('payments.stop')
    expect(csv.text).not.toContain('Northwind')
  })

  it('shows its own stops with the reason, and those of a team above it without, but of no other team', async () => {
    service.advance(1_000)
    const child = (await service.call('POST', '/teams', { name: 'Child' })).body['id'] as string
    const childAdmin = await adminOf(child)
    const { team: unrelated } = await service.anotherTeam()
    const unrelatedAdmin = await adminOf(unrelated)
    const { cookie: other } = await operator()
    service.advance(1_000)
    const { name } = (await service.deps.teamOf(service.team))!
    const body = { team: service.team, confirm: name, reason: 'A key leaked' }
    expect((await send('POST', '/api/operator/payments/stop', { cookie: other, body })).status).toBe(200)
    await command('payments', 'start', service.team)
    await command('payments', 'stop', child)
    const [lifted, stopped] = await stops()
    expect([lifted, stopped]).toMatchObject([
      { action: 'payments.start', actor: 'operator', resource_id: service.team },
      { action: 'payments.stop', reason: 'A key leaked', resource_id: service.team },
    ])
    const ofChild = await stops(childAdmin)
    // The stops of the previous test were lifted before the child was created.
    expect(ofChild).toMatchObject([
      { action: 'payments.stop', resource_id: child },
      { action: 'payments.start', ...hidden },
      { action: 'payments.stop', ...hidden },
    ])
    expect(ofChild).toHaveLength(3)
    expect(await stops(unrelatedAdmin)).toEqual([])
  })

  it('finds them by days and actor, in pages, but not by resource', async () => {
    expect(actionsOf(await stops(cookie, '?actor=operator'))).toHaveLength(5)
    expect(await stops(cookie, '?actor=cusr_x')).toEqual([])
    expect(await stops(cookie, `?resource_id=${service.team}`)).toHaveLength(2)
    expect(await stops(cookie, '?from_date=2050-01-01')).toEqual([])
    for (let count = 0; count < 30; count += 1) {
      await command('payments', 'stop', 'all')
      await command('payments', 'start', 'all')
    }
    const { body } = await send('GET', '/api/console/audit', { cookie })
    const first = body as unknown as { data: Json[]; next_cursor: string }
    expect(first.data).toHaveLength(50)
    const rest = await stops(cookie, `?page_cursor=${first.next_cursor}`)
    const ids = [...first.data, ...rest].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(actionsOf(rest).filter(action => action === 'payments.stop')).toHaveLength(8)
  })
})
