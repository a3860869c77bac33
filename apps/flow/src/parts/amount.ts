/** Amounts as people type and paste them, to whole cents and back. No float is ever kept. */

/** The signs that separate whole from hundredths, and groups, in a locale. */
function separators(locale: string): { decimal: string; groups: string } {
  const parts = new Intl.NumberFormat(locale, { useGrouping: true }).formatToParts(1234567.8)
  const sign = (type: string) => parts.find(part => part.type === type)?.value ?? ''
  const decimal = sign('decimal') || '.'
  return { decimal, groups: `${sign('group')},.'’ `.replace(decimal, '') }
}

/**
 * Cents of a typed amount, or null for any other text: `5,212.40`, `$ 5212.4`, `5 212`. Nothing typed is 0. More than
 * two decimals, or a group that is not three digits, is refused, because a guess at money is worse than a question.
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

/** Cents as an input shows them: `5,212.40`. */
export function showAmount(cents: number, locale: string): string {
  return new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(cents / 100)
}
