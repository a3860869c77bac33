/** Masks API responses for the console. Names and the last four digits of numbers stay visible. Pure. */
import { linkingProviderMethods } from '@causeway/contract/methods/linking-provider'
import { REDACTED } from '../platform/http/redact.js'

const MASK = '••••'

/** Fields whose values are always replaced. */
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
/** Fields with arbitrary contents from a customer or a data network. Every value inside these fields is replaced. */
const foreign = new Set<string>(['metadata', 'questions', ...linkingProviderMethods.map(({ name }) => name)])
/** Fields in which each string is reduced to its last four characters. */
const shortened = new Set(['number', 'account_number', 'card_number', 'phone', 'phones', 'phone_number'])

/** Fields whose digits identify a bank, a company or a transfer, not a person. */
const impersonal = new Set(['routing', 'routing_number', 'trace_id', 'source_trace_id', 'destination_trace_id'])

/** Fields that contain a body as a string. */
const written = new Set(['body', 'excerpt'])

/** A run of characters that an email address can consist of. */
const word = /[^\s"<>]+/g

/** Returns true if a word contains an email address: an @ after the first character, and a dot after the @. */
function hasEmail(text: string): boolean {
  const at = text.indexOf('@', 1)
  return at > 0 && text.includes('.', at)
}

/** Patterns that match personal values in any other field. Each one takes time proportional to the text. */
const patterns: readonly [RegExp, string][] = [
  [/\b\d{3}-\d{2}-\d{4}\b/g, MASK],
  // Does not mask the fictional number that error messages use as an example.
  [/\+1(?!2025550123)[2-9]\d{5}(\d{4})\b/g, `${MASK}$1`],
  [/\(?\b\d{3}\)?[ .-]\d{3}[ .-](\d{4})\b/g, `${MASK}$1`],
  // An SSN has nine digits; phone, account and card numbers have ten or more. A UUID may end in digits.
  [/(?<![\w.])\d{9}(?!\w|\.\d)/g, MASK],
  [/(?<![\w.]|[\da-f]{4}-)(?!12025550123\b)\d{6,15}(\d{4})(?!\w|\.\d)/g, `${MASK}$1`],
]

/** Masks a string. Keeps the last four characters if the string is long or the rest is already masked. */
const last = (text: string) =>
  text === REDACTED ? text : `${MASK}${text.length > 8 || /^[*•xX]+\d{4}$/.test(text) ? text.slice(-4) : ''}`

function maskText(text: string): string {
  let out = text.includes('@') ? text.replace(word, each => (hasEmail(each) ? MASK : each)) : text
  for (const [pattern, shown] of patterns) out = out.replace(pattern, shown)
  return out
}

/** Replaces every string and number inside a value. */
function replace(value: unknown, by: (text: string) => string): unknown {
  if (typeof value === 'string') return value === '' ? value : by(value)
  if (typeof value === 'number') return by(String(value))
  if (Array.isArray(value)) return value.map(each => replace(each, by))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [maskText(name), replace(inner, by)]))
  return value
}

/** Matches personal fields in incomplete JSON, such as the beginning of a response. */
const namedValues = new RegExp(
  `("(?:${[...hidden, ...shortened].join('|')}|address)"\\s*:\\s*)("(?:[^"\\\\]|\\\\[^])*"?|[\\d.]+)`,
  'gi',
)

/** Masks JSON text by its field names. In truncated JSON, masks only recognizable fields and values. */
function maskJsonText(text: string): string {
  try {
    const inner: unknown = JSON.parse(text)
    if (typeof inner === 'object' && inner !== null) return JSON.stringify(mask(inner))
  } catch {
    // Only the beginning of a response is stored, and it can end at any character.
  }
  return maskText(text.replace(namedValues, `$1"${MASK}"`))
}

/** Shortens a string or a list of strings. Returns null for any other value, such as an attempt number. */
function shorten(value: unknown): unknown {
  if (typeof value === 'string') return replace(value, last)
  return Array.isArray(value) ? value.map(each => shorten(each) ?? mask(each)) : null
}

function maskField(name: string, value: unknown): unknown {
  // `address` contains either an object with named parts or a string.
  if (hidden.has(name) || foreign.has(name) || (name === 'address' && typeof value === 'string'))
    return replace(value, () => MASK)
  if (impersonal.has(name) && typeof value === 'string') return value
  if (written.has(name) && typeof value === 'string') return maskJsonText(value)
  return (shortened.has(name) ? shorten(value) : null) ?? mask(value)
}

/** Masks the personal values in a body. Leaves ids, codes, amounts and times unchanged. */
export function mask(value: unknown): unknown {
  if (typeof value === 'string') return maskText(value)
  if (Array.isArray(value)) return value.map(mask)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskField(name, inner)]))
}
