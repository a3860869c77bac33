import type { NetworkChange } from '@causeway/connector/ports/feed'
import { HOUR_MS } from '@causeway/contract/time'
import { calendar, debtAt } from '../debt-history.js'
import { brandsOf, cardProducts } from '../tables/card-products.js'
import type { Debt } from '../tables/debts.js'
import { dateOf, dayOf } from '../timetable.js'
import type { SandboxProductWith } from './answer.js'

/** If a card is replaced on the given day, returns the replacement card, which has a different number and design. */
function cardsOn(debt: Debt, day: number): NetworkChange[] {
  if (debt.reissued?.day !== dayOf(day)) return []
  const at = day + calendar.reissues * HOUR_MS
  const now = debtAt(debt, at)
  return [{ type: 'card', id: `card ${dateOf(day)}`, at, brands: brandsOf(now), number: now.number }]
}

export const cardBrand: SandboxProductWith<'cardBrand' | 'cardProducts'> = {
  supports: { card_brand: ({ type }) => type === 'credit_card' },
  answers: world => ({
    async cardBrand(call) {
      const debt = await world.debt(call)
      const brands = debt ? brandsOf(debt) : []
      return brands.length > 0 ? { status: 'completed', brands } : { status: 'failed', code: 24001 }
    },
    cardProducts: () => cardProducts,
  }),
  changes: { card: cardsOn },
}
