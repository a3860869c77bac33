/** Converts between whole cents and amounts that people type and paste. Parsing uses only whole numbers. */
import { toAsciiDigits } from '@causeway/contract/values/digits'

/** The maximum length of an amount. The longest amount with a currency sign and separators is much shorter. */
const MAX_LENGTH = 40
/** The Arabic separators have the same meaning in every locale. */
const ARABIC_DECIMAL = '٫'
const ARABIC_GROUP = '٬'

/** Returns a locale's decimal and grouping separators, and the length of the digit groups before the last one. */
function separators(locale: string): { decimal: string; groups: string; size: number } {
  const parts = new Intl.NumberFormat(locale, { useGrouping: true }).formatToParts(12_345_678.8)
  const sign = (type: string) => parts.find(part => part.type === type)?.value ?? ''
  const decimal = sign('decimal') || '.'
  const [, inner] = parts.filter(({ type }) => type === 'integer')
  const size = inner ? [...inner.value].length : 3
  return { decimal, groups: `${sign('group')},.'’ ${ARABIC_GROUP}`.replace(decimal, ''), size }
}

/** Returns true if digit groups have three digits each or, before the last one, the locale's number of digits. */
const areGroups = ([first = '', ...rest]: string[], size: number): boolean =>
  [3, size].some(
    length =>
      first.length >= 1 &&
      first.length <= length &&
      rest.every((run, i) => run.length === (i < rest.length - 1 ? length : 3)),
  )

/** Returns the text with ASCII digits, plain spaces, half-width signs, and without invisible characters. */
const plainOf = (text: string): string =>
  toAsciiDigits(text)
    .replace(/\p{Cf}/gu, '')
    .replace(/[\uff01-\uff5e]/g, sign => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace('﹩', '$')
    .replace(/\s/g, ' ')

/**
 * Parses a typed amount as cents; returns null if the text is not an amount. Accepts `5,212.40`, `$ 5212.4`, `5 212` and
 * `٥٬٢١٢٫٤٠`. Empty text is parsed as 0. Rejects text with more than two decimal places or with digit groups that are
 * not as long as the locale's, because asking the person is safer than guessing an amount.
 */
export function readAmount(text: string, locale: string): number | null {
  if (text.length > MAX_LENGTH) return null
  const { decimal, groups, size } = separators(locale)
  const bare = plainOf(text)
    .replace(/USD|US|\$/g, '')
    .trim()
  if (bare === '') return 0
  const [whole = '', hundredths = '', more] = bare.replaceAll(ARABIC_DECIMAL, decimal).split(decimal)
  if (more !== undefined || !/^\d{0,2}$/.test(hundredths)) return null
  const runs = whole.split(new RegExp(`[${groups.replace(/[\].\\-]/g, '\\$&')}]`))
  if (runs.length > 1 && !areGroups(runs, size)) return null
  const digits = runs.join('')
  if (!/^\d*$/.test(digits) || (digits === '' && hundredths === '')) return null
  const cents = Number(digits || '0') * 100 + Number(hundredths.padEnd(2, '0') || '0')
  return Number.isSafeInteger(cents) ? cents : null
}

/** Formats cents for an input field: `5,212.40`. */
export function showAmount(cents: number, locale: string): string {
  return new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(cents / 100)
}
