import { HOUR_MS, MINUTE_MS } from '@causeway/contract/time'
import { describe, expect, it } from 'vitest'
import { consoleOf, cookieIn } from '../testing/console.js'
import { consoleUsersOf } from '../testing/console-users.js'
import { testService } from '../testing/service.js'

const service = await testService()
const desk = consoleOf(service)
const { send, operator } = desk
const { post, join } = consoleUsersOf(service, desk)
const person = await service.call('POST', '/entities', {
  type: 'individual',
  individual: { first_name: 'Ana', phone: '+15125550100' },
})
const reveal = (cookie: string) =>
  post(`/entities/${person.body['id']}/reveal`, { fields: ['phone'], reason: 'The caller asks' }, cookie)

/** Keeps a session from being idle for a time. */
async function stay(cookie: string, minutes: number) {
  service.advance(minutes * MINUTE_MS)
  expect((await send('GET', '/api/session', { cookie })).status).toBe(200)
}

const actions = {
  'reveals a value': reveal,
  'creates a key': (cookie: string) => post('/team/keys', { scopes: ['read'] }, cookie),
  'creates a team with a key': (cookie: string) => post('/teams', { name: 'Second' }, cookie),
  'adds a passkey': (cookie: string) => post('/console/account/passkeys/options', {}, cookie),
}

describe('a user who signed in more than 10 minutes ago', () => {
  // kills: recent-sign-in-is-required
  it.each(Object.entries(actions))('%s only after presenting a passkey', async (_, act) => {
    const { cookie, authenticator } = await join('admin')
    await stay(cookie, 10)
    expect((await act(cookie)).status).toBe(200)
    await stay(cookie, 1)
    const asked = await act(cookie)
    expect([asked.status, asked.headers.get('passkey-required')]).toEqual([403, 'true'])
    const { body: options } = await post('/session/passkey/options', {}, cookie)
    const confirmed = await post('/session/passkey', { credential: authenticator.get(options as never) }, cookie)
    expect((await act(cookieIn(confirmed.headers))).status).toBe(200)
    expect((await act(cookie)).status).toBe(401)
  })

  it('learns from the session until when, and whether a passkey is needed then', async () => {
    const { cookie } = await join('admin')
    const since = service.deps.clock()
    await stay(cookie, 20)
    expect((await send('GET', '/api/session', { cookie })).body['recent_sign_in']).toEqual({
      ...{ until: new Date(since + 10 * MINUTE_MS).toISOString(), has_passkey: true },
    })
    const key = await desk.signedIn()
    expect((await send('GET', '/api/session', { cookie: key.cookie })).body['recent_sign_in']).toBe(null)
  })

  it('reads without a passkey', async () => {
    const { cookie } = await join('support')
    await stay(cookie, 20)
    expect((await send('GET', `/api/entities/${person.body['id']}`, { cookie })).status).toBe(200)
  })

  it('is not asked for a passkey before being told that the role does not allow the action', async () => {
    const { cookie } = await join('viewer')
    await stay(cookie, 20)
    for (const act of [reveal, actions['creates a key']]) {
      const refused = await act(cookie)
      expect([refused.status, refused.headers.get('passkey-required')]).toEqual([403, null])
    }
  })
})

it('a session that a link started needs no passkey, because it has no user', async () => {
  const { cookie } = await operator({ role: 'support', name: 'Sam Orr' })
  for (let passed = 0; passed < HOUR_MS; passed += 20 * MINUTE_MS) await stay(cookie, 20)
  expect((await reveal(cookie)).status).toBe(200)
})
