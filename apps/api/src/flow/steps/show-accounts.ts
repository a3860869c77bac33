import type { AccountView } from '@causeway/contract/session'
import { type Facts, type SessionAccount, showAccount } from '../session/facts.js'

/** Returns accounts in the frame's list format. */
export const showAccounts = (facts: Facts, accounts: readonly SessionAccount[]): AccountView[] =>
  accounts.map(found => showAccount(facts, found)).sort(inOrder)

/** Sorts eligible accounts before ineligible ones, and each group by balance, largest first. */
function inOrder(a: { status: string; balance: number | null; id: string }, b: typeof a): number {
  const rank = (view: typeof a) => (view.status === 'ineligible' ? 1 : 0)
  return rank(a) - rank(b) || (b.balance ?? -1) - (a.balance ?? -1) || (a.id < b.id ? -1 : 1)
}
