import type { Account } from '@causeway/sdk'

/** A linked account as this lender's pages show it. */
export interface Debt {
  id: string
  name: string
  institution: string
  /** The URL of the institution's logo; null if the network has none. */
  logo: string | null
  /** The last digits of the account's number. */
  mask: string | null
  /** Cents; null if the institution did not report it. */
  balance: number | null
  /** Percent a year; null if the institution did not report it. */
  apr: number | null
}

/** The objects to expand, so that {@link readDebt} has all its data. */
export const debtObjects = ['balance', 'update', 'liability.mch_id'] as const

/** Reads an account whose {@link debtObjects} are expanded. */
export function readDebt({ id, liability, balance, update }: Account): Debt {
  const merchant = typeof liability?.mch_id === 'object' ? liability.mch_id : null
  const { balance: reported, ...rates } = detailsOf(update)
  return {
    id,
    name: liability?.name ?? liability?.type.replaceAll('_', ' ') ?? id,
    institution: merchant?.parent_name ?? '',
    logo: merchant?.logo ?? null,
    mask: liability?.mask ?? null,
    balance: (typeof balance === 'object' ? balance?.amount : null) ?? reported ?? null,
    apr: rates.interest_rate_percentage_max ?? rates.interest_rate_percentage ?? null,
  }
}

interface Details {
  balance?: number | null
  /** A loan's rate. */
  interest_rate_percentage?: number | null
  /** A card's rate. */
  interest_rate_percentage_max?: number | null
}

/** Returns the details of an update. Their block has the name of the account's type. */
function detailsOf(update: Account['update']): Details {
  if (!update || typeof update === 'string' || update.type === null) return {}
  return (update as unknown as Partial<Record<string, Details>>)[update.type] ?? {}
}

/** The title of a debt for a person: its name and last digits. */
export const titleOf = ({ name, mask }: Debt): string => (mask ? `${name} ··\u00a0${mask}` : name)

/** The title of an account by its id. */
export function nameOf(id: string, debts: readonly Debt[]): string {
  const debt = debts.find(each => each.id === id)
  return debt ? titleOf(debt) : id
}
