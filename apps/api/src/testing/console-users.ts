/** Test helper that invites console users and signs them in with passkeys. */

import { expect } from 'vitest'
import { readConfig } from '../main/config.js'
import { operate } from '../main/operator/operator.js'
import { randomText } from '../platform/crypto/random.js'
import { type AuthenticatorOptions, createAuthenticator } from './authenticator.js'
import { type consoleOf, cookieIn, origin } from './console.js'
import type { TestService } from './service.js'

type Authenticator = ReturnType<typeof createAuthenticator>

export const newEmail = () => `user-${randomText(8)}@example.com`
/** Returns the secret in an invitation's link. */
export const secretOf = (link: unknown) => new URL(String(link)).hash.replace('#invitation=', '')
export const newAuthenticator = (more: Partial<AuthenticatorOptions> = {}) => createAuthenticator({ origin, ...more })

export function consoleUsersOf(service: TestService, { send }: Pick<ReturnType<typeof consoleOf>, 'send'>) {
  const run = (...args: string[]) => runWith({}, ...args)
  async function runWith(more: Record<string, string>, ...args: string[]) {
    const key = Buffer.alloc(32, 7).toString('base64')
    const env = { DATABASE_URL: service.url, ENCRYPTION_KEY: key, CONSOLE_PORT: '4400', ...more }
    return (await operate(readConfig(env, '/tmp'), args, service.deps.clock())) as Record<string, never>
  }
  const post = (path: string, body: object, cookie?: string) => send('POST', `/api${path}`, { body, cookie })

  /** Invites a user with a command. @returns the invitation's secret and the user's id */
  async function invite(role: string, ...more: string[]) {
    const { link, user_id } = await run(
      'console',
      'invite',
      newEmail(),
      '--team',
      service.team,
      '--role',
      role,
      ...more,
    )
    return { invitation: secretOf(link), id: String(user_id) }
  }

  /** Accepts an invitation with a new passkey. */
  async function accept(invitation: string, name = 'Ines Farrow', authenticator = newAuthenticator()) {
    const options = await post('/sign-in/invitation/options', { invitation, name })
    if (options.status !== 200) return { reply: options, authenticator, cookie: '' }
    const credential = authenticator.create(options.body as never)
    const reply = await post('/sign-in/invitation/accept', { invitation, name, credential })
    return { reply, authenticator, cookie: reply.status === 200 ? cookieIn(reply.headers) : '' }
  }

  async function signInWith(authenticator: Authenticator, cookie?: string) {
    const { body } = await post('/sign-in/passkey/options', {})
    return post('/sign-in/passkey', { credential: authenticator.get(body as never) }, cookie)
  }
  /** Invites a user who accepts. */
  async function join(role: string, name?: string) {
    const { invitation, id } = await invite(role)
    const { cookie, authenticator, reply } = await accept(invitation, name)
    expect(reply.status, reply.text).toBe(200)
    return { id, cookie, authenticator }
  }
  const isSignedIn = async (cookie: string) => (await send('GET', '/api/session', { cookie })).status === 200

  return { run, runWith, post, invite, accept, signInWith, join, isSignedIn }
}
