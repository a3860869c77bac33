import type { Account } from '@causeway/sdk'

/** A linked account as this lender's pages show it. */
export interface Debt {
  id: string
  name: string
  institution: string
  /** Address of the institution's logo; null where the network has none. */
  logo: string | null
  /** The last digits of its number. */
  mask: string | null
  /** Cents; null where the institution reported none. */
  balance: number | null
  /** Percent a year; null where the institution reported none. */
  apr: number | null
}

/** The objects to expand so that {@link readDebt} finds all it reads. */
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

/** The block of an update is named for the account's type. */
function detailsOf(update: Account['update']): Details {
  if (!update || typeof update === 'string' || update.type === null) return {}
  return (update as unknown as Partial<Record<string, Details>>)[update.type] ?? {}
}

/** A debt as a person knows it: its name and last digits. */
export const titleOf = ({ name, mask }: Debt): string => (mask ? `${name} ··\u00a0${mask}` : name)

/** The title of an account by its id. */
export function nameOf(id: string, debts: readonly Debt[]): string {
  const debt = debts.find(each => each.id === id)
  return debt ? titleOf(debt) : id
}
