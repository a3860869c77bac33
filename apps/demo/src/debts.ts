import type { Account } from '@causeway/sdk'

/** A linked account, as shown on this lender's pages. */
export interface Debt {
  id: string
  name: string
  institution: string
  /** The URL of the institution's logo; null if the network has none. */
  logo: string | null
  /** The last digits of the account number. */
  mask: string | null
  /** The balance in cents; null if the institution did not report it. */
  balance: number | null
  /** The annual percentage rate; null if the institution did not report it. */
  apr: number | null
}

/** The objects to expand so that {@link readDebt} has all the data that it needs. */
export const debtObjects = ['balance', 'update', 'liability.mch_id'] as const

/** Creates a debt from an account whose {@link debtObjects} are expanded. */
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
  /** The rate of a loan. */
  interest_rate_percentage?: number | null
  /** The rate of a card. */
  interest_rate_percentage_max?: number | null
}

/** Returns the details of an update, which are in the field named after the update's type. */
function detailsOf(update: Account['update']): Details {
  if (!update || typeof update === 'string' || update.type === null) return {}
  return (update as unknown as Partial<Record<string, Details>>)[update.type] ?? {}
}

/** Returns a debt's title for display: its name and last digits. */
export const titleOf = ({ name, mask }: Debt): string => (mask ? `${name} ··\u00a0${mask}` : name)

/** Returns the title of the account with a given id. */
export function nameOf(id: string, debts: readonly Debt[]): string {
  const debt = debts.find(each => each.id === id)
  return debt ? titleOf(debt) : id
}
