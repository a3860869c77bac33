import { describe, expect, it } from 'vitest'
import { consoleOf } from '../../testing/console.js'
import { consoleUsersOf, newEmail, secretOf } from '../../testing/console-users.js'
import { testService } from '../../testing/service.js'

const service = await testService()
const desk = consoleOf(service)
const { send, open, signedIn } = desk
const { run, runWith, accept, signInWith, join, isSignedIn } = consoleUsersOf(service, desk)

describe('commands', () => {
  it('list users, and replace the passkeys of a user who is invited again', async () => {
    const email = newEmail()
    const first = await run('console', 'invite', email, '--role', 'admin', '--team', service.team)
    const { authenticator, cookie } = await accept(secretOf(first['link']))
    const { users } = await run('console', 'users')
    expect(users).toContainEqual(expect.objectContaining({ id: first['user_id'], email, status: 'active' }))
    const again = await run('console', 'invite', email, '--team', service.team)
    expect(again['user_id']).toBe(first['user_id'])
    expect([await isSignedIn(cookie), (await signInWith(authenticator)).status]).toEqual([false, 401])
    const listed = await accept(secretOf(again['link']))
    const { sessions } = await run('console', 'sessions')
    expect(sessions).toContainEqual(expect.objectContaining({ user_id: first['user_id'], operator: false }))
    const unused = await run('console', 'invite', newEmail(), '--role', 'viewer', '--team', service.team)
    expect((await run('console', 'end', 'all'))['ended']).toContain(unused['user_id'])
    expect([await isSignedIn(listed.cookie), (await accept(secretOf(unused['link']))).reply.status]).toEqual([
      false,
      401,
    ])
    const back = (await signInWith(listed.authenticator)).status
    const disabled = await run('console', 'disable', String(first['user_id']))
    expect([back, disabled['status'], (await signInWith(listed.authenticator)).status]).toEqual([200, 'disabled', 401])
    await expect(run('console', 'disable', 'cusr_unknown')).rejects.toThrow('pnpm admin console users')
  })

  it('reject wrong arguments with what would be right', async () => {
    const ofTeam = (args: readonly string[]) => (args.includes('--team') ? [] : ['--team', service.team])
    for (const [args, message] of [
      [['ines'], 'EMAIL must be an email address'],
      [['ines@example.com'], 'Add --role'],
      [['ines@example.com', '--role', 'boss'], '--role must be one of'],
      [['ines@example.com', '--role', 'viewer', '--operator'], 'Omit --role'],
      [['ines@example.com', 'more', '--role', 'viewer'], 'Unknown argument: more'],
      [['ines@example.com', '--role', 'viewer', '--team', 'team_unknown'], 'No team has the id'],
    ] as const)
      await expect(run('console', 'invite', ...args, ...ofTeam(args))).rejects.toThrow(message)
  })
})

describe('a console without key sign-in', () => {
  // kills: console-key-sign-in-refused, console-key-sessions-refused
  it('refuses keys and links, ends their sessions, and still signs users in', async () => {
    const strict = open({ allowsKeys: false })
    const { cookie, value } = await signedIn()
    const at = (path: string, body: object) => send('POST', `/api${path}`, { body }, strict)
    const refused = await at('/session', { key: value })
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('pnpm admin console invite')])
    expect((await send('GET', '/api/session', { cookie }, strict)).status).toBe(401)
    expect((await send('GET', '/api/sign-in', {}, strict)).body).toMatchObject({ key: false, passkey: true })
    const { authenticator } = await join('viewer')
    const { body } = await at('/sign-in/passkey/options', {})
    expect((await at('/sign-in/passkey', { credential: authenticator.get(body as never) })).status).toBe(200)
    await expect(runWith({ CONSOLE_KEY_SIGN_IN: 'refuse' }, 'console', 'link')).rejects.toThrow(/console invite/)
  })
})
