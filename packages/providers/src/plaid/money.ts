/** The largest amount that is read, in dollars. */
const MAX_WHOLE_DIGITS = 12

/**
 * Returns the cents of an amount in dollars, from its decimal digits: `1.005` rounds to 101, which no double does. Returns
 * null for anything that is not an amount.
 */
export function toCents(value: unknown): number | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return null
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimalText(value)) ?? []
  if (whole === '' || whole.length > MAX_WHOLE_DIGITS) return null
  const roundsUp = Number(fraction[2] ?? 0) >= 5
  const cents = Number(whole) * 100 + Number(fraction.slice(0, 2).padEnd(2, '0')) + (roundsUp ? 1 : 0)
  return sign === '-' && cents !== 0 ? -cents : cents
}

/**
 * Returns the decimal digits of a number: the shortest that identify it, which are those that were sent. Sums of binary
 * fractions, such as 0.30000000000000004, are rounded to 15 digits first.
 */
function decimalText(value: number): string {
  const text = String(value)
  if (/^-?\d+(?:\.\d+)?$/.test(text) && text.replace(/\D/g, '').length <= 15) return text
  if (Math.abs(value) < 0.001) return '0'
  return String(Number(value.toPrecision(15)))
}

/** Returns the cents of an amount that can't be negative. */
export function toPositiveCents(value: unknown): number | null {
  const cents = toCents(value)
  return cents === null || cents < 0 ? null : cents
}

/** Returns a rate in percent. */
export const toPercent = (value: unknown): number | null =>
  typeof value === 'number' && value >= 0 && value <= 1_000 ? value : null

/** Returns a day as `YYYY-MM-DD`. */
export function toDay(value: unknown): string | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d/.test(value)) return null
  const day = value.slice(0, 10)
  const time = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day ? null : day
}
