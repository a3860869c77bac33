import { type ErrorSubType, ServiceError } from '@causeway/contract/errors'

/** A request as the team gave it: templates stand where values will. */
export interface Given {
  url: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers: Record<string, string>
  body: string
  bindings: Record<string, string>
}

/** One template: a field of a bound resource that replaces it. */
export interface Reference {
  name: string
  /** Such as `card.number`. */
  path: string
}
export type LookUp = (reference: Reference) => string

const refuse = (subType: ErrorSubType, message?: string) => new ServiceError(subType, message)

const TEMPLATE = /\{\{([^{}]*)\}\}/g
const REFERENCE = /^\s*([a-z_][\w-]*)((?:\.\w+)+)\s*$/i
/** Puts values where the templates of a text are. What a value holds is no template. Throws INVALID_TEMPLATE. Pure. */
function fillText(text: string, lookUp: LookUp): string {
  if (text.replace(TEMPLATE, '').includes('{{')) throw refuse('INVALID_TEMPLATE')
  return text.replace(TEMPLATE, (_whole, inner: string) => {
    const [, name, path] = REFERENCE.exec(inner) ?? []
    if (!name || !path) throw refuse('INVALID_TEMPLATE')
    return lookUp({ name, path: path.slice(1) })
  })
}

/** A string of JSON, and the colon that makes it a key. */
const STRING = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?/g

/** The same inside the strings of a JSON text; every other byte of it stays. Pure. */
export function fillJson(json: string, lookUp: LookUp): string {
  return json.replace(STRING, (whole, quoted: string, colon?: string) => {
    const text = JSON.parse(quoted) as string
    if (!text.includes('{{')) return whole
    if (colon !== undefined) throw refuse('TEMPLATE_IN_KEYS_NOT_ALLOWED')
    return JSON.stringify(fillText(text, lookUp))
  })
}

/** A request with its values. Pure. */
export function fill<T extends Given>(given: T, lookUp: LookUp): T {
  const headers = Object.fromEntries(
    Object.entries(given.headers).map(([name, value]) => {
      const filled = fillText(value, lookUp)
      // Characters that a header can't carry could start another one.
      if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(filled))
        throw refuse(
          'UNSUPPORTED_BINDING_VALUE',
          'A value that a header uses must contain only characters that are valid in headers.',
        )
      return [name, filled]
    }),
  )
  return { ...given, headers, body: given.body === '' ? '' : fillJson(given.body, lookUp) }
}

/** Checks all that can be said of a request without looking anything up. @returns its templates. Pure. */
export function check(given: Given): Reference[] {
  checkHeaders(given)
  if (given.body !== '' || !['GET', 'DELETE'].includes(given.method))
    try {
      JSON.parse(given.body)
    } catch {
      throw refuse('BODY_JSON_INVALID')
    }
  const used: Reference[] = []
  fill(given, reference => {
    used.push(reference)
    return ''
  })
  for (const { name } of used)
    if (!Object.hasOwn(given.bindings, name))
      throw refuse('BINDING_NAME_MISSING', `A template uses the name ${name.slice(0, 40)}, which is not in bindings.`)
  if (Object.keys(given.bindings).some(name => !used.some(reference => reference.name === name)))
    throw refuse('BINDING_NAME_NOT_REFERENCED')
  return used
}

function checkHeaders({ headers, body }: Given): void {
  for (const [name, value] of Object.entries(headers)) {
    if (name.includes('{{')) throw refuse('TEMPLATE_IN_KEYS_NOT_ALLOWED')
    if (name.toLowerCase() === 'content-type' && body !== '' && !/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(value))
      throw refuse('INVALID_CONTENT_TYPE')
  }
}

/** True if an address is one of the list, or below one: same origin, and a path that begins with the whole of its path. Pure. */
export function isAllowed(text: string, list: readonly string[]): boolean {
  if (!URL.canParse(text) || text.includes('{{')) return false
  const url = new URL(text)
  return list.some(entry => {
    const base = new URL(entry)
    if (base.origin !== url.origin) return false
    const path = base.pathname.replace(/\/$/, '')
    // A hidden slash can mean another path to the destination than to us.
    if (path !== '' && /%2f|%5c|%2e/i.test(url.pathname)) return false
    return url.pathname === path || url.pathname.startsWith(`${path}/`)
  })
}

/** The shortest value that is looked for in an answer: shorter ones would be found where they are not. */
const SHORTEST = 5

/** A destination's answer, with the templates where it repeats the values that were filled in. Pure. */
export function hide(value: unknown, filled: ReadonlyMap<string, string>): unknown {
  const known = [...filled].filter(([text]) => text.length >= SHORTEST).sort(([a], [b]) => b.length - a.length)
  const clean = (text: string) =>
    known.reduce((rest, [found, template]) => rest.replaceAll(found, () => template), text)
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
