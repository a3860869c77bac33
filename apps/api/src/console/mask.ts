/** Answers of the API as the console shows them: a person's name and the last four of a number stay. Pure. */
import { REDACTED } from '../platform/http/redact.js'

const MASK = '••••'

/** Fields whose values are replaced, wherever they are. */
const hidden = new Set([
  'email',
  'emails',
  'email_address',
  'dob',
  'date_of_birth',
  'birth_date',
  'ssn',
  'ssn_4',
  'ssns',
  'ein',
  'line1',
  'line2',
  'street',
  'address_street',
  'vin',
  'cvv',
  'ip',
  'ip_address',
])
/** Fields that hold what a customer or a data network put there, under any name: each value in them is replaced. */
const foreign = new Set(['metadata', 'plaid', 'mx', 'teller', 'questions'])
/** Fields of which the last four characters stay, where they hold texts. */
const shortened = new Set(['number', 'account_number', 'card_number', 'phone', 'phones', 'phone_number'])

/** Fields that hold a body as a text. */
const written = new Set(['body', 'excerpt'])

/** Patterns of such values in any other field. */
const patterns: readonly [RegExp, string][] = [
  [/[^\s@"<>]+@[^\s@"<>]+\.[^\s@"<>]+/g, MASK],
  [/\b\d{3}-\d{2}-\d{4}\b/g, MASK],
  // The number in error messages that show the form of one is fictional.
  [/\+1(?!2025550123)[2-9]\d{5}(\d{4})\b/g, `${MASK}$1`],
  [/\(?\b\d{3}\)?[ .-]\d{3}[ .-](\d{4})\b/g, `${MASK}$1`],
]

/** A text of which the last four characters stay if it is long, or has only those. */
const last = (text: string) =>
  text === REDACTED ? text : `${MASK}${text.length > 8 || /^[*•xX]+\d{4}$/.test(text) ? text.slice(-4) : ''}`

function maskText(text: string): string {
  let out = text
  for (const [pattern, shown] of patterns) out = out.replace(pattern, shown)
  return out
}

/** Replaces each text and number within a value. */
function replace(value: unknown, by: (text: string) => string): unknown {
  if (typeof value === 'string') return value === '' ? value : by(value)
  if (typeof value === 'number') return by(String(value))
  if (Array.isArray(value)) return value.map(each => replace(each, by))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [maskText(name), replace(inner, by)]))
  return value
}

/** Personal fields within a text that is almost JSON, such as the beginning of a response. */
const namedValues = new RegExp(
  `("(?:${[...hidden, ...shortened].join('|')}|address)"\\s*:\\s*)("(?:[^"\\\\]|\\\\.)*"?|[\\d.]+)`,
  'gi',
)

/** A text that holds JSON, masked by the names of its fields; one that is cut off, as far as its fields are known. */
function maskJsonText(text: string): string {
  try {
    const inner: unknown = JSON.parse(text)
    if (typeof inner === 'object' && inner !== null) return JSON.stringify(mask(inner))
  } catch {
    // The beginning of a response can end anywhere.
  }
  return maskText(text.replace(namedValues, `$1"${MASK}"`))
}

/** Shortens a text or a list of texts; null for another value, such as the number of an attempt. */
function shorten(value: unknown): unknown {
  if (typeof value === 'string') return replace(value, last)
  return Array.isArray(value) ? value.map(each => shorten(each) ?? mask(each)) : null
}

function maskField(name: string, value: unknown): unknown {
  // An address is an object with names for its parts, or one text.
  if (hidden.has(name) || foreign.has(name) || (name === 'address' && typeof value === 'string'))
    return replace(value, () => MASK)
  if (written.has(name) && typeof value === 'string') return maskJsonText(value)
  return (shortened.has(name) ? shorten(value) : null) ?? mask(value)
}

/** Returns a body without personal values. Ids, codes, amounts and times stay. */
export function mask(value: unknown): unknown {
  if (typeof value === 'string') return maskText(value)
  if (Array.isArray(value)) return value.map(mask)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskField(name, inner)]))
}
