import { MINUTE_MS } from '@causeway/contract/time'
import { describe, expect, it } from 'vitest'
import { readConsoleOidc } from '../../main/console-oidc.js'
import { consoleOf, cookieIn, origin } from '../../testing/console.js'
import { consoleUsersOf, newAuthenticator, newEmail, secretOf } from '../../testing/console-users.js'
import { clientSecret, type ProviderAccount, startProvider } from '../../testing/oidc-provider.js'
import { testService } from '../../testing/service.js'
import { createOidc } from './oidc.js'

const service = await testService()
const desk = consoleOf(service)
const accounts = new Map<string, ProviderAccount>()
const provider = await startProvider(accounts)
const { invite } = consoleUsersOf(service, desk)

/** Opens a console that uses the provider. */
function openConsole(more: Record<string, string> = {}) {
  const env = {
    CONSOLE_OIDC_ISSUER: provider.issuer,
    CONSOLE_OIDC_CLIENT_ID: 'console',
    CONSOLE_OIDC_CLIENT_SECRET: clientSecret,
    CONSOLE_OIDC_NAME: 'Harbor Login',
    ...more,
  }
  const settings = readConsoleOidc(env, 'sandbox')!
  const app = desk.open({ oidc: createOidc(settings, origin, service.deps.clock) })
  const send = (method: string, path: string, cookie?: string, body?: object) =>
    desk.send(method, `/api${path}`, { cookie, body }, app)
  const begin = (body: object = {}, cookie?: string) => send('POST', '/sign-in/oidc', cookie, body)
  const finish = (search: string, cookie: string) => send('POST', '/sign-in/oidc/finish', cookie, { search })
  return {
    send,
    begin,
    finish,
    async signIn(subject: string, { amr, ...body }: { amr?: string[]; invitation?: string } = {}) {
      const begun = await begin(body)
      if (begun.status !== 200) return { reply: begun, cookie: '' }
      const search = await provider.follow(String(begun.body['url']), subject, amr)
      const reply = await finish(search, cookieIn(begun.headers))
      const [session = ''] = reply.headers.getSetCookie()
      return { reply, cookie: session.split(';')[0]! }
    },
  }
}
type Console = ReturnType<typeof openConsole>
const userOf = async ({ send }: Console, cookie: string) =>
  (await send('GET', '/session', cookie)).body['user'] as Record<string, unknown> | undefined

const byGroup = openConsole({
  CONSOLE_OIDC_ROLES: `risk=viewer@${service.team},desk=support@${service.team},ops=operator@${service.team}`,
})
const byInvitation = openConsole()
const newAccount = (account: ProviderAccount): string => {
  const subject = `sub-${accounts.size}`
  accounts.set(subject, account)
  return subject
}
const member = (...groups: string[]) =>
  newAccount({ email: newEmail(), email_verified: true, name: 'Ines Farrow', groups })

describe('signing in with an OpenID provider', () => {
  it('gives the role of the first listed group, and names the user in the audit log', async () => {
    const { reply, cookie } = await byGroup.signIn(member('desk', 'other'))
    expect(reply.status, reply.text).toBe(200)
    expect(await userOf(byGroup, cookie)).toMatchObject({ role: 'support', name: 'Ines Farrow', operator: false })
    const id = String((await userOf(byGroup, cookie))!['account_id'])
    const rows = await service.store.reader
      .selectFrom('audit')
      .select(['actor', 'actor_name', 'action'])
      .where('team_id', '=', service.team)
      .where('actor', '=', id)
      .where('action', '=', 'console.sign_in')
      .execute()
    expect(rows).toEqual([{ actor: id, actor_name: 'Ines Farrow', action: 'console.sign_in' }])
    expect((await byGroup.send('GET', '/sign-in')).body['oidc']).toEqual({ name: 'Harbor Login' })
  })

  it('refuses a person without a listed group, and says who can help', async () => {
    const { reply } = await byGroup.signIn(member('other'))
    expect([reply.status, reply.text]).toEqual([403, expect.stringContaining('Ask the administrator of Harbor Login')])
    expect(reply.headers.get('set-cookie')).toBeNull()
  })

  it('finds the same user again, and gives the new role', async () => {
    const subject = member('risk')
    const first = await userOf(byGroup, (await byGroup.signIn(subject)).cookie)
    accounts.set(subject, { ...accounts.get(subject)!, groups: ['desk'] })
    const second = await userOf(byGroup, (await byGroup.signIn(subject)).cookie)
    expect([first!['role'], second!['role']]).toEqual(['viewer', 'support'])
    expect(second!['account_id']).toBe(first!['account_id'])
  })

  // kills: confirmed-session-keeps-provider
  it('asks an operator for a passkey, unless the provider proves a second factor', async () => {
    const subject = member('ops')
    const weak = await byGroup.signIn(subject)
    expect(await userOf(byGroup, weak.cookie)).toMatchObject({ operator: true, needs_second_factor: true })
    expect((await byGroup.send('GET', '/operator/health', weak.cookie)).status).toBe(403)
    const options = await byGroup.send('POST', '/console/account/passkeys/options', weak.cookie, {})
    const authenticator = newAuthenticator()
    const credential = authenticator.create(options.body as never)
    expect((await byGroup.send('POST', '/console/account/passkeys', weak.cookie, { credential })).status).toBe(200)
    const asked = await byGroup.send('POST', '/session/passkey/options', weak.cookie, {})
    const confirmation = { credential: authenticator.get(asked.body as never) }
    const confirmed = await byGroup.send('POST', '/session/passkey', weak.cookie, confirmation)
    expect((await byGroup.send('GET', '/operator/health', cookieIn(confirmed.headers))).status).toBe(200)
    const strong = await byGroup.signIn(subject, { amr: ['pwd', 'mfa'] })
    expect(await userOf(byGroup, strong.cookie)).toMatchObject({ operator: true, needs_second_factor: false })
    // The provider still decides about the session that the passkey confirmed.
    accounts.get(subject)!.groups = []
    service.advance(MINUTE_MS + 1)
    expect((await byGroup.send('GET', '/session', cookieIn(confirmed.headers))).status).toBe(401)
  })

  it('accepts an invitation, keeps its role, and refuses a person without one', async () => {
    const { invitation, id } = await invite('finance')
    const subject = newAccount({ email: 'elsewhere@example.com', name: 'Finn' })
    expect((await byInvitation.signIn(subject)).reply.text).toContain('Ask an admin for an invitation')
    const accepted = await byInvitation.signIn(subject, { invitation })
    expect(await userOf(byInvitation, accepted.cookie)).toMatchObject({ account_id: id, role: 'finance', name: 'Finn' })
    expect((await byInvitation.signIn(subject, { invitation })).reply.status).toBe(401)
    expect(await userOf(byInvitation, (await byInvitation.signIn(subject)).cookie)).toMatchObject({ account_id: id })
    const other = await invite('admin')
    expect((await byInvitation.signIn(subject, other)).reply.status).toBe(403)
  })

  // kills: oidc-links-verified-email-only
  it('joins an existing user by a verified email only', async () => {
    const { send } = byGroup
    const { cookie } = await desk.operator()
    const email = newEmail()
    const created = await send('POST', '/console/users', cookie, { email, role: 'viewer' })
    const { user } = created.body as { user: { id: string } }
    const forged = await byGroup.signIn(newAccount({ email, email_verified: false, groups: ['desk'] }))
    expect([forged.reply.status, forged.reply.text]).toEqual([403, expect.stringContaining('did not verify it')])
    const joined = await byGroup.signIn(newAccount({ email, email_verified: true, groups: ['desk'] }))
    expect(await userOf(byGroup, joined.cookie)).toMatchObject({ account_id: user.id, role: 'support' })
  })

  // kills: oidc-finishes-in-same-browser
  it('finishes once, in the browser that began it, within 10 minutes, with two tabs', async () => {
    const subject = member('risk')
    const one = await byGroup.begin()
    const cookie = cookieIn(one.headers)
    const two = await byGroup.begin({}, cookie)
    expect(cookieIn(two.headers)).toBe(cookie)
    const [first, second] = [
      await provider.follow(String(one.body['url']), subject),
      await provider.follow(String(two.body['url']), subject),
    ]
    const stranger = cookieIn((await byGroup.begin()).headers)
    expect((await byGroup.finish(first, stranger)).status).toBe(401)
    expect((await byGroup.finish(second, cookie)).status).toBe(200)
    expect((await byGroup.finish(second, cookie)).status).toBe(401)
    const three = await byGroup.begin({}, cookie)
    const late = await provider.follow(String(three.body['url']), subject)
    service.advance(10 * MINUTE_MS)
    const refused = await byGroup.finish(late, cookie)
    expect([refused.status, refused.text]).toEqual([401, expect.stringContaining('Sign in again')])
  })

  it('refuses forged, mixed and canceled responses', async () => {
    const subject = member('risk')
    const attempt = async (change: (search: URLSearchParams) => void) => {
      const begun = await byGroup.begin()
      const search = new URLSearchParams(await provider.follow(String(begun.body['url']), subject))
      change(search)
      return (await byGroup.finish(`?${search}`, cookieIn(begun.headers))).status
    }
    const other = await byGroup.begin()
    const otherCode = new URLSearchParams(await provider.follow(String(other.body['url']), subject)).get('code')!
    expect(await attempt(search => search.set('code', 'forged'))).toBe(401)
    // The verifier of another sign-in does not fit the code.
    expect(await attempt(search => search.set('code', otherCode))).toBe(401)
    expect(await attempt(search => search.set('iss', 'https://evil.example'))).toBe(401)
    expect(await attempt(search => search.set('state', 'forged'))).toBe(401)
    expect(
      await attempt(search => {
        search.delete('code')
        search.set('error', 'access_denied')
      }),
    ).toBe(403)
  })
})

describe('a session of a person from an OpenID provider', () => {
  // kills: oidc-group-is-required
  it('follows the groups within a minute: another role at once, and the end without a group', async () => {
    const subject = member('risk')
    const { cookie } = await byGroup.signIn(subject)
    accounts.set(subject, { ...accounts.get(subject)!, groups: ['desk'] })
    expect(await userOf(byGroup, cookie)).toMatchObject({ role: 'viewer' })
    service.advance(MINUTE_MS)
    expect(await userOf(byGroup, cookie)).toMatchObject({ role: 'support' })
    accounts.set(subject, { ...accounts.get(subject)!, groups: [] })
    service.advance(MINUTE_MS)
    const ended = await byGroup.send('GET', '/payments', cookie)
    expect([ended.status, ended.text]).toEqual([401, expect.stringContaining('None of your groups')])
    expect((await byGroup.send('GET', '/session', cookie)).status).toBe(401)
  })

  it('ends if the provider no longer knows the person', async () => {
    const subject = member('desk')
    const { cookie } = await byGroup.signIn(subject)
    accounts.delete(subject)
    service.advance(MINUTE_MS)
    const ended = await byGroup.send('GET', '/session', cookie)
    expect([ended.status, ended.text]).toEqual([401, expect.stringContaining('Harbor Login signed you out')])
  })

  // kills: oidc-outage-ends-session
  it('survives a short outage of the provider, but not a long one, and a new sign-in says what to do', async () => {
    const subject = member('desk')
    const { cookie } = await byGroup.signIn(subject)
    provider.fail(503)
    for (let minute = 0; minute < 15; minute++) {
      service.advance(MINUTE_MS)
      expect((await byGroup.send('GET', '/session', cookie)).status).toBe(200)
    }
    service.advance(MINUTE_MS)
    expect((await byGroup.send('GET', '/session', cookie)).status).toBe(401)
    const fresh = openConsole()
    const down = await fresh.begin()
    expect([down.status, down.text]).toEqual([503, expect.stringContaining('If you have a passkey, sign in with it')])
    provider.fail(0)
    expect((await fresh.begin()).status).toBe(200)
    expect((await byGroup.signIn(subject)).reply.status).toBe(200)
  })

  it('is signed out at the provider too', async () => {
    const { cookie } = await byGroup.signIn(member('desk'))
    const { body } = await byGroup.send('DELETE', '/session', cookie)
    const url = new URL(String(body['sign_out_url']))
    expect([url.origin, url.searchParams.get('post_logout_redirect_uri')]).toEqual([provider.issuer, `${origin}/`])
    expect(url.search).not.toMatch(/example\.com|id_token/)
  })

  it('is renewed with a refresh token if the provider issues one', async () => {
    const refreshing = await startProvider(accounts, { refreshes: true })
    const roles = `risk=viewer@${service.team},desk=support@${service.team}`
    const console = openConsole({ CONSOLE_OIDC_ISSUER: refreshing.issuer, CONSOLE_OIDC_ROLES: roles })
    const subject = member('risk')
    const begun = await console.begin()
    const search = await refreshing.follow(String(begun.body['url']), subject)
    const cookie = cookieIn((await console.finish(search, cookieIn(begun.headers))).headers)
    accounts.set(subject, { ...accounts.get(subject)!, groups: ['desk'] })
    for (const role of ['support', 'support']) {
      service.advance(MINUTE_MS)
      const users = await Promise.all([1, 2, 3].map(() => userOf(console, cookie)))
      expect(users.every(user => user !== undefined)).toBe(true)
      expect(await userOf(console, cookie)).toMatchObject({ role })
    }
  })
})

describe('the settings of an OpenID provider', () => {
  const base = {
    CONSOLE_OIDC_ISSUER: 'https://login.example.com',
    CONSOLE_OIDC_CLIENT_ID: 'console',
    CONSOLE_OIDC_CLIENT_SECRET: 'secret',
  }
  it.each([
    [{ CONSOLE_OIDC_CLIENT_ID: '' }, 'CONSOLE_OIDC_CLIENT_ID must be set too'],
    [{ CONSOLE_OIDC_ISSUER: 'http://login.example.com' }, 'must be the https URL'],
    [{ CONSOLE_OIDC_ISSUER: 'login.example.com' }, 'must be the https URL'],
    [{ CONSOLE_OIDC_ISSUER: 'http://127.0.0.1:9' }, 'must be the https URL'],
    [{ CONSOLE_OIDC_ROLES: 'staff' }, 'contains “staff”'],
    [{ CONSOLE_OIDC_ROLES: 'staff=boss' }, 'The roles are viewer'],
    [{ CONSOLE_OIDC_ROLES: 'staff=viewer@nowhere' }, 'GROUP=ROLE@TEAM'],
  ])('are refused if wrong: %j', (change, message) => {
    expect(() => readConsoleOidc({ ...base, ...change }, 'production')).toThrow(message)
  })

  it('have defaults, and groups whose names contain =', () => {
    expect(readConsoleOidc({}, 'production')).toBeNull()
    expect(readConsoleOidc({ ...base, CONSOLE_OIDC_ROLES: 'cn=ops=operator' }, 'production')).toMatchObject({
      name: 'login.example.com',
      scope: 'openid email profile',
      groupsClaim: 'groups',
      secondFactors: ['mfa'],
    })
  })
})

it('a user whose passkeys were replaced cannot return with the OpenID account', async () => {
  const { invitation, id } = await invite('viewer')
  const subject = newAccount({ email: newEmail(), name: 'Finn' })
  await byInvitation.signIn(subject, { invitation })
  const { cookie } = await desk.operator()
  const created = await byInvitation.send('POST', `/console/users/${id}/invitation`, cookie, {})
  expect((await byInvitation.signIn(subject)).reply.status).toBe(403)
  const { invitation: again } = created.body as { invitation: { link: string } }
  expect((await byInvitation.signIn(subject, { invitation: secretOf(again.link) })).reply.status).toBe(200)
})
