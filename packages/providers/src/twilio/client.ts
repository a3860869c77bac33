import { RejectedKeyError } from '@causeway/connector/provider/guarded-fetch'
import type { ProviderContext } from '@causeway/connector/provider/provider'
import { errorMeanings } from './errors.js'
import { type settings, TWILIO_ORIGIN, type TwilioSettings } from './settings.js'

export type TwilioContext = ProviderContext<typeof settings>

type Api = 'verify' | 'lookups'

export interface TwilioRequest {
  api: Api
  path: string
  query?: Readonly<Record<string, string>>
  /** The body's fields. A request with a body is a POST request. */
  form?: Readonly<Record<string, string>>
}

type Members = Readonly<Record<string, unknown>>

/** A successful answer, or the code of the error; null if the error has no code. */
export type TwilioReply = { ok: true; body: Members } | { ok: false; code: number | null }

/** Returns an API's base address. Another address than Twilio's own serves all of the APIs. */
export const apiAddress = ({ TWILIO_API_URL }: TwilioSettings, api: Api): string =>
  TWILIO_API_URL === TWILIO_ORIGIN ? `https://${api}.twilio.com` : TWILIO_API_URL

/** @returns the members of an object; none for any other value */
export const members = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? (value as Members) : {}

/** @returns the id if it is one of Twilio's with this prefix */
export const readSid = (prefix: string, value: unknown): string | undefined =>
  typeof value === 'string' && value.length === 34 && value.startsWith(prefix) ? value : undefined

/** The path of a resource of the configured Verify service. */
export const servicePath = ({ TWILIO_VERIFY_SERVICE }: TwilioSettings, rest = '') =>
  `/v2/Services/${TWILIO_VERIFY_SERVICE}${rest}`

/**
 * Calls Twilio. Returns the code of an error about the request's content. Throws {@link OutsideError} for the others, as
 * `ProviderContext.fetch` does.
 */
export async function callTwilio(
  { settings, fetch }: Pick<TwilioContext, 'settings' | 'fetch'>,
  { api, path, query, form }: TwilioRequest,
): Promise<TwilioReply> {
  const credentials = `${settings.TWILIO_API_KEY}:${settings.TWILIO_API_SECRET}`
  const { status, json } = await fetch({
    method: form ? 'POST' : 'GET',
    url: `${apiAddress(settings, api)}${path}${query ? `?${new URLSearchParams(query)}` : ''}`,
    headers: {
      authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(form && { body: new URLSearchParams(form).toString() }),
    // Twilio uses them for phones that it blocks, and for the limits of a verification.
    returns: [403, 429],
  })
  if (status < 300) return { ok: true, body: members(json) }
  const { code: given } = members(json)
  const code = typeof given === 'number' ? given : (codesByStatus[status] ?? null)
  // mutant: forbidden-without-code-is-rejected-key (false)
  if (status === 403 && !errorMeanings.has(code)) throw new RejectedKeyError('Twilio')
  return { ok: false, code }
}

/** The codes of errors whose body can't be read. */
const codesByStatus: Readonly<Record<number, number>> = { 404: 20404, 429: 20429 }
