/** Debts that aren't in the tables: they come from a customer's credit report or from simulated events. */
import type { Tradeline } from '@causeway/connector/ports/entity-data'
import type { Liability } from '@causeway/connector/ports/liability'
import { digest } from './digest.js'
import { describeDebt, digitsOf, showLiability } from './liabilities.js'
import { merchants, products } from './tables/institutions.js'

/** The merchant that issues new debts of each type. */
const houses: Readonly<Record<string, string>> = {
  credit_card: 'mch_320006',
  auto_loan: 'mch_301760',
  mortgage: 'mch_320002',
  student_loan: 'mch_320003',
  personal_loan: 'mch_320004',
}

/** Returns the debt that a simulated event such as `new_auto_loan_account` opens. */
export function openedBy({ id, name }: { id: string; name: string }): Liability[] {
  const house = houses[name.replace(/^new_|_account$/g, '')]
  const number = `4${digest('opened', id).replace(/\D/g, '').slice(0, 15).padEnd(15, '3')}`
  const debt = house === undefined ? undefined : describeDebt(house, number)
  return debt ? [showLiability(debt, 'primary')] : []
}

function typeOf({ portfolio_type_code, type_code }: Tradeline): string {
  const text = `${portfolio_type_code ?? ''} ${type_code ?? ''}`.toLowerCase()
  if (text.includes('mortgage')) return 'mortgage'
  if (text.includes('auto')) return 'auto_loan'
  if (text.includes('student') || text.includes('education')) return 'student_loan'
  return text.includes('revolving') || text.includes('card') ? 'credit_card' : 'personal_loan'
}

/**
 * Returns the debt for a tradeline. The merchant is the creditor if its name is recognized; otherwise, the default
 * merchant for the debt's type.
 */
export function readTradeline(line: Tradeline): Liability | null {
  const type = typeOf(line)
  const name = line.creditor_name?.toLowerCase() ?? ''
  const creditor = merchants.find(
    one => name.includes(one.parent_name.toLowerCase()) && products[one.id]?.type === type,
  )
  const debt =
    line.number && digitsOf(line.number) ? describeDebt(creditor?.id ?? houses[type]!, line.number) : undefined
  if (!debt) return null
  const designator = line.designator_code?.toLowerCase() ?? ''
  const ownership = designator.includes('authorized')
    ? 'authorized'
    : designator.includes('joint')
      ? 'joint'
      : 'primary'
  return showLiability(line.closed_at ? { ...debt, closed_at: line.closed_at } : debt, ownership)
}
