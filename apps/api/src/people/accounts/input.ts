import type { CardDetails } from '@causeway/connector/ports/account-data'
import type { accounts } from '@causeway/contract/endpoints/accounts'
import type { z } from 'zod'

/** The request bodies for creating and changing an account. */
export type NewAccount = z.output<typeof accounts.createAccount.body>
export type AccountChange = z.output<typeof accounts.updateAccount.body>

export type Ach = NonNullable<NewAccount['ach']>

/** A debt, identified by its merchant and number. */
export interface Debt {
  mch_id: string
  number: string
  card: CardDetails | null
}

/** Reads a debt from a request body. Drops a card's verification value, which is accepted but not stored. */
export function readDebt({
  mch_id,
  account_number,
  number,
  credit_card: card,
}: NonNullable<NewAccount['liability']>): Debt {
  return {
    mch_id,
    number: (account_number ?? number)!,
    card: card
      ? { exp_month: card.exp_month, exp_year: card.exp_year, billing_zip_code: card.billing_zip_code ?? null }
      : null,
  }
}

/** The changes that a PUT makes to a debt. Absent fields are left unchanged. */
export interface DebtChange {
  address?: { street: string | null; city: string | null; state: string | null; zip: string | null }
  number?: string
  expiry?: { exp_month: string; exp_year: string }
}

export function readDebtChange({ liability: { mortgage, credit_card: card } = {} }: AccountChange): DebtChange {
  return {
    ...(mortgage && {
      address: {
        street: mortgage.address_street ?? null,
        city: mortgage.address_city ?? null,
        state: mortgage.address_state ?? null,
        zip: mortgage.address_zip ?? null,
      },
    }),
    ...(card?.number !== undefined && { number: card.number }),
    ...(card?.expiration_month !== undefined && {
      expiry: { exp_month: card.expiration_month, exp_year: card.expiration_year! },
    }),
  }
}
