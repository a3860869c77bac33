const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const wholeDollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })
const days = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
const minutes = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZone: 'UTC',
})
const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' })

/** Formats cents as dollars. */
export const money = (cents: number): string => dollars.format(cents / 100)
/** Formats cents as dollars, omitting the cents from whole-dollar amounts. */
export const round = (cents: number): string => (cents % 100 === 0 ? wholeDollars : dollars).format(cents / 100)

/** Formats cents as whole dollars, for estimates. */
export const about = (cents: number): string => wholeDollars.format(cents / 100)
export const percent = (rate: number): string => `${rate.toFixed(2)}%`

export const when = (timestamp: string | Date): string => `${days.format(new Date(timestamp))} UTC`

/** Formats a time without its year, for lists. */
export const moment = (timestamp: string | Date): string => minutes.format(new Date(timestamp))

/** Formats a date such as `2026-04-01` for display. */
export const day = (date: string): string => weekday.format(new Date(date))

/** Formats a phone number such as `+15125550100` for display. */
export const local = (phone: string): string => phone.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3')

/** Returns the sum of allocations, in cents. */
export const sum = (amounts: Record<string, number>): number =>
  Object.values(amounts).reduce((all, one) => all + one, 0)
