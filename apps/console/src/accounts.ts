/** The names of accounts, people and payments on screens. */
import type { Account, Entity, Merchant } from '@causeway/sdk'

const merchantOf = (account: Account): Merchant | null => {
  const merchant = account.liability?.mch_id
  return typeof merchant === 'object' ? merchant : null
}

/** The name of the bank or lender, or null. */
export const bankOf = (account: Account | string | null): string | null =>
  account && typeof account === 'object' ? (merchantOf(account)?.name ?? null) : null

/** The name of an account as the person sees it, without its digits; null if it has none. */
export function titleOf(account: Account): string | null {
  const kind = account.ach ? (account.ach.type === 'savings' ? 'Savings' : 'Checking') : null
  return account.liability?.name ?? merchantOf(account)?.name ?? kind
}

/** A name such as `Discover it ·· 2835`; the id if nothing else is known. */
export function accountName(account: Account | string | null): string {
  if (account === null) return '—'
  if (typeof account === 'string') return account
  const { liability, ach } = account
  // The console's own mask may hide all digits.
  const mask = liability?.mask ?? ach?.number?.match(/\d{4}$/)?.[0]
  const name = titleOf(account)
  if (!name) return account.id
  // A non-breaking space keeps the digits next to the dots.
  return mask ? `${name} ··\u00a0${mask}` : name
}

export const accountId = (account: Account | string | null): string | null =>
  typeof account === 'string' ? account : (account?.id ?? null)

/** The name of a person or company; null if there is none. */
export function personName({ individual, corporation }: Entity): string | null {
  if (corporation) return corporation.name
  const parts = [individual?.first_name, individual?.last_name].filter(Boolean)
  return parts.length > 0 ? parts.join(' ') : null
}

/** True if consent was withdrawn, so that only ids and payments are left. */
export const isErased = ({ type, error }: Entity): boolean => type === null || error?.code === 12004
