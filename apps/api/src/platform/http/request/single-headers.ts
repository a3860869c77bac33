import type { IncomingMessage } from 'node:http'

/** Headers that a request has only once. A proxy or a retry library may still send copies, or join copies with commas. */
const singleHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'connector-signature',
  'content-encoding',
  'content-type',
  'idempotency-key',
  'method-mle',
  'method-version',
  'origin',
  'sec-fetch-site',
  'service-mle',
  'service-version',
])

/** The maximum length, in bytes, of a value in which joined copies are looked for. */
const MAX_JOINED_BYTES = 4_096

const isSpace = (code: number) => code === 0x20 || code === 0x09

/** Removes spaces and tabs at both ends, and no other character: a header's text may hold the bytes of UTF-8. */
function trimSpaces(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && isSpace(text.charCodeAt(from))) from += 1
  while (to > from && isSpace(text.charCodeAt(to - 1))) to -= 1
  return text.slice(from, to)
}

/** Returns the end of the part of a list that starts at `at`. A part in double quotes may contain commas. */
function endOfPart(list: string, at: number): number {
  let from = at
  while (isSpace(list.charCodeAt(from))) from += 1
  const quote = list[from] === '"' ? list.indexOf('"', from + 1) : -1
  if (quote > 0) {
    let after = quote + 1
    while (isSpace(list.charCodeAt(after))) after += 1
    if (after === list.length || list[after] === ',') return after
  }
  const comma = list.indexOf(',', at)
  return comma < 0 ? list.length : comma
}

/** Returns the text inside double quotes, or the text itself if it is not one quoted value. */
export function unquote(text: string): string {
  const isQuoted = text.length >= 2 && text.indexOf('"', 1) === text.length - 1 && text.startsWith('"')
  return isQuoted ? text.slice(1, -1) : text
}

/**
 * Reverses the joining of equal copies: `a, a` and `a,` become `a`, and `a,b, a,b` becomes `a,b`. Returns any other
 * value unchanged.
 */
export function mergeJoined(value: string): string {
  if (value.length > MAX_JOINED_BYTES || !value.includes(',')) return value
  const ends: number[] = []
  for (let at = 0; at <= value.length; at = ends.at(-1)! + 1) ends.push(endOfPart(value, at))
  const part = (from: number, to = from) => trimSpaces(value.slice(from === 0 ? 0 : ends[from - 1]! + 1, ends[to]))
  const [copy = '', ...others] = ends.map((_, index) => part(index)).filter(text => text !== '')
  if (others.every(other => unquote(other) === unquote(copy))) return copy
  for (let size = 2; size <= ends.length / 2; size += 1) {
    if (ends.length % size > 0) continue
    const first = part(0, size - 1)
    let at = size
    while (at < ends.length && part(at, at + size - 1) === first) at += size
    if (at === ends.length) return first
  }
  return value
}

/**
 * Merges the equal copies of each header that a request has only once, in place. Returns the name of a header whose
 * copies differ, or undefined. Must run before anything else reads the headers, because node:http drops or joins copies.
 */
export function mergeCopies(incoming: Pick<IncomingMessage, 'rawHeaders' | 'headers'>): string | undefined {
  const { rawHeaders: raw, headers } = incoming
  const values = new Map<string, string>()
  let isChanged = false
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at]!.toLowerCase()
    if (!singleHeaders.has(name)) continue
    const value = mergeJoined(raw[at + 1]!)
    const earlier = values.get(name)
    if (earlier !== undefined || value !== raw[at + 1]) isChanged = true
    if (earlier && value !== '' && unquote(earlier) !== unquote(value)) return raw[at]
    if (!earlier) values.set(name, value)
  }
  if (!isChanged) return undefined
  const others = raw.flatMap((name, at) =>
    at % 2 === 0 && !values.has(name.toLowerCase()) ? [name, raw[at + 1]!] : [],
  )
  incoming.rawHeaders = [...others, ...[...values].flat()]
  for (const [name, value] of values) headers[name] = value
  return undefined
}
