import { MINUTE_MS } from '@causeway/contract/time'
import { describe, expect, it } from 'vitest'
import { type EmulatedTwilioOptions, setUpTwilio, twilioError } from '../testing/twilio.js'

const phone = '+15125550142'
const isCheck = ({ url }: Request) => url.endsWith('/VerificationCheck')
const setUp = (options: EmulatedTwilioOptions = {}) =>
  setUpTwilio({ ...options, env: { TWILIO_SILENT_AUTH: 'on', ...options.env } })
type Twilio = ReturnType<typeof setUp>

async function begin({ ask }: Twilio, request = 'r1', to = phone): Promise<string> {
  const { urls } = (await ask('identity/begin_sna', request, { phone: to })) as { urls: string[] }
  return urls[0]!
}
const open = ({ emulator }: Twilio, url: string) => emulator.answer(new Request(url))
const check = ({ ask }: Twilio, request = 'r1') => ask('identity/check_sna', request, { phone })

describe('silent verification', () => {
  it('is not served while it is off', async () => {
    const { ask, requests } = setUpTwilio()
    for (const path of ['identity/begin_sna', 'identity/check_sna'])
      await expect(ask(path, 'r1', { phone })).rejects.toThrow(`Twilio has no ${path}.`)
    expect(await ask('capabilities', '', {})).toEqual({
      methods: ['identity/send_code', 'identity/check_code', 'identity/match', 'identity/questions'],
      routes: [],
      discovery: 'search',
      persons: 'any',
    })
    expect(requests).toEqual([])
  })

  it('is correct after the handset opened the URL, and stays correct', async () => {
    const twilio = setUp()
    const url = await begin(twilio)
    expect(await check(twilio)).toEqual({ status: 'pending' })
    expect((await open(twilio, url)).status).toBe(200)
    expect(await check(twilio)).toEqual({ status: 'correct' })
    expect(await check(twilio)).toEqual({ status: 'correct' })
  })

  it('is incorrect if the carrier fails, and a code can be texted instead', async () => {
    const twilio = setUp()
    twilio.emulator.setPhone(phone, { carrierError: 60533 })
    await open(twilio, await begin(twilio))
    expect(await check(twilio)).toEqual({ status: 'incorrect' })
    await twilio.ask('identity/send_code', 'r2', { phone })
    const code = twilio.emulator.codeOf(phone)
    expect(await twilio.ask('identity/check_code', 'r2', { phone, code })).toEqual({ status: 'correct' })
  })

  // kills: silent-proof-belongs-to-its-phone
  it('is incorrect after ten minutes, for another request and for another number', async () => {
    const twilio = setUp()
    await open(twilio, await begin(twilio))
    expect(await check(twilio, 'r2')).toEqual({ status: 'incorrect' })
    expect(await twilio.ask('identity/check_sna', 'r1', { phone: '+15125550143' })).toEqual({ status: 'incorrect' })
    twilio.clock.now += 10 * MINUTE_MS
    expect(await check(twilio)).toEqual({ status: 'incorrect' })
  })

  it.each([
    [400, 60540],
    [400, 60008],
    [400, 60500],
    [400, 60599],
    [400, 60607],
    [403, 60410],
  ])('is refused after status %i with the code %i', async (status, code) => {
    const { ask, emulator } = setUp()
    emulator.setPhone(phone, { sendError: { status, code } })
    expect(await ask('identity/begin_sna', 'r1', { phone })).toEqual({ status: 'refused' })
  })

  it.each([
    [404, 20404],
    [403, 60223],
    [429, 60203],
    [429, 60202],
    [429, 20429],
  ])('says that nothing was done after status %i with the code %i', async (status, code) => {
    const { ask, emulator } = setUp()
    emulator.setPhone(phone, { sendError: { status, code } })
    await expect(ask('identity/begin_sna', 'r1', { phone })).rejects.toMatchObject({ outcome: 'nothing' })
  })

  it('begins again if the answer was lost, and refuses phones that the settings refuse', async () => {
    const { ask } = setUp({ env: { TWILIO_REFUSE_VOIP: 'on' } })
    const outcome = { method: 'identity/begin_sna', question: { phone } }
    expect(await ask('outcome', 'r1', outcome)).toEqual({ known: false })
    expect(await ask('identity/begin_sna', 'r1', { phone: '+12025550192' })).toEqual({ status: 'refused' })
  })

  it.each([
    ['no URL', null],
    ['something else than a URL', 'open me'],
    ['a URL that is too long', `https://carrier.example/${'x'.repeat(2_000)}`],
  ])('reports an answer with %s', async (_, url) => {
    const sid = `VE${'0'.repeat(32)}`
    const { ask, log } = setUp({
      override: () => Response.json({ sid, status: 'pending', sna: url === null ? null : { url } }, { status: 201 }),
    })
    await expect(ask('identity/begin_sna', 'r1', { phone })).rejects.toThrow('unknown status')
    expect(log).toMatchObject([{ event: 'provider_status_unknown' }])
  })

  it.each([
    ['approved', [], 'correct'],
    ['pending', [], 'pending'],
    ['pending', [{ code: 60533 }, { code: 60519 }], 'pending'],
    ['pending', [60519], 'pending'],
    ['pending', [{ code: 60519 }, { code: 60533 }], 'incorrect'],
    ['pending', [{ code: 60599 }], 'incorrect'],
    ['canceled', [], 'incorrect'],
    ['deleted', [], 'incorrect'],
    ['expired', [], 'incorrect'],
    ['failed', [], 'incorrect'],
    ['max_attempts_reached', [], 'incorrect'],
  ])('answers %s with the errors %j as %3$s', async (status, sna_attempts_error_codes, answer) => {
    const twilio = setUp({
      override: request => (isCheck(request) ? Response.json({ status, sna_attempts_error_codes }) : undefined),
    })
    await begin(twilio)
    expect(await check(twilio)).toEqual({ status: answer })
  })

  it.each([
    [400, 60519, 'pending'],
    [400, 60533, 'incorrect'],
    [400, 60200, 'incorrect'],
    [404, 20404, 'incorrect'],
    [429, 60202, 'incorrect'],
  ])('answers status %i with the code %i as %s', async (status, code, answer) => {
    const twilio = setUp({ override: request => (isCheck(request) ? twilioError(status, code) : undefined) })
    await begin(twilio)
    expect(await check(twilio)).toEqual({ status: answer })
  })

  it('reports an unknown status and an unknown error', async () => {
    let answer = Response.json({ status: 'reviewing' })
    const twilio = setUp({ override: request => (isCheck(request) ? answer : undefined) })
    await begin(twilio)
    await expect(check(twilio)).rejects.toMatchObject({ retryable: false })
    answer = twilioError(400, 69999)
    await expect(check(twilio)).rejects.toMatchObject({ outcome: 'nothing' })
    expect(twilio.log.map(({ event }) => event)).toEqual(['provider_status_unknown', 'provider_error_unknown'])
  })
})
