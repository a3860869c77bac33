/** A recorded request. */
export interface RecordedRequest {
  method: string
  /** Without the query. */
  path: string
  /** Null if the record has only a path. */
  host: string | null
  /** By lowercase name. */
  headers: Readonly<Record<string, string>>
  /** The body if it is a JSON object; otherwise null. */
  body: Readonly<Record<string, unknown>> | null
}

type Json = Readonly<Record<string, unknown>>
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** Returns undefined for text that is not JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads headers in either form: an object, or a list of names and values. */
function readHeaders(headers: unknown): Record<string, string> {
  const pairs = Array.isArray(headers)
    ? headers.filter(isObject).map(({ name, value }) => [textOf(name), value] as const)
    : Object.entries(isObject(headers) ? headers : {})
  return Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), textOf(value)]))
}

const bodyOf = (body: unknown): Json | null => {
  const parsed = typeof body === 'string' ? parse(body) : body
  return isObject(parsed) ? parsed : null
}

/** Returns a request, or null if it has no method and address. */
export function recordOf(method: unknown, address: unknown, headers: unknown, body: unknown): RecordedRequest | null {
  const text = textOf(address)
  if (!/^[a-z]{3,10}$/i.test(textOf(method).slice(0, 11)) || !/^(?:https?:\/\/|\/)/i.test(text.slice(0, 9))) return null
  if (!URL.canParse(text, 'http://recorded')) return null
  const url = new URL(text, 'http://recorded')
  return {
    method: textOf(method).toUpperCase(),
    path: url.pathname,
    host: text.startsWith('/') ? null : url.host,
    headers: readHeaders(headers),
    body: bodyOf(body),
  }
}
