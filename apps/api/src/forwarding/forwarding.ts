import { type ErrorSubType, ServiceError } from '@causeway/contract/errors'

/** A request as the team sent it, with templates in place of values. */
export interface ForwardingRequest {
  url: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers: Record<string, string>
  body: string
  bindings: Record<string, string>
}

/** The resource field that a template names. The field's value replaces the template. */
export interface Reference {
  name: string
  /** The field's path, such as `card.number`. */
  path: string
}
export type LookUp = (reference: Reference) => string

const refuse = (subType: ErrorSubType, message?: string) => new ServiceError(subType, message)

const TEMPLATE = /\{\{([^{}]*)\}\}/g
const REFERENCE = /^\s*([a-z_][\w-]*)((?:\.\w+)+)\s*$/i
/**
 * Replaces the templates in a string with values. Does not replace templates inside those values. Throws
 * INVALID_TEMPLATE. Pure.
 */
function fillText(text: string, lookUp: LookUp): string {
  if (text.replace(TEMPLATE, '').includes('{{')) throw refuse('INVALID_TEMPLATE')
  return text.replace(TEMPLATE, (_whole, inner: string) => {
    const [, name, path] = REFERENCE.exec(inner) ?? []
    if (!name || !path) throw refuse('INVALID_TEMPLATE')
    return lookUp({ name, path: path.slice(1) })
  })
}

/**
 * Matches a JSON string and, if the string is a key, the colon after it. In valid JSON, every string has its closing
 * quote; because the pattern does not require it, no match fails after it has read the rest of the text.
 */
const JSON_STRING = /("[^"\\]*(?:\\.[^"\\]*)*"?)(\s*:)?/g

/** Replaces the templates in a JSON document's strings and leaves all other bytes unchanged. Pure. */
export function fillJson(json: string, lookUp: LookUp): string {
  return json.replace(JSON_STRING, (whole, quoted: string, colon?: string) => {
    const text = JSON.parse(quoted) as string
    if (!text.includes('{{')) return whole
    if (colon !== undefined) throw refuse('TEMPLATE_IN_KEYS_NOT_ALLOWED')
    return JSON.stringify(fillText(text, lookUp))
  })
}

/** Replaces a request's templates with values. Pure. */
export function fillTemplates<T extends ForwardingRequest>(request: T, lookUp: LookUp): T {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => {
      const filled = fillText(value, lookUp)
      // Characters that are invalid in a header value could be used to inject another header.
      if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(filled))
        throw refuse(
          'UNSUPPORTED_BINDING_VALUE',
          'A value that a header uses must contain only characters that are valid in headers.',
        )
      return [name, filled]
    }),
  )
  return { ...request, headers, body: request.body === '' ? '' : fillJson(request.body, lookUp) }
}

/**
 * Runs the checks that require no lookup. Pure.
 * @returns the request's templates
 */
export function checkTemplates(request: ForwardingRequest): Reference[] {
  checkHeaders(request)
  if (request.body !== '' || !['GET', 'DELETE'].includes(request.method))
    try {
      JSON.parse(request.body)
    } catch {
      throw refuse('BODY_JSON_INVALID')
    }
  const used: Reference[] = []
  fillTemplates(request, reference => {
    used.push(reference)
    return ''
  })
  if (used.some(({ name }) => !Object.hasOwn(request.bindings, name))) throw refuse('BINDING_NAME_MISSING')
  const names = new Set(used.map(({ name }) => name))
  if (Object.keys(request.bindings).some(name => !names.has(name))) throw refuse('BINDING_NAME_NOT_REFERENCED')
  return used
}

function checkHeaders({ headers, body }: ForwardingRequest): void {
  for (const [name, value] of Object.entries(headers)) {
    if (name.includes('{{')) throw refuse('TEMPLATE_IN_KEYS_NOT_ALLOWED')
    if (name.toLowerCase() === 'content-type' && body !== '' && !/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(value))
      throw refuse('INVALID_CONTENT_TYPE')
  }
}

/**
 * Returns true if a URL is covered by an entry in the list: its origin must be the entry's origin, and its path must be
 * the entry's path or a path below it. Pure.
 */
export function isUrlAllowed(text: string, list: readonly string[]): boolean {
  if (!URL.canParse(text) || text.includes('{{')) return false
  const url = new URL(text)
  return list.some(entry => {
    const base = new URL(entry)
    if (base.origin !== url.origin) return false
    const path = base.pathname.replace(/\/$/, '')
    // The destination might decode an encoded slash or dot, which would change the path.
    if (path !== '' && /%2f|%5c|%2e/i.test(url.pathname)) return false
    return url.pathname === path || url.pathname.startsWith(`${path}/`)
  })
}

/** The minimum length of a value to search for in a response. Shorter values would match unrelated text. */
const MIN_HIDDEN_LENGTH = 5

/** Returns a function that replaces inserted values in a text with their templates. */
function createCleaner(filled: ReadonlyMap<string, string>): (text: string) => string {
  const longestFirst = [...filled]
    .filter(([text]) => text.length >= MIN_HIDDEN_LENGTH)
    .sort(([a], [b]) => b.length - a.length)
  return text => longestFirst.reduce((rest, [value, template]) => rest.replaceAll(value, () => template), text)
}

/**
 * Replaces any inserted values in a response that is kept as text. A value may be written with escapes in the strings of
 * JSON, even of JSON that is cut off. Pure.
 */
export function hideValuesInText(text: string, filled: ReadonlyMap<string, string>): string {
  const clean = createCleaner(filled)
  const withoutEscapes = text.replace(JSON_STRING, (whole, quoted: string, colon = '') => {
    if (!quoted.includes('\\')) return whole
    try {
      const inner = JSON.parse(quoted) as string
      const cleaned = clean(inner)
      return cleaned === inner ? whole : `${JSON.stringify(cleaned)}${colon}`
    } catch {
      return whole
    }
  })
  return clean(withoutEscapes)
}

/** Replaces any inserted values in the destination's response with their templates. Pure. */
export function hideValues(value: unknown, filled: ReadonlyMap<string, string>): unknown {
  const clean = createCleaner(filled)
  const walk = (inner: unknown): unknown => {
    if (typeof inner === 'string') return clean(inner)
    if (typeof inner === 'number') {
      const text = String(inner)
      const cleaned = clean(text)
      return cleaned === text ? inner : cleaned
    }
    if (Array.isArray(inner)) return inner.map(walk)
    if (typeof inner !== 'object' || inner === null) return inner
    return Object.fromEntries(Object.entries(inner).map(([key, each]) => [clean(key), walk(each)]))
  }
  return walk(value)
}
