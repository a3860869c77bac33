/** Formats the names of accounts, people and payments for display. */
import type { Account, Entity, Merchant } from '@causeway/sdk'
import type { Source } from './shapes.js'

const merchantOf = (account: Account): Merchant | null => {
  const merchant = account.liability?.mch_id
  return typeof merchant === 'object' ? merchant : null
}

/** Returns the name of the bank or lender, or null if it is unknown. */
export const bankOf = (account: Account | string | null): string | null =>
  account && typeof account === 'object' ? (merchantOf(account)?.name ?? null) : null

const kindOf = (type: string | null): string => (type === 'savings' ? 'Savings' : 'Checking')

/** Returns the name that the person sees for an account, without its digits, or null if the account has no name. */
export function titleOf(account: Account): string | null {
  const kind = account.ach ? kindOf(account.ach.type) : null
  return account.liability?.name ?? merchantOf(account)?.name ?? kind
}

/** Returns a name such as `Discover it ·· 2835`, or the id if nothing else is known. */
export function accountName(account: Account | string | null): string {
  if (account === null) return '—'
  if (typeof account === 'string') return account
  const { liability, ach } = account
  // The number is masked in the console, and the mask may hide every digit.
  const mask = liability?.mask ?? ach?.number?.match(/\d{4}$/)?.[0]
  const name = titleOf(account)
  if (!name) return account.id
  return withMask(name, mask)
}

/** Returns a name such as `Checking ·· 6789 of Northwind Lending`. */
export const sourceName = ({ name, type, mask }: Pick<Source, 'name' | 'type' | 'mask'>): string =>
  ofHolder(withMask(kindOf(type), mask), name)

export const ofHolder = (account: string, holder: string | null): string =>
  holder ? `${account} of ${holder}` : account

// A non-breaking space keeps the digits on the same line as the dots.
const withMask = (name: string, mask: string | null | undefined): string => (mask ? `${name} ··\u00a0${mask}` : name)

export const accountId = (account: Account | string | null): string | null =>
  typeof account === 'string' ? account : (account?.id ?? null)

/** Returns the name of a person or company, or null if there is none. */
export function personName({ individual, corporation }: Entity): string | null {
  if (corporation) return corporation.name
  const parts = [individual?.first_name, individual?.last_name].filter(Boolean)
  return parts.length > 0 ? parts.join(' ') : null
}

/** Returns true if consent was withdrawn and only ids and payments remain. */
export const isErased = ({ type, error }: Entity): boolean => type === null || error?.code === 12004

/** True if the person's phone number is known. The console shows only its last digits. */
export const hasPhone = (person: Entity | null | undefined): boolean => Boolean(person?.individual?.phone)
