import { DAY_MS, MINUTE_MS } from '@causeway/contract/time'
import { describe, expect, it } from 'vitest'
import { sweep } from '../../platform/jobs/sweep.js'
import { transact } from '../../platform/scope.js'
import { consoleOf, cookieIn, origin } from '../../testing/console.js'
import { consoleUsersOf, newAuthenticator, newEmail, secretOf } from '../../testing/console-users.js'
import { testService } from '../../testing/service.js'
import { startSession } from '../user.js'
import { deletePasskeys } from './credentials.js'
import { updateUser } from './store.js'

const service = await testService()
const desk = consoleOf(service)
const { send, operator, signedIn } = desk
const { run, post, invite, accept, signInWith, join, isSignedIn } = consoleUsersOf(service, desk)

const auditOf = (id: string) =>
  service.store.reader
    .selectFrom('audit')
    .select(['actor', 'actor_name', 'action', 'resource_id'])
    .where('team_id', '=', service.team)
    .where(row => row.or([row('actor', '=', id), row('resource_id', '=', id)]))
    .orderBy('created_at')
    .orderBy('id')
    .execute()

describe('an invitation', () => {
  // kills: invitation-works-once
  it('shows who it is for, adds a passkey once, signs the user in, and the audit log names the user', async () => {
    const { invitation, id } = await invite('support')
    const shown = await post('/sign-in/invitation', { invitation })
    expect(shown.body).toMatchObject({ role: 'support', name: null, operator: false, team: { id: service.team } })
    expect(shown.body['email']).toMatch(/@example\.com$/)
    const [first, second] = await Promise.all([accept(invitation), accept(invitation)])
    expect([first.reply.status, second.reply.status].sort()).toEqual([200, 401])
    const { cookie } = first.cookie ? first : second
    const session = await send('GET', '/api/session', { cookie })
    expect(session.body['user']).toMatchObject({
      account_id: id,
      name: 'Ines Farrow',
      role: 'support',
      operator: false,
      needs_second_factor: false,
    })
    expect((await post('/sign-in/invitation', { invitation })).status).toBe(401)
    const rows = (await auditOf(id)).map(row => `${row.action} ${row.actor_name}`)
    expect(rows.sort()).toEqual([
      'console.invitation_accept Ines Farrow',
      'console.passkey_add Ines Farrow',
      'console.sign_in Ines Farrow',
      'console.user_invite null',
    ])
  })

  it('expires after 7 days, and says what to do', async () => {
    const { invitation } = await invite('viewer')
    service.advance(7 * DAY_MS + 1)
    const late = await post('/sign-in/invitation', { invitation })
    expect([late.status, late.text]).toEqual([401, expect.stringContaining('ask an admin for a new invitation')])
    expect((await accept(invitation)).reply.status).toBe(401)
    await sweep(service.deps)
    const rows = service.store.reader
      .selectFrom('console_invitations')
      .select('hash')
      .where('team_id', '=', service.team)
    expect(await rows.execute()).toEqual([])
  })

  it('is accepted only for its own user, its own site and a fresh challenge', async () => {
    const one = await invite('viewer')
    const other = await invite('viewer')
    const name = 'Ines Farrow'
    const options = await post('/sign-in/invitation/options', { invitation: one.invitation, name })
    const credential = newAuthenticator().create(options.body as never)
    expect((await post('/sign-in/invitation/accept', { invitation: other.invitation, name, credential })).status).toBe(
      401,
    )
    const phished = await accept(one.invitation, name, newAuthenticator({ origin: 'http://evil.example' }))
    expect(phished.reply.status).toBe(400)
    const unverified = await accept(one.invitation, name, newAuthenticator({ verifiesUser: false }))
    expect(unverified.reply.status).toBe(400)
    const late = await post('/sign-in/invitation/options', { invitation: one.invitation, name })
    service.advance(10 * MINUTE_MS)
    const slow = newAuthenticator().create(late.body as never)
    expect(
      (await post('/sign-in/invitation/accept', { invitation: one.invitation, name, credential: slow })).status,
    ).toBe(401)
    // None of the failures used up the invitation.
    expect((await accept(one.invitation)).reply.status).toBe(200)
  })

  it('requires a printable name and a well-formed secret', async () => {
    const { invitation } = await invite('viewer')
    for (const name of ['', ' ', 'Ines\u202e', 'x'.repeat(101), 7])
      expect((await post('/sign-in/invitation/options', { invitation, name })).status).toBe(400)
    for (const wrong of ['', 'cinv_x', `cinv_${'a'.repeat(43)}`, 7, null])
      expect((await post('/sign-in/invitation', { invitation: wrong })).status).toBe(401)
  })
})

describe('a passkey', () => {
  // kills: passkey-challenge-works-once
  it('signs its user in again and again, each response once', async () => {
    const { id, authenticator } = await join('engineer')
    const first = await signInWith(authenticator)
    expect(first.body['user']).toMatchObject({ account_id: id, role: 'engineer' })
    const { body } = await post('/sign-in/passkey/options', {})
    const credential = authenticator.get(body as never)
    expect((await post('/sign-in/passkey', { credential })).status).toBe(200)
    expect((await post('/sign-in/passkey', { credential })).status).toBe(401)
  })

  // kills: passkey-verifies-user
  it('is refused without user verification, for another site, if it was cloned, and if it is unknown', async () => {
    const { authenticator } = await join('viewer')
    authenticator.rewind(0)
    expect((await signInWith(authenticator)).status).toBe(400)
    const unknown = newAuthenticator()
    unknown.create({ rp: {}, user: { id: 'eA' }, challenge: 'eA' } as never)
    expect((await signInWith(unknown)).status).toBe(401)
    for (const credential of [
      undefined,
      {},
      { id: 'x', response: {} },
      { id: 'x', response: { clientDataJSON: 'e30' } },
    ])
      expect((await post('/sign-in/passkey', { credential })).status).toBe(400)
    const weak = newAuthenticator()
    const { invitation } = await invite('viewer')
    await accept(invitation, 'Ines', weak)
    const { body } = await post('/sign-in/passkey/options', {})
    const lazy = weak.get(body as never, { verifiesUser: false })
    expect((await post('/sign-in/passkey', { credential: lazy })).status).toBe(400)
  })

  // kills: last-passkey-is-kept
  it('can be added on a second device and removed, except the last one', async () => {
    const { cookie, authenticator } = await join('support')
    const account = async () =>
      (await send('GET', '/api/console/account', { cookie })).body as { passkeys: { id: string }[] }
    const [only] = (await account()).passkeys
    expect((await post(`/console/account/passkeys/${only!.id}/remove`, {}, cookie)).status).toBe(400)
    const laptop = newAuthenticator()
    const { body: options } = await post('/console/account/passkeys/options', {}, cookie)
    const credential = laptop.create(options as never)
    const added = await post('/console/account/passkeys', { credential, passkey_name: 'Laptop' }, cookie)
    expect([added.status, added.body['name']]).toEqual([200, 'Laptop'])
    expect((await post('/console/account/passkeys', { credential }, cookie)).status).toBe(401)
    expect((await signInWith(laptop)).status).toBe(200)
    expect((await post(`/console/account/passkeys/${only!.id}/remove`, {}, cookie)).status).toBe(200)
    expect((await signInWith(authenticator)).status).toBe(401)
    expect((await account()).passkeys).toHaveLength(1)
    const stranger = await join('support')
    expect((await post(`/console/account/passkeys/${added.body['id']}/remove`, {}, stranger.cookie)).status).toBe(404)
  })

  it('belongs to users only: a session of a key has no account', async () => {
    const { cookie } = await signedIn()
    expect((await send('GET', '/api/console/account', { cookie })).status).toBe(400)
    expect((await post('/session/passkey/options', {}, cookie)).status).toBe(400)
  })
})

describe('an admin', () => {
  // kills: only-admins-manage-users, disabled-user-is-signed-out
  it('invites users, changes their roles at once, disables and enables them', async () => {
    const admin = await join('admin', 'Ada Admin')
    const email = newEmail()
    const created = await post('/console/users', { email, role: 'viewer' }, admin.cookie)
    const { user, invitation } = created.body as { user: { id: string }; invitation: { link: string } }
    expect(user).toMatchObject({ email, role: 'viewer', status: 'invited', current: false })
    expect(invitation.link).toContain(`${origin}/sign-in#invitation=cinv_`)
    expect((await post('/console/users', { email: email.toUpperCase(), role: 'viewer' }, admin.cookie)).status).toBe(
      400,
    )
    const { cookie, authenticator } = await accept(secretOf(invitation.link))
    const refused = await post('/console/users', { email: newEmail(), role: 'viewer' }, cookie)
    expect([refused.status, (await send('GET', '/api/console/users', { cookie })).status]).toEqual([403, 403])
    const change = (body: object) => post(`/console/users/${user.id}`, body, admin.cookie)
    const mayWrite = async () => (await post('/entities', { type: 'x' }, cookie)).status
    expect(await mayWrite()).toBe(403)
    expect((await change({ role: 'engineer' })).status).toBe(200)
    expect(await mayWrite()).toBe(400)
    expect((await change({ status: 'disabled' })).body['user']).toMatchObject({ status: 'disabled', sessions: 0 })
    expect([await isSignedIn(cookie), (await signInWith(authenticator)).status]).toEqual([false, 401])
    expect((await change({ status: 'active' })).body['user']).toMatchObject({ status: 'active' })
    expect((await signInWith(authenticator)).status).toBe(200)
    // A user who is disabled while signing in is signed out by the next request.
    const last = await signInWith(authenticator)
    const disable = (status: 'active' | 'disabled') =>
      service.store.write(tx => updateUser(tx, { team_id: service.team, id: user.id }, { status }, 0))
    await disable('disabled')
    expect(await isSignedIn(cookieIn(last.headers))).toBe(false)
    await disable('active')
    await post('/console/sessions/end', {}, cookieIn(last.headers))
    const listed = await send('GET', '/api/console/users', { cookie: admin.cookie })
    expect(listed.body['data']).toContainEqual(expect.objectContaining({ id: user.id, sessions: 0 }))
    expect((await auditOf(user.id)).map(row => row.action)).toContain('console.user_change')
  })

  // kills: admin-changes-no-operator, admin-invites-no-operator
  it("can't change their own user, another team's, or an operator's, and can't invite an operator", async () => {
    const admin = await join('admin')
    const boss = await invite('admin', '--operator')
    for (const id of [admin.id, boss.id]) {
      expect((await post(`/console/users/${id}`, { role: 'viewer' }, admin.cookie)).status).toBe(403)
      expect((await post(`/console/users/${id}/invitation`, {}, admin.cookie)).status).toBe(403)
    }
    const body = { email: newEmail(), role: 'admin', operator: true }
    expect((await post('/console/users', body, admin.cookie)).status).toBe(403)
    const { cookie } = await operator()
    expect((await post('/console/users', body, cookie)).status).toBe(200)
    expect((await post('/console/users', { ...body, email: newEmail(), role: 'viewer' }, cookie)).status).toBe(400)
    expect((await post(`/console/users/${boss.id}`, { role: 'viewer' }, cookie)).status).toBe(400)
    const { key } = await service.anotherTeam()
    const elsewhere = cookieIn((await post('/session', { key })).headers)
    expect((await post(`/console/users/${admin.id}/invitation`, {}, elsewhere)).status).toBe(404)
  })

  // kills: recovery-removes-passkeys
  it('recovers a user who lost a passkey, whose finder can do nothing more', async () => {
    const admin = await join('admin', 'Ada Admin')
    const lost = await join('finance', 'Finn')
    const created = await post(`/console/users/${lost.id}/invitation`, {}, admin.cookie)
    const { invitation } = created.body as { invitation: { link: string } }
    expect([await isSignedIn(lost.cookie), (await signInWith(lost.authenticator)).status]).toEqual([false, 401])
    const back = await accept(secretOf(invitation.link), 'Finn')
    expect((await send('GET', '/api/session', { cookie: back.cookie })).body['user']).toMatchObject({
      account_id: lost.id,
      role: 'finance',
    })
    expect((await signInWith(lost.authenticator)).status).toBe(401)
    expect((await signInWith(back.authenticator)).status).toBe(200)
    expect((await auditOf(lost.id)).map(row => `${row.action} ${row.actor_name}`)).toContain(
      'console.user_recover Ada Admin',
    )
  })
})

it('every role reads the names of users, also of disabled ones, and nothing else about them', async () => {
  const { id } = await join('support', 'Gil Stone')
  const { cookie } = await join('viewer', 'Vera Lund')
  await run('console', 'disable', id)
  await invite('finance')
  const { body, text } = await send('GET', '/api/console/users/names', { cookie })
  expect(body['data']).toContainEqual({ id, name: 'Gil Stone' })
  expect(text).not.toMatch(/null|@|finance/)
})

describe('a session with one factor', () => {
  /** Starts a session of a user as an OpenID provider does that asked for a password alone. */
  async function startWeakly(id: string) {
    const team = (await service.deps.teamOf(service.team))!
    const { cookie } = await transact(service.deps, team, scope =>
      startSession(scope, { user: { id, name: 'Ines', hasSecondFactor: false } }, undefined),
    )
    return `console-4400=${cookie}`
  }

  // kills: second-factor-before-anything-else, admins-need-second-factor, second-factor-of-same-user
  it("of an admin can do nothing before the user's own passkey confirms it", async () => {
    const admin = await join('admin')
    const cookie = await startWeakly(admin.id)
    const session = await send('GET', '/api/session', { cookie })
    expect(session.body['user']).toMatchObject({ needs_second_factor: true })
    const attempts = async () => [
      (await send('GET', '/api/payments', { cookie })).status,
      (await send('GET', '/api/console/users', { cookie })).status,
      (await post('/console/sessions/end', {}, cookie)).status,
    ]
    expect(await attempts()).toEqual([403, 403, 403])
    const other = await join('admin')
    const { body: options } = await post('/sign-in/passkey/options', {})
    const foreign = await post('/session/passkey', { credential: other.authenticator.get(options as never) }, cookie)
    expect(foreign.status).toBe(403)
    const { body: own } = await post('/session/passkey/options', {}, cookie)
    const confirmed = await post('/session/passkey', { credential: admin.authenticator.get(own as never) }, cookie)
    expect(confirmed.body['user']).toMatchObject({ account_id: admin.id, needs_second_factor: false })
    expect(await isSignedIn(cookie)).toBe(false)
    const strong = cookieIn(confirmed.headers)
    expect((await send('GET', '/api/console/users', { cookie: strong })).status).toBe(200)
  })

  // kills: first-factor-adds-first-passkey-only
  it('adds a passkey only to a user who has none', async () => {
    const { id } = await join('support')
    const cookie = await startWeakly(id)
    expect((await send('GET', '/api/payments', { cookie })).status).toBe(200)
    expect((await post('/console/account/passkeys/options', {}, cookie)).status).toBe(403)
    const team = { team_id: service.team, id }
    await service.store.write(tx => deletePasskeys(tx, team.team_id, team.id))
    const { body } = await post('/console/account/passkeys/options', {}, cookie)
    const credential = newAuthenticator().create(body as never)
    expect((await post('/console/account/passkeys', { credential }, cookie)).status).toBe(200)
  })
})
