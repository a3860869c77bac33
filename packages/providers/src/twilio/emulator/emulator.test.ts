import { serveFaulty } from '@causeway/connector/emulator/server'
import { createMemoryHost } from '@causeway/connector/testing/memory-host'
import { describe, expect, it, onTestFinished } from 'vitest'
import { emulatedEnv } from '../../testing/twilio.js'
import { twilio } from '../provider.js'
import { createTwilioEmulator, emulatorIds } from './emulator.js'

const phone = '+15125550142'
const authorization = `Basic ${Buffer.from(`${emulatorIds.apiKey}:${emulatorIds.apiSecret}`).toString('base64')}`

async function serve() {
  const { url, close } = await serveFaulty(createTwilioEmulator().answer)
  onTestFinished(close)
  return url
}

describe('the emulator over HTTP', () => {
  it('serves a dry run: a code by text message, and a silent verification', async () => {
    const url = await serve()
    const env = { ...emulatedEnv, TWILIO_API_URL: url, TWILIO_SILENT_AUTH: 'on' }
    const { exchange } = createMemoryHost(twilio, { env })
    const ask = (path: string, request_id: string, question: unknown) =>
      exchange(path, { request_id, team_id: 'team', now: 0, question })
    const readCode = () => fetch(`${url}/emulator/codes/${phone}`)
    expect((await readCode()).status).toBe(404)
    expect(await ask('identity/send_code', 'r1', { phone })).toEqual({ status: 'sent' })
    const { code } = (await (await readCode()).json()) as { code: string }
    expect(await ask('identity/check_code', 'r1', { phone, code })).toEqual({ status: 'correct' })
    expect((await readCode()).status).toBe(404)
    const { urls } = (await ask('identity/begin_sna', 'r2', { phone })) as { urls: string[] }
    const carrier = await fetch(urls[0]!)
    expect(carrier.headers.get('access-control-allow-origin')).toBe('*')
    expect(await carrier.text()).toContain('ErrorDescription=Success')
    expect(await ask('identity/check_sna', 'r2', { phone })).toEqual({ status: 'correct' })
  })

  it.each([
    ['without credentials', `/v2/Services/${emulatorIds.service}`, {}, 401, 20003],
    ['for an unknown service', `/v2/Services/VA${'1'.repeat(32)}`, { authorization }, 404, 20404],
    ['for an unknown path', '/v2/Nothing', { authorization }, 404, 20404],
    ['for an unknown control', '/emulator/nothing/1', {}, 404, 20404],
  ])('answers with an error as Twilio does %s', async (_, path, headers, status, code) => {
    const url = await serve()
    const response = await fetch(url + path, { headers: headers as Record<string, string> })
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({
      code,
      status,
      more_info: `https://www.twilio.com/docs/errors/${code}`,
    })
  })

  it.each([
    ['Verifications', 'Channel=sms'],
    ['Verifications', 'To=555&Channel=sms'],
    ['Verifications', `To=${encodeURIComponent(phone)}&Channel=pigeon`],
    ['VerificationCheck', 'Code=123456'],
  ])('rejects %s with %s as invalid', async (path, body) => {
    const url = await serve()
    const response = await fetch(`${url}/v2/Services/${emulatorIds.service}/${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
      body,
    })
    expect(await response.json()).toMatchObject({ code: 60200, status: 400 })
  })
})
