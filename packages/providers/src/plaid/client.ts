import { OutsideError } from '@causeway/connector/ports/outside-error'
import { RejectedKeyError } from '@causeway/connector/provider/guarded-fetch'
import { type ErrorKind, kindOf } from './errors.js'
import { baseUrl, type Context } from './settings.js'

/** The parts of a context that requests need. */
export type Caller = Pick<Context, 'settings' | 'fetch'>

export type Json = Readonly<Record<string, unknown>>

/** An error that Plaid answered. Nothing was done. */
export interface Refusal {
  code: string
  kind: ErrorKind
}

export type Result = { value: Json; refusal?: never } | { value?: never; refusal: Refusal }

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the objects of a list. Anything else has none. */
export const objectsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

export const textOf = (value: unknown, max = 1_000): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.slice(0, max) : null

/** The ids of items, accounts and transactions, which are case-sensitive. */
export const isId = (value: unknown): value is string => typeof value === 'string' && /^[\w-]{1,100}$/.test(value)

export const unreadable = () => new OutsideError('Plaid did not answer: the body has another shape.')

/** Sends a request. Every request of Plaid's is a POST. @throws if the credentials are rejected */
export async function post({ settings, fetch }: Caller, path: `/${string}`, body: object): Promise<Result> {
  const { status, json } = await fetch({
    method: 'POST',
    url: `${baseUrl(settings)}${path}`,
    headers: {
      'content-type': 'application/json',
      'plaid-client-id': settings.PLAID_CLIENT_ID,
      'plaid-secret': settings.PLAID_SECRET,
    },
    body: JSON.stringify(body),
  })
  if (status < 300) {
    if (!isObject(json)) throw unreadable()
    return { value: json }
  }
  const code = isObject(json) && typeof json['error_code'] === 'string' ? json['error_code'] : 'unknown'
  const kind = kindOf(code)
  if (kind === 'key') throw new RejectedKeyError('Plaid')
  return { refusal: { code: /^\w{1,100}$/.test(code) ? code : 'unknown', kind } }
}

/** The error for a refusal that no answer of the port fits. */
export const refused = ({ code, kind }: Refusal): OutsideError =>
  new OutsideError(`Plaid did not accept a request: ${code}.`, { outcome: 'nothing', retryable: kind === 'later' })

/** Sends a request that Plaid must accept. */
export async function postOrThrow(caller: Caller, path: `/${string}`, body: object): Promise<Json> {
  const { value, refusal } = await post(caller, path, body)
  if (refusal) throw refused(refusal)
  return value
}
