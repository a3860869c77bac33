/** The smallest payment and the smallest loan: 100 cents. Source: contract, payment limits. */
export const MIN_AMOUNT = 100
/** The largest payment: 100,000,000 cents. Source: contract, payment limits. */
export const MAX_AMOUNT = 100_000_000

/** True if a value is an amount in cents: a safe integer that is not negative. */
export function isCents(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

/**
 * True if this number of cents is a valid partial return: more than zero and less than the amount that arrived.
 */
export const isPartialAmount = (cents: number, arrived: number): boolean => cents > 0 && cents < arrived

/**
 * Formats cents as money in a locale, such as `$1,287.60`. With `short`, whole dollar amounts omit the cents. The
 * symbol is `$` in every language, to match the amount fields.
 * @example money(128760, 'en') // "$1,287.60"
 */
export function formatMoney(cents: number, locale = 'en', short = false): string {
  const whole = short && cents % 100 === 0
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: whole ? 0 : 2,
    maximumFractionDigits: whole ? 0 : 2,
  })
    .formatToParts(cents / 100)
    .map(({ type, value }) => (type === 'currency' ? '$' : value))
    .join('')
}

/** The maximum length of a payment's description, limited by the space on a bank statement. */
export const MAX_DESCRIPTION_LENGTH = 10
