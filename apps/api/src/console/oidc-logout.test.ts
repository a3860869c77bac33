import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generateKeyPair, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { readConsoleOidc } from '../main/console-oidc.js'
import { stopAtEnd } from '../testing/cleanup.js'
import { consoleOf, cookieIn, origin } from '../testing/console.js'
import { newAuthenticator, newEmail } from '../testing/console-users.js'
import { clientSecret, type ProviderAccount, startProvider } from '../testing/oidc-provider.js'
import { testService } from '../testing/service.js'
import { LOGOUT_PATH } from './oidc-logout.js'
import { createOidc, hashSid } from './users/oidc.js'

const service = await testService()
const desk = consoleOf(service)

/** Forwards the provider's calls to the console, as its listener does, and records their answers. */
const answers: { status: number; cache: string | null }[] = []
const listener = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const headers = { 'content-type': request.headers['content-type'] ?? '' }
  const answer = await app.fetch(
    new Request(`${origin}${request.url}`, { method: 'POST', headers, body: Buffer.concat(chunks) }),
  )
  answers.push({ status: answer.status, cache: answer.headers.get('cache-control') })
  response.writeHead(answer.status).end(await answer.text())
})
await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve))
stopAtEnd(async () => {
  listener.close()
  listener.closeAllConnections()
})
const { port } = listener.address() as AddressInfo
const accounts = new Map<string, ProviderAccount>()
const provider = await startProvider(accounts, { logoutUri: `http://127.0.0.1:${port}${LOGOUT_PATH}` })
const settings = readConsoleOidc(
  {
    CONSOLE_OIDC_ISSUER: provider.issuer,
    CONSOLE_OIDC_CLIENT_ID: 'console',
    CONSOLE_OIDC_CLIENT_SECRET: clientSecret,
    CONSOLE_OIDC_ROLES: `desk=support@${service.team},ops=operator@${service.team}`,
  },
  'sandbox',
)!
const app = desk.open({ oidc: createOidc(settings, origin, service.deps.clock) })
const send = (method: string, path: string, cookie?: string, body?: object) =>
  desk.send(method, `/api${path}`, { cookie, body }, app)

/** Signs in with the provider in a new browser. @returns the session's cookie */
async function signIn(subject: string): Promise<string> {
  const begun = await send('POST', '/sign-in/oidc', undefined, {})
  const search = await provider.follow(String(begun.body['url']), subject)
  const reply = await send('POST', '/sign-in/oidc/finish', cookieIn(begun.headers), { search })
  expect(reply.status, reply.text).toBe(200)
  return reply.headers.getSetCookie()[0]!.split(';')[0]!
}
function newSubject(group = 'desk'): string {
  const subject = `sub-${accounts.size}`
  accounts.set(subject, { email: newEmail(), email_verified: true, name: 'Ines Farrow', groups: [group] })
  return subject
}
const isSignedIn = async (cookie: string) => (await send('GET', '/session', cookie)).status === 200

const seconds = () => Math.floor(Date.now() / 1_000)
let tokens = 0
const claims = (more: object = {}) => ({
  ...{ iss: provider.issuer, aud: 'console', iat: seconds(), exp: seconds() + 120, jti: `token-${tokens++}` },
  events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  ...more,
})
const post = (body: string, type = 'application/x-www-form-urlencoded') =>
  app.fetch(new Request(`${origin}${LOGOUT_PATH}`, { method: 'POST', headers: { 'content-type': type }, body }))
const deliver = (token: string) => post(new URLSearchParams({ logout_token: token }).toString())

describe('a sign-out at the OpenID provider', () => {
  it('ends the console session at once, but not that of another browser, with an audit entry', async () => {
    const subject = newSubject()
    const other = await signIn(subject)
    const cookie = await signIn(subject)
    const { id } = (await send('GET', '/session', cookie)).body['user'] as { id: string }
    await provider.signOut(subject)
    expect(answers).toEqual([{ status: 200, cache: 'no-store' }])
    expect([await isSignedIn(cookie), await isSignedIn(other)]).toEqual([false, true])
    const entries = await service.store.reader
      .selectFrom('audit')
      .select(['actor', 'action'])
      .where('team_id', '=', service.team)
      .where('resource_id', '=', id)
      .where('action', '=', 'console.end')
      .execute()
    expect(entries).toEqual([{ actor: 'oidc', action: 'console.end' }])
  })

  it('also ends a session that the user confirmed with a passkey', async () => {
    const subject = newSubject('ops')
    const weak = await signIn(subject)
    const authenticator = newAuthenticator()
    const options = await send('POST', '/console/account/passkeys/options', weak, {})
    await send('POST', '/console/account/passkeys', weak, { credential: authenticator.create(options.body as never) })
    const asked = await send('POST', '/session/passkey/options', weak, {})
    const confirmed = await send('POST', '/session/passkey', weak, {
      credential: authenticator.get(asked.body as never),
    })
    const cookie = cookieIn(confirmed.headers)
    expect(await isSignedIn(cookie)).toBe(true)
    await provider.signOut(subject)
    expect(await isSignedIn(cookie)).toBe(false)
  })
})

describe('a logout token', () => {
  it('that names only a user ends all sessions that the provider started, and no others', async () => {
    const subject = newSubject('ops')
    const cookies = [await signIn(subject), await signIn(subject)]
    const authenticator = newAuthenticator()
    const options = await send('POST', '/console/account/passkeys/options', cookies[0], {})
    await send('POST', '/console/account/passkeys', cookies[0], {
      credential: authenticator.create(options.body as never),
    })
    const offered = await send('POST', '/sign-in/passkey/options', undefined, {})
    const signedIn = await send('POST', '/sign-in/passkey', undefined, {
      credential: authenticator.get(offered.body as never),
    })
    const own = cookieIn(signedIn.headers)
    const unrelated = await signIn(newSubject())
    expect((await deliver(await provider.sign(claims({ sub: subject })))).status).toBe(200)
    expect(await Promise.all([...cookies, own, unrelated].map(isSignedIn))).toEqual([false, false, true, true])
  })

  // kills: logout-token-works-once
  it('is accepted once, also of two that arrive together, and also if it ends no session', async () => {
    const subject = newSubject()
    await signIn(subject)
    const token = await provider.sign(claims({ sub: subject }))
    const statuses = await Promise.all([deliver(token), deliver(token)])
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 400])
    const cookie = await signIn(subject)
    expect((await deliver(token)).status).toBe(400)
    expect(await isSignedIn(cookie)).toBe(true)
    const unknown = await provider.sign(claims({ sid: 'unknown' }))
    expect([(await deliver(unknown)).status, (await deliver(unknown)).status]).toEqual([200, 400])
  })

  // kills: logout-token-claims
  it('is refused if a claim, its type or its signature is wrong, without ending the session', async () => {
    const subject = newSubject()
    const cookie = await signIn(subject)
    const { privateKey } = await generateKeyPair('RS256')
    const secret = new TextEncoder().encode(clientSecret)
    const own = { sub: subject }
    const signedBy = (key: Parameters<SignJWT['sign']>[0], alg: string) =>
      new SignJWT(claims(own)).setProtectedHeader({ alg, kid: 'signing', typ: 'logout+jwt' }).sign(key)
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const wrong = {
      issuer: await provider.sign(claims({ ...own, iss: 'https://other.example' })),
      audience: await provider.sign(claims({ ...own, aud: 'other' })),
      expired: await provider.sign(claims({ ...own, iat: seconds() - 300, exp: seconds() - 200 })),
      old: await provider.sign(claims({ ...own, iat: seconds() - 3_600, exp: seconds() + 3_600 })),
      future: await provider.sign(claims({ ...own, iat: seconds() + 600, exp: seconds() + 900 })),
      nonce: await provider.sign(claims({ ...own, nonce: 'n' })),
      event: await provider.sign(claims({ ...own, events: { 'http://schemas.openid.net/event/other': {} } })),
      no_event: await provider.sign(claims({ ...own, events: undefined })),
      no_jti: await provider.sign(claims({ ...own, jti: undefined })),
      no_exp: await provider.sign(claims({ ...own, exp: undefined })),
      no_subject: await provider.sign(claims()),
      long: await provider.sign(claims({ ...own, jti: 'x'.repeat(300) })),
      type: await provider.sign(claims(own), 'at+jwt'),
      forged: await signedBy(privateKey, 'RS256'),
      symmetric: await signedBy(secret, 'HS256'),
      unsigned: `${part({ alg: 'none' })}.${part(claims(own))}.`,
      text: 'x',
    }
    for (const [name, token] of Object.entries(wrong)) {
      const answer = await deliver(token)
      expect([name, answer.status, answer.headers.get('cache-control')]).toEqual([name, 400, 'no-store'])
    }
    expect(await isSignedIn(cookie)).toBe(true)
  })

  // kills: logout-of-same-subject
  it('that names a session of another user ends nothing', async () => {
    const subject = newSubject()
    const cookie = await signIn(subject)
    const stranger = newSubject()
    await signIn(stranger)
    await service.store.write(tx =>
      tx
        .updateTable('console_sessions')
        .set({ provider_sid_hash: hashSid(provider.issuer, 'shared') })
        .where('team_id', '=', service.team)
        .execute(),
    )
    const { status } = await deliver(await provider.sign(claims({ sub: stranger, sid: 'shared' })))
    expect([status, await isSignedIn(cookie)]).toEqual([200, true])
  })

  it('must be the only one, in a form of limited size', async () => {
    const token = await provider.sign(claims({ sub: newSubject() }))
    const form = `logout_token=${token}`
    expect((await post(`${form}&${form}`)).status).toBe(400)
    expect((await post('')).status).toBe(400)
    expect((await post(JSON.stringify({ logout_token: token }), 'application/json')).status).toBe(400)
    expect((await deliver('x'.repeat(10_000))).status).toBe(400)
    expect((await deliver('x'.repeat(20_000))).status).toBe(413)
  })

  it('is answered with 503 while the provider does not respond, and with 404 without a provider', async () => {
    const fresh = desk.open({ oidc: createOidc(settings, origin, service.deps.clock) })
    const request = () =>
      new Request(`${origin}${LOGOUT_PATH}`, {
        ...{ method: 'POST', body: new URLSearchParams({ logout_token: 'x' }) },
      })
    provider.fail(503)
    expect((await fresh.fetch(request())).status).toBe(503)
    provider.fail(0)
    expect((await desk.open().fetch(request())).status).toBe(404)
  })
})
