import type { Account } from '@causeway/sdk'

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const wholeDollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })
const days = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** Cents as dollars. */
export const money = (cents: number): string => dollars.format(cents / 100)
/** Cents as dollars, without cents where there are none. */
export const round = (cents: number): string => (cents % 100 === 0 ? wholeDollars : dollars).format(cents / 100)

export const when = (timestamp: string | Date): string => `${days.format(new Date(timestamp))} UTC`

/** `+15125550100` as people write it. */
export const local = (phone: string): string => phone.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3')

/** The sum of allocations, in cents. */
export const sum = (amounts: Record<string, number>): number =>
  Object.values(amounts).reduce((all, one) => all + one, 0)

/** A debt as a person knows it: its name and last digits. */
export function nameOf(id: string, accounts: readonly Account[]): string {
  const liability = accounts.find(account => account.id === id)?.liability
  if (!liability) return id
  return `${liability.name ?? liability.type.replaceAll('_', ' ')}${liability.mask ? ` ··\u00a0${liability.mask}` : ''}`
}
