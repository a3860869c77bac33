import { describe, expect, test } from 'vitest'
import { gallery } from '../dev/fixtures.js'
import { createFrameClient } from './frame-client.js'

const view = gallery.consent['plain']!
const request = { token: 't', exchange_id: 'e', origin: null, mode: null }

function answering(status: number, body: unknown, headers: Record<string, string> = {}) {
  const sent: { path: string; init: RequestInit }[] = []
  const calls = createFrameClient({
    fetch: async (path, init) => {
      sent.push({ path: String(path), init: init ?? {} })
      return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })
    },
    online: () => true,
  })
  return { calls, sent }
}
const refusal = (code: number, sub_type: string) => ({
  error: { type: 'INVALID_REQUEST', code, sub_type, message: 'm' },
})
const kindOf = async (status: number, body: unknown, headers = {}) => {
  const outcome = await answering(status, body, headers).calls.view('b')
  return outcome.ok ? 'ok' : outcome.fault.kind
}

describe('session calls', () => {
  test('sends the revision, the input and the bearer with a step, and no other credential', async () => {
    const { calls, sent } = answering(200, view)
    await calls.step('secret', 'phone', 7, { action: 'send' })
    const [{ path, init }] = sent as [(typeof sent)[0]]
    expect(path).toBe('/s/steps/phone')
    expect(JSON.parse(String(init.body))).toEqual({ revision: 7, input: { action: 'send' } })
    expect(new Headers(init.headers).get('authorization')).toBe('Bearer secret')
  })

  test('returns the current view for a stale revision, not an error', async () => {
    const outcome = await answering(409, { ...refusal(409, 'STALE_REVISION'), view }).calls.step('b', 'consent', 1, {
      action: 'back',
    })
    expect(outcome).toMatchObject({ ok: true, value: { step: 'consent' } })
  })

  test.each([
    [401, refusal(401, 'SESSION_EXPIRED'), 'expired'],
    [400, refusal(400, 'EXPIRED_TOKEN'), 'rejected'],
    [400, refusal(400, 'INVALID_TOKEN'), 'rejected'],
    [403, refusal(403, 'ORIGIN_NOT_ALLOWED'), 'misplaced'],
    [400, refusal(400, 'INVALID_MODE_CONFIG'), 'misplaced'],
    [429, refusal(429, 'TOO_MANY_REQUESTS'), 'limited'],
    [500, refusal(500, 'INTERNAL_ERROR'), 'unavailable'],
    [502, '<html>bad gateway', 'unavailable'],
    [200, 'not json', 'unavailable'],
  ])('classifies %i %j as %s', async (status, body, kind) => expect(await kindOf(status, body)).toBe(kind))

  test('reads how long to wait from the response', async () => {
    const outcome = await answering(429, refusal(429, 'TOO_MANY_REQUESTS'), { 'retry-after': '30' }).calls.redeem(
      request,
    )
    expect(outcome).toMatchObject({ ok: false, fault: { wait: 30 } })
  })

  test.each([
    [true, 'unavailable'],
    [false, 'offline'],
  ])('classifies a broken connection, online %s, as %s', async (online, kind) => {
    const calls = createFrameClient({ fetch: () => Promise.reject(new TypeError('failed')), online: () => online })
    expect(await calls.redeem(request)).toMatchObject({ ok: false, fault: { kind } })
  })
})
