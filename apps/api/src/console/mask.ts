/** Masks API responses for the console. Names and the last four digits of numbers stay visible. Pure. */

import { linkingProviderMethods } from '@causeway/contract/methods/linking-provider'
import { toAsciiDigits } from '@causeway/contract/values/digits'
import { REDACTED } from '../platform/http/log/redact.js'

const MASK = '••••'

/** Fields whose values are always replaced. */
const hiddenFields = new Set([
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
  'client_ip_address',
])
/** Fields with arbitrary contents from a customer or a data network. Every value inside these fields is replaced. */
const opaqueFields = new Set<string>(['metadata', 'questions', ...linkingProviderMethods.map(({ name }) => name)])
/** Fields in which each string is reduced to its last four characters. */
const shortenedFields = new Set(['number', 'account_number', 'card_number', 'phone', 'phones', 'phone_number'])

/** Fields whose digits identify a bank, a company or a transfer, not a person. */
const impersonalFields = new Set([
  'routing',
  'routing_number',
  'trace',
  'trace_id',
  'source_trace_id',
  'destination_trace_id',
])

/** Fields that contain a body as a string. */
const textFields = new Set(['body', 'excerpt'])

/** A run of characters that an email address can consist of. */
const wordPattern = /[^\s"<>]+/g

/** Returns true if a word contains an email address: an @ after the first character, and a dot after the @. */
function hasEmail(text: string): boolean {
  const at = text.indexOf('@', 1)
  return at > 0 && text.includes('.', at)
}

/** Separators between groups of digits. */
const SEPARATOR = '(?: {0,2}[-./_] {0,2}| {1,2})'
/** Matches digits in groups, such as those of an SSN. A letter may come before them, as in `SSN123-45-6789`. */
const grouped = (digits: string): RegExp => new RegExp(`(?<!\\d)${digits.replaceAll('s', SEPARATOR)}(?!\\d)`, 'g')

/**
 * Patterns that match personal values in any other field. Each one takes time proportional to the text. Dates, times,
 * amounts, versions and addresses of computers have groups of other lengths.
 */
const patterns: readonly [RegExp, string][] = [
  // Cards.
  [grouped(String.raw`\d{4}s\d{4}s\d{4}s(\d{4})(?:s\d{3})?`), `${MASK}$1`],
  [grouped(String.raw`\d{4}s\d{6}s\d(\d{4})`), `${MASK}$1`],
  // SSNs and employer identification numbers.
  [grouped(String.raw`\d{3}s\d{2}s\d{4}`), MASK],
  [grouped(String.raw`\d{3}([- ])\d{3}\1\d{3}`), MASK],
  [/(?<!\w)\d{2} ?- ?\d{7}(?!\d)/g, MASK],
  // Does not mask the fictional number that error messages use as an example.
  [/\+(?!12025550123(?!\d))\d(?:[ ().-]{0,2}\d){3,10}[ ().-]{0,2}(\d{4})(?!\d)/g, `${MASK}$1`],
  [grouped(String.raw`\(?\d{3}(?:s|\) {0,2}[-./]? {0,2})\d{3}s?(\d{4})`), `${MASK}$1`],
  [/(?<!\w)\d{6}[- .](\d{4})(?!\d)/g, `${MASK}$1`],
  // An SSN has nine digits; phone, account and card numbers have ten or more. A UUID may end in digits.
  [/(?<![\w.])(?:[A-Za-z]{2,20})?\d{9}(?!\w|\.\d)/g, MASK],
  [/(?<![\w.]|[\da-f]{4}-)(?!12025550123\b)(?:[A-Za-z]{2,20})?\d{6,40}(\d{4})(?!\w|\.\d)/gi, `${MASK}$1`],
]

const UUID = /\b([\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})\b/i
const NOT_ASCII = /[^\0-\x7f]/

/** Returns text with the digits, dashes and spaces of all scripts in ASCII, and without invisible characters. */
const foldNumbers = (text: string): string =>
  toAsciiDigits(text.normalize('NFKC'))
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/\p{Zs}/gu, ' ')
    .replace(/[\u00b7\u2027\u30fb]/g, '.')
    .replace(/[\u2044\u2215]/g, '/')

/** Masks the numbers in a text, except in UUIDs. */
const maskNumbers = (text: string): string =>
  text
    .split(UUID)
    .map((part, index) =>
      index % 2 ? part : patterns.reduce((rest, [pattern, by]) => rest.replace(pattern, by), part),
    )
    .join('')

/** Masks a string. Keeps the last four characters if the string is long or the rest is already masked. */
const keepLastFour = (text: string) =>
  text === REDACTED ? text : `${MASK}${text.length > 8 || /^[*•xX]+\d{4}$/.test(text) ? text.slice(-4) : ''}`

const maskEmails = (text: string): string =>
  text.includes('@') ? text.replace(wordPattern, each => (hasEmail(each) ? MASK : each)) : text

const maskAscii = (text: string): string => maskNumbers(maskEmails(text))

/** Masks the personal values in a text. A text without any is unchanged, whatever its characters. */
export function maskText(text: string): string {
  if (!NOT_ASCII.test(text)) return maskAscii(text)
  const folded = foldNumbers(text)
  const masked = maskAscii(folded)
  return masked === folded ? text : masked
}

/** Replaces every string and number inside a value. */
function replaceValues(value: unknown, by: (text: string) => string): unknown {
  if (typeof value === 'string') return value === '' ? value : by(value)
  if (typeof value === 'number') return by(String(value))
  if (Array.isArray(value)) return value.map(each => replaceValues(each, by))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [maskText(name), replaceValues(inner, by)]))
  return value
}

/** Matches personal fields in incomplete JSON, such as the beginning of a response. */
const namedValuePattern = new RegExp(
  `("(?:${[...hiddenFields, ...shortenedFields].join('|')}|address)"\\s*:\\s*)("(?:[^"\\\\]|\\\\[^])*"?|[\\d.]+)`,
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
  return maskText(text.replace(namedValuePattern, `$1"${MASK}"`))
}

/** Shortens a string or a list of strings. Returns null for any other value, such as an attempt number. */
function shorten(value: unknown): unknown {
  if (typeof value === 'string') return replaceValues(value, keepLastFour)
  return Array.isArray(value) ? value.map(each => shorten(each) ?? mask(each)) : null
}

function maskField(name: string, value: unknown): unknown {
  // `address` contains either an object with named parts or a string.
  if (hiddenFields.has(name) || opaqueFields.has(name) || (name === 'address' && typeof value === 'string'))
    return replaceValues(value, () => MASK)
  if (impersonalFields.has(name) && typeof value === 'string') return value
  if (textFields.has(name) && typeof value === 'string') return maskJsonText(value)
  return (shortenedFields.has(name) ? shorten(value) : null) ?? mask(value)
}

/** Masks the personal values in a body. Leaves ids, codes, amounts and times unchanged. */
export function mask(value: unknown): unknown {
  if (typeof value === 'string') return maskText(value)
  if (Array.isArray(value)) return value.map(mask)
  if (typeof value !== 'object' || value === null) return value
  if (isChange(value)) return maskChange(value)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskField(name, inner)]))
}

/** A changed field in a timeline, such as `{ path: 'bt.payout_status', before: 'pending_release', after: 'released' }`. */
interface Change {
  path: string
  before: unknown
  after: unknown
}

const isChange = (value: object): value is Change =>
  'path' in value && typeof value.path === 'string' && 'before' in value && 'after' in value

/** Masks the values of a changed field as if they were in their resource. */
function maskChange({ path, before, after }: Change): Change {
  const names = path.split('.')
  const masked = (value: unknown) => {
    const whole = mask(names.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value))
    return names.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], whole)
  }
  // The names of a customer's own fields can contain anything.
  return { path: maskText(path), before: masked(before), after: masked(after) }
}
