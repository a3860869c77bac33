/** The smallest payment and the smallest loan: 100 cents. Source: contract, payment limits. */
export const MIN_AMOUNT = 100
/** The largest payment: 100,000,000 cents. Source: contract, payment limits. */
export const MAX_AMOUNT = 100_000_000

/** True if a value is an amount: a whole, safe number of cents, zero or above. */
export function isCents(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

/** True if that many cents can be returned alone: some, and fewer than arrived. */
export const isPart = (cents: number, arrived: number): boolean => cents > 0 && cents < arrived

/**
 * Cents as money text in a locale, such as `$1,287.60`. Whole dollars drop the zeros only where `short` is asked.
 * @example money(128760, 'en') // "$1,287.60"
 */
export function money(cents: number, locale = 'en', short = false): string {
  const whole = short && cents % 100 === 0
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: whole ? 0 : 2,
    maximumFractionDigits: whole ? 0 : 2,
  }).format(cents / 100)
}

/** The most characters of a payment's description: what a bank statement holds. */
export const DESCRIPTION_MAX = 10
