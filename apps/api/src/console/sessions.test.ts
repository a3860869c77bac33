import { operator as operatorEndpoints } from '@causeway/contract/endpoints/console'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../main/config.js'
import { operate } from '../main/operator/operator.js'
import { consoleOf } from '../testing/console.js'
import { someone } from '../testing/frame.js'
import { testService } from '../testing/service.js'
import { implementDownload } from './console-endpoints.js'
import { readUser } from './user.js'

const service = await testService()

const { send, signedIn, operator } = consoleOf(service)
const reason = 'The rail reports wrong amounts'

/** Runs an operator command on the service's store. */
async function run(...args: string[]) {
  const key = Buffer.alloc(32, 7).toString('base64')
  const env = { DATABASE_URL: service.url, ENCRYPTION_KEY: key, CONSOLE_PORT: '4400' }
  return (await operate(readConfig(env, '/tmp'), args, service.deps.clock())) as Record<string, never>
}
/** Signs in with a link that an operator command created. */
async function enter(...options: string[]) {
  const link = await run('console', 'link', service.team, ...options)
  const secret = new URL(String(link['link'])).hash.replace('#link=', '')
  const reply = await send('POST', '/api/session', { body: { link: secret } })
  const user = reply.body['user'] as Record<string, unknown>
  return { link, user, cookie: reply.headers.get('set-cookie')!.split(';')[0]! }
}
const isSignedIn = async (cookie: string) => (await send('GET', '/api/session', { cookie })).status === 200
const list = async (cookie: string) =>
  (await send('GET', '/api/console/sessions', { cookie })).body['data'] as Record<string, unknown>[]
const end = (cookie: string, id: unknown) => send('POST', `/api/console/sessions/${id}/end`, { cookie })
const everywhere = (cookie: string) => send('POST', '/api/console/sessions/end', { cookie })
const again = async (value: string) =>
  (await send('POST', '/api/session', { body: { key: value } })).headers.get('set-cookie')!.split(';')[0]!
const auditOf = (session: unknown) =>
  service.store.reader
    .selectFrom('audit')
    .select(['actor', 'actor_name', 'action', 'resource_id', 'session_id'])
    .where('team_id', '=', service.team)
    .where(row => row.or([row('session_id', '=', String(session)), row('resource_id', '=', String(session))]))
    .orderBy('created_at')
    .orderBy('id')
    .execute()

describe('a console session', () => {
  // kills: console-ends-own-sessions
  it("is listed and ended by its user, who can't see or end another user's", async () => {
    const mine = await signedIn(['read'])
    const other = await signedIn(['read'])
    const second = await again(mine.value)
    const shown = await list(mine.cookie)
    expect(shown.map(({ key_id, current }) => [key_id, current]).sort()).toEqual([
      [mine.key, false],
      [mine.key, true],
    ])
    expect((await end(mine.cookie, other.user['id'])).status).toBe(404)
    expect(await isSignedIn(other.cookie)).toBe(true)
    expect((await end(mine.cookie, shown.find(({ current }) => !current)!['id'])).status).toBe(200)
    expect([await isSignedIn(second), await isSignedIn(mine.cookie)]).toEqual([false, true])
    const third = await again(mine.value)
    expect((await everywhere(mine.cookie)).body['ended']).toHaveLength(2)
    for (const cookie of [third, mine.cookie]) expect(await isSignedIn(cookie)).toBe(false)
    expect(await isSignedIn(other.cookie)).toBe(true)
  })

  it("of anyone in the team, an operator's included, is ended by an admin, but not by another team's", async () => {
    const admin = await signedIn()
    const [entered, viewer] = [await operator(), await signedIn(['read'])]
    const elsewhere = await service.anotherTeam()
    const stranger = await again(elsewhere.key)
    expect((await end(stranger, viewer.user['id'])).status).toBe(404)
    expect((await list(stranger)).map(({ id }) => id)).not.toContain(viewer.user['id'])
    for (const each of [entered, viewer]) {
      expect((await list(admin.cookie)).map(({ id }) => id)).toContain(each.user['id'])
      expect((await end(admin.cookie, each.user['id'])).body).toEqual({ ended: [each.user['id']] })
      expect(await isSignedIn(each.cookie)).toBe(false)
      expect(await auditOf(each.user['id'])).toContainEqual({
        actor: admin.key,
        actor_name: null,
        action: 'console.end',
        resource_id: each.user['id'],
        session_id: admin.user['id'],
      })
    }
  })

  it('is listed and ended by operator commands: one, those of a team, or all, with unused links', async () => {
    const [one, key] = [await enter(), await signedIn()]
    const child = await service.anotherTeam()
    const theirs = await again(child.key)
    const unused = await run('console', 'link', service.team)
    const listed = await run('console', 'sessions')
    expect(listed['sessions']).toContainEqual(
      expect.objectContaining({ id: one.user['id'], team_id: service.team, key_id: null, operator: true }),
    )
    expect(listed['sessions']).toContainEqual(expect.objectContaining({ key_id: key.key, operator: false }))
    expect(listed['unused_links']).toContainEqual(expect.objectContaining({ id: unused['session_id'] }))
    expect(await run('console', 'end', one.user['id'] as string)).toEqual({ ended: [one.user['id']] })
    expect([await isSignedIn(one.cookie), await isSignedIn(key.cookie)]).toEqual([false, true])
    await run('console', 'end', service.team)
    expect([await isSignedIn(key.cookie), await isSignedIn(theirs)]).toEqual([false, true])
    const secret = new URL(String(unused['link'])).hash.replace('#link=', '')
    expect((await send('POST', '/api/session', { body: { link: secret } })).status).toBe(401)
    await run('console', 'end', 'all')
    expect(await isSignedIn(theirs)).toBe(false)
    expect(await run('console', 'sessions')).toEqual({ sessions: [], unused_links: [] })
    await expect(run('console', 'end', 'csess_unknown')).rejects.toThrow('pnpm admin console sessions')
    await expect(run('console', 'end', 'team_unknown')).rejects.toThrow('No team has the id team_unknown')
  })

  // kills: revoked-key-ends-console-sessions
  it("ends when its key is revoked, and every session of a team ends with the team's last key", async () => {
    const { key: value, team } = await service.anotherTeam()
    const [first, extra] = await Promise.all([again(value), operatorOf(team)])
    const keys = (await list(first)).map(({ key_id }) => key_id)
    await run('key', 'revoke', keys.find(id => id !== null) as string)
    expect([await isSignedIn(first), await isSignedIn(extra)]).toEqual([false, false])
    const remaining = service.store.reader.selectFrom('console_sessions').select('id').where('team_id', '=', team)
    expect(await remaining.execute()).toEqual([])
  })
})

async function operatorOf(team: string) {
  const link = await run('console', 'link', team)
  const secret = new URL(String(link['link'])).hash.replace('#link=', '')
  return (await send('POST', '/api/session', { body: { link: secret } })).headers.get('set-cookie')!.split(';')[0]!
}

describe('a stop that an operator command started', () => {
  // kills: console-lifts-no-command-stop
  it('cannot be lifted in the console, before or after the console stops payments too', async () => {
    const { cookie } = await operator()
    const post = (path: string, body: object) => send('POST', `/api/operator/payments/${path}`, { cookie, body })
    for (const [team, stop, start] of [
      [service.team, 'Northwind Lending', 'Northwind Lending'],
      ['all', 'STOP ALL', 'START ALL'],
    ] as const) {
      const isStopped = async () =>
        ((await send('GET', '/api/session', { cookie })).body['payments_stopped'] as { since: string } | null)?.since
      await post('stop', { team, confirm: stop, reason })
      await run('payments', 'stop', team)
      for (const repeat of [false, true]) {
        if (repeat) expect((await post('stop', { team, confirm: stop, reason })).status).toBe(200)
        const lifted = await post('start', { team, confirm: start, reason })
        expect([team, repeat, lifted.status, lifted.text]).toEqual([
          team,
          repeat,
          403,
          expect.stringContaining(`pnpm admin payments start ${team}`),
        ])
        expect(await isStopped()).toMatch(/^2026-\S+Z$/)
      }
      await run('payments', 'start', team)
      expect(await isStopped()).toBeUndefined()
      // A later stop in the console can be lifted there again.
      await post('stop', { team, confirm: stop, reason })
      expect((await post('start', { team, confirm: start, reason })).status).toBe(200)
    }
  })
})

describe('a link with a role and a name', () => {
  it('gives the role without a key, so that nothing works at the API, and the audit log names the user', async () => {
    const ann = await enter('--role', 'support', '--name', ' Ann Lee ')
    expect(ann.link).toMatchObject({ role: 'support', name: 'Ann Lee', session_id: ann.user['id'] })
    expect(ann.user).toMatchObject({ name: 'Ann Lee', role: 'support', operator: false })
    const person = await someone(service, '+15125550101')
    const shown = await send('GET', `/api/entities/${person}`, { cookie: ann.cookie })
    expect([shown.status, shown.text.includes('5125550101')]).toEqual([200, false])
    const body = { fields: ['phone'], reason: 'The caller asks for it' }
    const revealed = await send('POST', `/api/entities/${person}/reveal`, { cookie: ann.cookie, body })
    expect(revealed.body['values']).toEqual({ phone: '+15125550101' })
    for (const [path, refused] of [
      ['/api/operator/payments/stop', { team: service.team, confirm: 'Northwind Lending', reason }],
      ['/api/team/keys', {}],
      ['/api/webhooks', { url: 'https://hooks.example', type: ['all'] }],
    ] as const)
      expect([path, (await send('POST', path, { cookie: ann.cookie, body: refused })).status]).toEqual([path, 403])
    const written = (await auditOf(ann.user['id'])).map(row => `${row.action} ${row.actor} ${row.actor_name}`)
    expect(written.sort()).toEqual([
      'console.link operator null',
      `console.sign_in ${ann.user['id']} Ann Lee`,
      `entity.reveal ${ann.user['id']} Ann Lee`,
    ])
  })

  it.each(['viewer', 'support', 'engineer', 'admin'])('for %s creates no key', async role => {
    const { cookie, user } = await enter('--role', role, '--name', 'Ann')
    expect(user).toMatchObject({ role, operator: false })
    const made = await send('POST', '/api/team/keys', { cookie, body: { scopes: ['read'] } })
    expect(made.status).toBe(403)
  })

  it('requires both options, a known role and a printable name', async () => {
    for (const options of [
      ['--role', 'viewer'],
      ['--name', 'Ann'],
      ['--role', 'operator', '--name', 'Ann'],
      ['--role', 'viewer', '--name', ' '],
      ['--role', 'viewer', '--name', 'Ann\u202e'],
      ['--role', 'viewer', '--name', 'x'.repeat(101)],
      ['--role', 'viewer', '--role', 'admin', '--name', 'Ann'],
    ])
      await expect(run('console', 'link', service.team, ...options)).rejects.toThrow(/--(role|name)/)
  })
})

it("an action in the console records its session next to the user's key", async () => {
  const { cookie, key, user } = await signedIn()
  const made = await send('POST', '/api/team/keys', { cookie, body: { scopes: ['read'] } })
  expect(made.status).toBe(200)
  const rows = await auditOf(user['id'])
  expect(rows).toContainEqual(expect.objectContaining({ actor: key, action: 'key.create', session_id: user['id'] }))
})

// kills: ended-session-ends-download
it('an ended session receives no more of a download', async () => {
  const { cookie } = await operator()
  const context = { deps: service.deps, allowsKeys: true, oidc: null }
  const user = await readUser(context, cookie.split('=')[1])
  async function* rows() {
    for (let row = 0; row < 10; row++) yield 'row\n'
  }
  const { run: download } = implementDownload(operatorEndpoints.listAudit, 'rows.csv', () => {}, rows)
  const response = (await download({ options: context, user } as never)) as Response
  const reader = response.body!.getReader()
  const next = async () => (await reader.read()).value?.length
  expect(await next()).toBe(4)
  service.advance(1_000)
  expect(await next()).toBe(4)
  await everywhere(cookie)
  service.advance(1_000)
  await expect(next()).rejects.toThrow('The console session has ended.')
})
