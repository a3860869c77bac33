import type { Debt } from '../tables/debts.js'
import { productOf } from '../tables/institutions.js'
import type { SandboxProductWith } from './answer.js'

const DAYS = 15

/** Returns the amount needed to pay off a debt 15 days from now: the balance plus the interest for those days. */
export function payoffOf(debt: Debt): { amount: number; term: number; per_diem_amount: number | null } {
  const perDay = (debt.balance * productOf(debt).rate) / 36_500
  const plain = { amount: debt.balance + Math.round(perDay * DAYS), per_diem_amount: Math.round(perDay) }
  return { term: DAYS, ...plain, ...debt.payoff }
}

export const payoff: SandboxProductWith<'payoff'> = {
  supports: { payoff: ({ type }) => ['auto_loan', 'mortgage'].includes(type) },
  answers: world => ({
    async payoff(call) {
      const debt = await world.debt(call)
      return !debt || debt.silent || debt.no_payoff
        ? { status: 'failed', code: 18001 }
        : { status: 'completed', ...payoffOf(debt) }
    },
  }),
}
