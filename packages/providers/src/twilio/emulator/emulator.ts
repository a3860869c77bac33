import { answerLookup } from './lookups.js'
import { type EmulatedPhone, ordinaryPhone, phones as preset } from './phones.js'
import { createVerifications, MAX_CHECKS, MAX_SENDS, type Verification } from './verifications.js'

export interface TwilioEmulatorOptions {
  /** The emulator's clock, in epoch milliseconds. */
  now?(): number
  account?: string
  apiKey?: string
  apiSecret?: string
  service?: string
  codeLength?: number
}

/** The credentials and ids that the emulator accepts unless told otherwise. */
export const emulatorIds = {
  account: `AC${'0'.repeat(32)}`,
  apiKey: `SK${'0'.repeat(32)}`,
  apiSecret: 'emulatedSecret0000',
  service: `VA${'0'.repeat(32)}`,
} as const

interface Call {
  path: readonly string[]
  url: URL
  form: URLSearchParams
}

/**
 * Emulates Twilio Verify and Lookup in memory, with Basic authentication, limits and error bodies. Nothing is texted: the
 * code of a phone is at `GET /emulator/codes/{phone}`, which Twilio does not have.
 */
export function createTwilioEmulator({
  now = Date.now,
  account = emulatorIds.account,
  apiKey = emulatorIds.apiKey,
  apiSecret = emulatorIds.apiSecret,
  service = emulatorIds.service,
  codeLength = 6,
}: TwilioEmulatorOptions = {}) {
  const verifications = createVerifications({ now, codeLength })
  const configured = new Map<string, Partial<EmulatedPhone>>(Object.entries(preset))
  const phoneOf = (phone: string): EmulatedPhone => ({ ...ordinaryPhone, ...configured.get(phone) })
  const credentials = `Basic ${Buffer.from(`${apiKey}:${apiSecret}`).toString('base64')}`

  const codeOf = (phone: string) => verifications.findOpen(phone)?.code

  function fetchService({ url }: Call): Response {
    return Response.json({
      sid: service,
      account_sid: account,
      friendly_name: 'Emulator',
      code_length: codeLength,
      lookup_enabled: true,
      skip_sms_to_landlines: true,
      custom_code_enabled: false,
      date_created: showTime(0),
      date_updated: showTime(0),
      url: url.href,
      links: {},
    })
  }

  function createVerification({ form, url }: Call): Response {
    const to = form.get('To') ?? ''
    const channel = form.get('Channel')
    if (!/^\+[1-9]\d{9,14}$/.test(to)) return createError(400, 60200, 'Invalid parameter `To`')
    if (channel !== 'sms' && channel !== 'sna') return createError(400, 60200, 'Invalid parameter `Channel`')
    const { sendError } = phoneOf(to)
    if (sendError) return createError(sendError.status, sendError.code, 'Unable to send to this number')
    const open = verifications.findOpen(to)
    if (open && open.checks >= MAX_CHECKS) return createError(429, 60202, 'Max check attempts reached')
    if (open && open.attempts.length >= MAX_SENDS) return createError(429, 60203, 'Max send attempts reached')
    const verification = verifications.send(to, channel, form.get('Tags'))
    return Response.json(
      { ...showVerification(verification, url.origin), lookup: {}, amount: null, payee: null },
      { status: 201 },
    )
  }

  function checkVerification({ form, url }: Call): Response {
    const sid = form.get('VerificationSid')
    const to = form.get('To')
    if (!sid && !to) return createError(400, 60200, 'Missing required parameter To or VerificationSid')
    const verification = sid ? verifications.findOpenBySid(sid) : verifications.findOpen(to!)
    if (!verification) return createNotFound(url)
    if (verification.checks >= MAX_CHECKS) return createError(429, 60202, 'Max check attempts reached')
    const attempt = verification.attempts.at(-1)!
    const isSilent = attempt.channel === 'sna'
    const code = form.get('Code')
    if (!isSilent && !code) return createError(400, 60200, 'Missing required parameter Code')
    if (!isSilent) verification.checks++
    if (isSilent) attempt.error = verification.isOpened ? phoneOf(verification.to).carrierError : 60519
    const isApproved = isSilent ? attempt.error === null : code === verification.code
    if (isApproved) verification.status = 'approved'
    verification.updatedAt = now()
    const errors = verification.attempts.flatMap(({ sid, error }) =>
      error === null ? [] : [{ attempt_sid: sid, code: error }],
    )
    const { url: _, send_code_attempts, sna, ...shown } = showVerification(verification, url.origin)
    return Response.json({ ...shown, amount: null, payee: null, sna_attempts_error_codes: isSilent ? errors : null })
  }

  function showVerification(verification: Verification, origin: string) {
    const { sid, to, status, attempts, createdAt, updatedAt } = verification
    const { channel, sid: attempt } = attempts.at(-1)!
    return {
      sid,
      service_sid: service,
      account_sid: account,
      to,
      channel,
      status,
      valid: status === 'approved',
      date_created: showTime(createdAt),
      date_updated: showTime(updatedAt),
      send_code_attempts: attempts.map(each => ({
        time: showTime(each.at),
        channel: each.channel,
        attempt_sid: each.sid,
      })),
      sna: channel === 'sna' ? { url: `${origin}/emulator/sna/${sid}?attempt=${attempt}` } : null,
      url: `${origin}/v2/Services/${service}/Verifications/${sid}`,
    }
  }

  function listAttempts({ url }: Call): Response {
    const { searchParams: query } = url
    const after = Date.parse(query.get('DateCreatedAfter') ?? '1970-01-01T00:00:00Z')
    const before = Date.parse(query.get('DateCreatedBefore') ?? '9999-01-01T00:00:00Z')
    const size = Number(query.get('PageSize') ?? 50)
    const matches = (name: string, value: string) => (query.get(name) ?? value) === value
    const found = verifications.all
      .flatMap(verification => verification.attempts.map(attempt => ({ verification, attempt })))
      // Silent verifications are not in this list.
      .filter(({ attempt }) => attempt.channel === 'sms' && attempt.at > after && attempt.at < before)
      .filter(({ verification: { to, sid } }) => matches('ChannelData.To', to) && matches('VerificationSid', sid))
      .filter(() => matches('VerifyServiceSid', service) && matches('Channel', 'sms'))
      .reverse()
    const page = `${url.origin}/v2/Attempts?PageSize=${size}&Page=0`
    return Response.json({
      attempts: found.slice(0, size).map(({ verification, attempt }) => ({
        sid: attempt.sid,
        account_sid: account,
        service_sid: service,
        verification_sid: verification.sid,
        date_created: showTime(attempt.at),
        date_updated: showTime(verification.updatedAt),
        conversion_status: verification.status === 'approved' ? 'converted' : 'unconverted',
        channel: 'sms',
        price: { value: '0.00', currency: 'usd' },
        channel_data: {
          to: verification.to,
          verification_sid: verification.sid,
          message_status: 'delivered',
          country: 'US',
        },
        url: `${url.origin}/v2/Attempts/${attempt.sid}`,
      })),
      meta: {
        key: 'attempts',
        page: 0,
        page_size: size,
        first_page_url: page,
        previous_page_url: null,
        next_page_url: null,
        url: page,
      },
    })
  }

  function fetchPhone({ path, url }: Call): Response {
    const phone = path[2]!
    return Response.json(
      answerLookup({ phone, query: url.searchParams, known: phoneOf(phone), now: now(), url: url.href }),
    )
  }

  /** Answers what Twilio doesn't have: the text message, and the carrier's page. */
  function answerControl({ path: [, what, id = ''] }: Call, url: URL): Response {
    if (what === 'codes') {
      const code = codeOf(id)
      return code === undefined ? createNotFound(url) : Response.json({ code })
    }
    const verification = what === 'sna' ? verifications.findOpenBySid(id) : undefined
    if (!verification) return createNotFound(url)
    verification.isOpened = true
    return new Response('ErrorCode=0&ErrorDescription=Success&Carrier=Emulated', {
      headers: { 'content-type': 'text/plain', 'access-control-allow-origin': '*' },
    })
  }

  const routes: Readonly<Record<string, (call: Call) => Response>> = {
    [`GET v2/Services/${service}`]: fetchService,
    [`POST v2/Services/${service}/Verifications`]: createVerification,
    [`POST v2/Services/${service}/VerificationCheck`]: checkVerification,
    'GET v2/Attempts': listAttempts,
  }

  return {
    async answer(request: Request): Promise<Response> {
      const url = new URL(request.url)
      const path = url.pathname.slice(1).split('/').map(decodeURIComponent)
      if (path[0] === 'emulator') return answerControl({ path, url, form: new URLSearchParams() }, url)
      if (request.headers.get('authorization') !== credentials) return createError(401, 20003, 'Authenticate')
      const form = new URLSearchParams(request.method === 'POST' ? await request.text() : '')
      const isLookup = request.method === 'GET' && path.length === 3 && path[1] === 'PhoneNumbers'
      const route = isLookup ? fetchPhone : routes[`${request.method} ${path.join('/')}`]
      return route ? route({ path, url, form }) : createNotFound(url)
    },
    /** Returns the code that was texted to a phone last, while it is valid. */
    codeOf,
    /** Every verification, the oldest first. */
    verifications: verifications.all as readonly Verification[],
    /** Changes how a phone behaves. */
    setPhone(phone: string, known: Partial<EmulatedPhone>): void {
      configured.set(phone, known)
    },
  }
}

const showTime = (time: number) => `${new Date(time).toISOString().slice(0, 19)}Z`

const createError = (status: number, code: number, message: string): Response =>
  Response.json({ code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status }, { status })

const createNotFound = ({ pathname }: URL) =>
  createError(404, 20404, `The requested resource ${pathname} was not found`)
