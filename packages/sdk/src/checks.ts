/**
 * Validates the caller's arguments. Each check throws a TypeError that says what to pass and never includes a secret.
 */
import type { ClientOptions, RequestOptions } from './options.js'

/** Describes a value without revealing its content. */
export function describeValue(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  if (value === '') return 'empty'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (typeof (value as { then?: unknown }).then === 'function') return 'a promise'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** The service's other kinds of credentials, by prefix. */
const others: readonly (readonly [string, string])[] = [
  ['pk_elem_', 'an element token'],
  ['otkn_', 'an Opal token'],
  ['whsec_', "a webhook's secret"],
  ['pk_', 'a publishable key'],
]

function checkKey(key: unknown): void {
  if (key === undefined || key === null || key === '')
    throw new TypeError(
      `Causeway requires apiKey, the secret key of your team (sk_…). It is ${describeValue(key)}: check the environment variable that you read it from.`,
    )
  if (typeof key !== 'string') throw new TypeError(`apiKey must be a string, not ${describeValue(key)}.`)
  if (/\s/.test(key))
    throw new TypeError('apiKey must not contain whitespace. Remove the line break or the word Bearer.')
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError('apiKey must contain only ASCII characters. Copy it again.')
  const other = others.find(([prefix]) => key.startsWith(prefix))
  if (other) throw new TypeError(`apiKey must be a secret key (sk_…), not ${other[1]}.`)
}

/** Returns true for a host that is always this machine. */
const isLoopback = (host: string): boolean => /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(host)

function checkUrl(baseUrl: unknown, allowInsecureHttp: unknown): void {
  const example = 'such as https://api.example.com'
  if (baseUrl === undefined || baseUrl === null || baseUrl === '')
    throw new TypeError(
      `Causeway requires baseUrl, the URL of the service, ${example}. It is ${describeValue(baseUrl)}.`,
    )
  if (typeof baseUrl !== 'string' && !(baseUrl instanceof URL))
    throw new TypeError(`baseUrl must be a string or a URL, ${example}, not ${describeValue(baseUrl)}.`)
  const text = String(baseUrl)
  // The URL parser would remove this whitespace, but the client appends paths to the text.
  if (/\s/.test(text)) throw new TypeError(`baseUrl must not contain whitespace: ${JSON.stringify(text)}.`)
  if (!URL.canParse(text)) throw new TypeError(`baseUrl must be a URL ${example}, not ${text}.`)
  const url = new URL(text)
  if (url.username || url.password) throw new TypeError('baseUrl must not contain a user name or password.')
  if (!/^https?:$/.test(url.protocol)) throw new TypeError(`baseUrl must begin with https:// or http://, ${example}.`)
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && allowInsecureHttp !== true)
    throw new TypeError(
      `baseUrl must begin with https://, ${example}. Over http://, the secret key is sent unencrypted. On a private network that encrypts connections, set allowInsecureHttp.`,
    )
  if (url.search || url.hash)
    throw new TypeError('baseUrl must not contain a query or a fragment. The client adds the path of each endpoint.')
}

/** Returns the text that precedes each endpoint's path. Throws a TypeError if it is not the URL of a service. */
export function readBaseUrl(baseUrl: string | URL, allowInsecureHttp?: boolean): string {
  checkUrl(baseUrl, allowInsecureHttp)
  const text = String(baseUrl)
  let end = text.length
  while (text[end - 1] === '/') end -= 1
  return text.slice(0, end)
}

function checkLimits({ timeout, maxRetries }: Pick<RequestOptions, 'timeout' | 'maxRetries'>): void {
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0))
    throw new TypeError('timeout must be a number of milliseconds greater than 0.')
  if (maxRetries !== undefined && !(Number.isInteger(maxRetries) && maxRetries >= 0))
    throw new TypeError('maxRetries must be a whole number, 0 or greater.')
}

const isBrowser = () => {
  const { window } = globalThis as { window?: { document?: unknown } }
  return window?.document !== undefined
}

/** Validates a client's options. */
export function checkClient(options: ClientOptions): void {
  if (isBrowser() && options.dangerouslyAllowBrowser !== true)
    throw new TypeError(
      'Causeway runs on servers: in a browser, anyone can read the secret key. Call your own server from the page. In a test that only simulates a browser, set dangerouslyAllowBrowser.',
    )
  checkKey(options.apiKey)
  readBaseUrl(options.baseUrl, options.allowInsecureHttp)
  checkLimits(options)
  if (options.fetch !== undefined && typeof options.fetch !== 'function')
    throw new TypeError(`fetch must be a function, not ${describeValue(options.fetch)}.`)
  for (const name of ['onRequest', 'onResponse'] as const)
    if (options[name] !== undefined && typeof options[name] !== 'function')
      throw new TypeError(`${name} must be a function, not ${describeValue(options[name])}.`)
  for (const level of ['debug', 'info', 'warn', 'error'] as const)
    if (options.logger && typeof options.logger[level] !== 'function')
      throw new TypeError(`logger must have the methods debug, info, warn and error, but it has no ${level}.`)
  if (options.fetch === undefined && typeof globalThis.fetch !== 'function')
    throw new TypeError('This runtime has no fetch. Use Node 20 or later, or set the fetch option.')
}

const requestOptionNames: Record<keyof RequestOptions, true> = {
  version: true,
  idempotencyKey: true,
  signal: true,
  timeout: true,
  maxRetries: true,
}

/**
 * Validates a call's options. Rejects unknown names, such as `idempotency_key`, which would otherwise have no effect.
 */
export function checkCall(options: RequestOptions): void {
  if (typeof options !== 'object') return
  const unknown = Object.keys(options).find(name => !Object.hasOwn(requestOptionNames, name))
  if (unknown !== undefined)
    throw new TypeError(
      `${unknown} is not a request option. Use one of: ${Object.keys(requestOptionNames).join(', ')}.`,
    )
  checkLimits(options)
  const { idempotencyKey: key, version } = options
  if (version !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(version))
    throw new TypeError('version must be an API version, which is a date such as 2026-03-30.')
  if (key !== undefined && key !== null && !/^[\x20-\x7e]{1,255}$/.test(key))
    throw new TypeError('idempotencyKey must be 1 to 255 printable ASCII characters, such as a UUID.')
}

/** Validates a delivery's body. */
export function checkBody(body: unknown): void {
  if (typeof body === 'string' || body instanceof Uint8Array) return
  const start = 'body must be the raw body, but it is'
  if (typeof body !== 'object' || body === null)
    throw new TypeError(`${start} ${describeValue(body)}. Read the request as text or bytes, before any parser runs.`)
  if (typeof (body as { then?: unknown }).then === 'function') throw new TypeError(`${start} a promise. Await it.`)
  if (typeof (body as { text?: unknown }).text === 'function')
    throw new TypeError(`${start} a Request. Pass \`await request.text()\`.`)
  throw new TypeError(
    `${start} a parsed object. Read the body before any JSON parser runs: in Express, use \`express.raw({ type: 'application/json' })\` on this path. A body that was parsed and serialized again does not match its signature.`,
  )
}

/** Validates a webhook's secrets and returns them as a list. */
export function checkSecrets(secret: unknown): readonly string[] {
  const all = Array.isArray(secret) ? secret : [secret]
  const wrong = all.length === 0 ? [all] : all.filter(each => typeof each !== 'string' || each === '')
  if (wrong.length > 0)
    throw new TypeError(
      `secret must be the hmac_secret of the webhook, but it is ${describeValue(wrong[0])}. Check the environment variable that you read it from.`,
    )
  return all
}

/**
 * Describes a likely mistake in the secrets when no signature matches. Returns an empty string if the secrets look
 * right.
 */
export function hintOf(secrets: readonly string[]): string {
  if (secrets.some(each => each !== each.trim())) return ' The secret begins or ends with whitespace: remove it.'
  if (secrets.some(each => each.startsWith('sk_'))) return ' The secret looks like an API key: use the hmac_secret.'
  return ''
}
