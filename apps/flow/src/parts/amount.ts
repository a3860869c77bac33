/** Converts between whole cents and amounts that people type and paste. Parsing uses only whole numbers. */

/** Returns a locale's decimal and grouping separators. */
function separators(locale: string): { decimal: string; groups: string } {
  const parts = new Intl.NumberFormat(locale, { useGrouping: true }).formatToParts(1234567.8)
  const sign = (type: string) => parts.find(part => part.type === type)?.value ?? ''
  const decimal = sign('decimal') || '.'
  return { decimal, groups: `${sign('group')},.'’ `.replace(decimal, '') }
}

/**
 * Parses a typed amount as cents; returns null if the text is not an amount. Accepts `5,212.40`, `$ 5212.4` and
 * `5 212`. Empty text is parsed as 0. Rejects text with more than two decimal places or with digit groups that are not
 * three digits long, because asking the person is safer than guessing an amount.
 */
export function readAmount(text: string, locale: string): number | null {
  const { decimal, groups } = separators(locale)
  const bare = text
    .normalize('NFKC')
    .replace(/USD|US|[$\s]/g, sign => (/\s/.test(sign) ? ' ' : ''))
    .trim()
  if (bare === '') return 0
  const [whole = '', hundredths = '', more] = bare.split(decimal)
  if (more !== undefined || !/^\d{0,2}$/.test(hundredths)) return null
  const runs = whole.split(new RegExp(`[${groups.replace(/[\].\\-]/g, '\\$&')}]`))
  const grouped = runs.length > 1
  if (grouped && (!/^\d{1,3}$/.test(runs[0]!) || runs.slice(1).some(run => !/^\d{3}$/.test(run)))) return null
  const digits = runs.join('')
  if (!/^\d*$/.test(digits) || (digits === '' && hundredths === '')) return null
  const cents = Number(digits || '0') * 100 + Number(hundredths.padEnd(2, '0') || '0')
  return Number.isSafeInteger(cents) ? cents : null
}

/** Formats cents for an input field: `5,212.40`. */
export function showAmount(cents: number, locale: string): string {
  return new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(cents / 100)
}
