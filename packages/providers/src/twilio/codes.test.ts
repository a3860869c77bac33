import { MINUTE_MS } from '@causeway/contract/time'
import { describe, expect, it } from 'vitest'
import { setUpTwilio, twilioError } from '../testing/twilio.js'

const phone = '+15125550142'
const isSend = ({ method, url }: Request) => method === 'POST' && url.endsWith('/Verifications')
const isCheck = ({ url }: Request) => url.endsWith('/VerificationCheck')
const other = (code: string) => (code === '123456' ? '654321' : '123456')

describe('sending a code', () => {
  it('texts a code that carries the request’s id', async () => {
    const { ask, emulator } = setUpTwilio()
    expect(await ask('identity/send_code', 'r1', { phone })).toEqual({ status: 'sent' })
    expect(emulator.codeOf(phone)).toMatch(/^\d{6}$/)
    expect(emulator.verifications[0]!.attempts[0]).toMatchObject({ channel: 'sms', tags: '{"request_id":"r1"}' })
  })

  it('texts the same code again within ten minutes, and another one later', async () => {
    const { ask, emulator, clock } = setUpTwilio()
    await ask('identity/send_code', 'r1', { phone })
    const code = emulator.codeOf(phone)
    await ask('identity/send_code', 'r2', { phone })
    expect(emulator.codeOf(phone)).toBe(code)
    expect(emulator.verifications[0]!.attempts).toHaveLength(2)
    clock.now += 10 * MINUTE_MS
    await ask('identity/send_code', 'r3', { phone })
    expect(emulator.codeOf(phone)).not.toBe(code)
  })

  it.each([
    [400, 60200],
    [403, 60205],
    [403, 60410],
    [403, 60605],
    [400, 60540],
    [400, 60008],
    [400, 21211],
    [400, 21614],
  ])('refuses the phone after status %i with the code %i', async (status, code) => {
    const { ask, emulator, log } = setUpTwilio()
    emulator.setPhone(phone, { sendError: { status, code } })
    expect(await ask('identity/send_code', 'r1', { phone })).toEqual({ status: 'refused' })
    expect(log).toEqual([])
  })

  it.each([
    [429, 20429, true, []],
    [429, 60212, true, []],
    [429, 60203, false, []],
    [429, 60202, false, []],
    [404, 20404, false, ['provider_misconfigured']],
    [403, 20008, false, ['provider_misconfigured']],
    [400, 60204, false, ['provider_misconfigured']],
    [403, 60220, false, ['provider_misconfigured']],
    [403, 60223, false, ['provider_misconfigured']],
    [403, 60238, false, ['provider_misconfigured']],
    [400, 69999, false, ['provider_error_unknown']],
  ])('says that nothing was done after status %i with the code %i', async (status, code, retryable, events) => {
    const { ask, emulator, log } = setUpTwilio()
    emulator.setPhone(phone, { sendError: { status, code } })
    await expect(ask('identity/send_code', 'r1', { phone })).rejects.toMatchObject({ outcome: 'nothing', retryable })
    expect(log.map(({ event }) => event)).toEqual(events)
  })

  it('reads an error without a body by its status', async () => {
    const { ask } = setUpTwilio({
      network: answer => async request => (isSend(request) ? new Response('', { status: 429 }) : answer(request)),
    })
    await expect(ask('identity/send_code', 'r1', { phone })).rejects.toMatchObject({
      outcome: 'nothing',
      retryable: true,
    })
  })

  // kills: forbidden-without-code-is-rejected-key
  it.each([
    ['a wrong secret', { env: { TWILIO_API_SECRET: 'anotherSecret00000' } }],
    ['a 403 without a code of the table', { override: () => twilioError(403, 20403) }],
  ])('says that the key was rejected after %s', async (_, options) => {
    const { ask } = setUpTwilio(options)
    await expect(ask('identity/send_code', 'r1', { phone })).rejects.toThrow('Twilio rejected the credentials.')
  })

  it('allows five messages in ten minutes', async () => {
    const { ask, clock } = setUpTwilio()
    for (let i = 0; i < 5; i++) await ask('identity/send_code', `r${i}`, { phone })
    await expect(ask('identity/send_code', 'r5', { phone })).rejects.toThrow('error 60203')
    clock.now += 10 * MINUTE_MS
    expect(await ask('identity/send_code', 'r6', { phone })).toEqual({ status: 'sent' })
  })

  it('reports an unknown status, and leaves the outcome open', async () => {
    const { ask, log } = setUpTwilio({
      override: request => (isSend(request) ? Response.json({ status: 'queued' }, { status: 201 }) : undefined),
    })
    await expect(ask('identity/send_code', 'r1', { phone })).rejects.toMatchObject({ outcome: 'unknown' })
    expect(log).toEqual([
      { level: 'warn', event: 'provider_status_unknown', fields: { request_id: 'r1', status: 'queued' } },
    ])
  })

  it.each([
    ['an internet phone', '+12025550192', { TWILIO_REFUSE_VOIP: 'on' }],
    ['a phone whose SIM changed an hour ago', '+12025550193', { TWILIO_REFUSE_SIM_SWAP_HOURS: '24' }],
    ['a number that does not exist', '+1512555', { TWILIO_REFUSE_VOIP: 'on' }],
  ])('refuses %s if the settings say so, without a text message', async (_, to, env) => {
    const { ask, emulator } = setUpTwilio({ env })
    expect(await ask('identity/send_code', 'r1', { phone: to })).toEqual({ status: 'refused' })
    expect(emulator.verifications).toEqual([])
  })

  it.each([
    ['a mobile phone', phone, {}],
    ['a SIM that changed before', '+12025550193', { TWILIO_REFUSE_SIM_SWAP_HOURS: '1' }],
    ['a phone without data', '+12025550196', {}],
  ])('accepts %s with the settings that refuse phones', async (_, to, env) => {
    const { ask } = setUpTwilio({ env: { TWILIO_REFUSE_VOIP: 'on', TWILIO_REFUSE_SIM_SWAP_HOURS: '24', ...env } })
    expect(await ask('identity/send_code', 'r1', { phone: to })).toEqual({ status: 'sent' })
  })

  it('refuses a phone of which the carrier says only that its SIM changed', async () => {
    const swap = { last_sim_swap: { last_sim_swap_date: null, swapped_in_period: true }, error_code: null }
    const { ask } = setUpTwilio({
      env: { TWILIO_REFUSE_SIM_SWAP_HOURS: '24' },
      override: ({ url }) => (url.includes('sim_swap') ? Response.json({ valid: true, sim_swap: swap }) : undefined),
    })
    expect(await ask('identity/send_code', 'r1', { phone })).toEqual({ status: 'refused' })
  })

  it('sends nothing while a lookup that the settings require is not enabled', async () => {
    const { ask, emulator, log } = setUpTwilio({ env: { TWILIO_REFUSE_VOIP: 'on' } })
    emulator.setPhone(phone, { lookupError: 60606 })
    await expect(ask('identity/send_code', 'r1', { phone })).rejects.toMatchObject({ outcome: 'nothing' })
    expect(log).toMatchObject([{ level: 'error', event: 'provider_misconfigured', fields: { code: '60606' } }])
    expect(emulator.verifications).toEqual([])
  })
})

describe('the outcome of a lost send', () => {
  const lose = () => {
    let isLost = false
    const twilio = setUpTwilio({
      network: answer => async request => (isLost && isSend(request) ? null : answer(request)),
    })
    return { ...twilio, lose: (next: boolean) => (isLost = next) }
  }
  const outcome = { method: 'identity/send_code', question: { phone } }

  it('is unknown to Twilio if the request never arrived', async () => {
    const { ask, lose: set } = lose()
    expect(await ask('outcome', 'r1', outcome)).toEqual({ known: false })
    set(true)
    await expect(ask('identity/send_code', 'r1', { phone })).rejects.toMatchObject({ outcome: 'unknown' })
    expect(await ask('outcome', 'r1', outcome)).toEqual({ known: false })
  })

  it('is found in the list of attempts, and its code can be checked', async () => {
    const { ask, context, emulator, call, exchange } = setUpTwilio()
    // The host has no answer of this request, as after a crash between the effect and the answer.
    await ask('identity/send_code', 'r1', { phone })
    await context.store.put('code', 'r2', await context.store.get('code', 'r1'))
    expect(await exchange('outcome', call('r2', outcome))).toEqual({ known: true, answer: { status: 'sent' } })
    expect(await ask('identity/check_code', 'r2', { phone, code: emulator.codeOf(phone) })).toEqual({
      status: 'correct',
    })
  })

  // kills: accepted-message-is-not-found-again
  it('does not count a message whose code was already accepted', async () => {
    const { ask, emulator, lose: set } = lose()
    await ask('identity/send_code', 'r1', { phone })
    await ask('identity/check_code', 'r1', { phone, code: emulator.codeOf(phone) })
    set(true)
    await expect(ask('identity/send_code', 'r2', { phone })).rejects.toMatchObject({ outcome: 'unknown' })
    expect(await ask('outcome', 'r2', outcome)).toEqual({ known: false })
  })

  it('does not count a message of another time', async () => {
    const { ask, clock, lose: set } = lose()
    await ask('identity/send_code', 'r1', { phone })
    clock.now += 10_000
    set(true)
    await expect(ask('identity/send_code', 'r2', { phone })).rejects.toMatchObject({ outcome: 'unknown' })
    clock.now += 2 * MINUTE_MS
    set(false)
    await ask('identity/send_code', 'r3', { phone })
    expect(await ask('outcome', 'r2', outcome)).toEqual({ known: false })
  })
})

describe('checking a code', () => {
  it('accepts the code once', async () => {
    const { ask, emulator } = setUpTwilio()
    await ask('identity/send_code', 'r1', { phone })
    const code = emulator.codeOf(phone)!
    expect(await ask('identity/check_code', 'r1', { phone, code: other(code) })).toEqual({ status: 'incorrect' })
    expect(await ask('identity/check_code', 'r1', { phone, code })).toEqual({ status: 'correct' })
    expect(await ask('identity/check_code', 'r1', { phone, code })).toEqual({ status: 'correct' })
    expect(await ask('identity/check_code', 'r1', { phone, code: '000000' })).toEqual({ status: 'expired' })
    expect(await ask('identity/check_code', 'r2', { phone, code })).toEqual({ status: 'expired' })
  })

  it('expires after ten minutes, and after five checks', async () => {
    const { ask, emulator, clock } = setUpTwilio()
    await ask('identity/send_code', 'r1', { phone })
    const code = emulator.codeOf(phone)!
    for (let i = 0; i < 5; i++)
      expect(await ask('identity/check_code', 'r1', { phone, code: `00000${i}` })).toEqual({ status: 'incorrect' })
    expect(await ask('identity/check_code', 'r1', { phone, code })).toEqual({ status: 'expired' })
    await expect(ask('identity/send_code', 'r2', { phone })).rejects.toThrow('error 60202')
    clock.now += 10 * MINUTE_MS
    await ask('identity/send_code', 'r3', { phone })
    const next = emulator.codeOf(phone)!
    clock.now += 10 * MINUTE_MS
    expect(await ask('identity/check_code', 'r3', { phone, code: next })).toEqual({ status: 'expired' })
  })

  // kills: code-belongs-to-its-phone
  it('checks by verification, or by number if the number changed', async () => {
    const { ask, emulator, requests } = setUpTwilio()
    await ask('identity/send_code', 'r1', { phone })
    const code = emulator.codeOf(phone)!
    const changed = '+15125550143'
    expect(await ask('identity/check_code', 'r1', { phone: changed, code })).toEqual({ status: 'expired' })
    expect(await ask('identity/check_code', 'r1', { phone, code })).toEqual({ status: 'correct' })
    const checks = requests.filter(({ path }) => path.endsWith('Check')).map(({ form }) => Object.fromEntries(form))
    expect(checks).toEqual([
      { Code: code, To: changed },
      { Code: code, VerificationSid: emulator.verifications[0]!.sid },
    ])
  })

  it.each([
    ['approved', 'correct'],
    ['pending', 'incorrect'],
    ['canceled', 'expired'],
    ['deleted', 'expired'],
    ['expired', 'expired'],
    ['failed', 'expired'],
    ['max_attempts_reached', 'expired'],
  ])('answers %s with %s', async (status, answer) => {
    const { ask } = setUpTwilio({ override: request => (isCheck(request) ? Response.json({ status }) : undefined) })
    expect(await ask('identity/check_code', 'r1', { phone, code: '123456' })).toEqual({ status: answer })
  })

  // kills: silent-approval-is-no-code
  it('does not accept a code because a handset was verified silently in another session', async () => {
    const { ask, emulator } = setUpTwilio({ env: { TWILIO_SILENT_AUTH: 'on' } })
    await ask('identity/send_code', 'r1', { phone })
    const { urls } = (await ask('identity/begin_sna', 'r2', { phone })) as { urls: string[] }
    await emulator.answer(new Request(urls[0]!))
    expect(await ask('identity/check_code', 'r1', { phone, code: '000000' })).toEqual({ status: 'expired' })
  })

  it('reports an unknown status, and answers neither correct nor incorrect', async () => {
    const { ask, log } = setUpTwilio({ override: () => Response.json({ status: 'reviewing' }) })
    const check = ask('identity/check_code', 'r1', { phone, code: '123456' })
    await expect(check).rejects.toMatchObject({ retryable: false })
    expect(log).toMatchObject([{ event: 'provider_status_unknown', fields: { status: 'reviewing' } }])
  })

  it('reports an unknown error', async () => {
    const { ask, log } = setUpTwilio({ override: () => twilioError(400, 60999) })
    const check = ask('identity/check_code', 'r1', { phone, code: '123456' })
    await expect(check).rejects.toMatchObject({ outcome: 'nothing', retryable: false })
    expect(log).toMatchObject([{ event: 'provider_error_unknown', fields: { code: '60999' } }])
  })
})
