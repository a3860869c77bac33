import type { CardPosting, NetworkChange } from '@causeway/connector/ports/feed'
import { DAY_MS, HOUR_MS } from '@causeway/contract/time'
import { calendar } from '../debt-history.js'
import { pick } from '../digest.js'
import type { Debt } from '../tables/debts.js'
import { productOf } from '../tables/institutions.js'
import { dateOf } from '../timetable.js'
import type { SandboxProduct } from './answer.js'

const purchases = [
  { descriptor: 'CORNER BOTTLE SHOP', merchant_category_code: '5182' },
  { descriptor: 'HILLSIDE GROCERY', merchant_category_code: '5411' },
  { descriptor: 'PECAN STREET DINER', merchant_category_code: '5812' },
  { descriptor: 'LONE STAR FUEL', merchant_category_code: '5541' },
] as const

/** Returns the day's purchase and the outcome of the previous day's purchase, if any. */
function purchasesOn(debt: Debt, day: number): NetworkChange[] {
  if (!productOf(debt).transactions || debt.closed_at) return []
  const of = (
    bought: number,
    moved: (draw: (n: number, ...what: string[]) => number) => [CardPosting['status'], number],
  ) => {
    const draw = (n: number, ...what: string[]) => pick(n, 'purchase', ...what, debt.reference, bought)
    if (draw(calendar.purchaseEvery, 'is') !== 0) return []
    const [status, at] = moved(draw)
    const posting: CardPosting = {
      ...purchases[draw(purchases.length, 'where')]!,
      status,
      amount: 500 + draw(20_000, 'amount'),
      currency_code: 'USD',
      transacted_at: bought + (12 * 60 + draw(8 * 60, 'minute')) * 60_000,
    }
    return [
      { type: 'transaction' as const, id: `purchase ${dateOf(bought)}`, at: at || posting.transacted_at, posting },
    ]
  }
  return [
    ...of(day - DAY_MS, draw => [
      draw(calendar.voidEvery, 'void') === 0 ? 'voided' : 'posted',
      day + calendar.posts * HOUR_MS,
    ]),
    ...of(day, () => ['pending', 0]),
  ]
}

export const transaction: SandboxProduct = {
  supports: { transaction: ({ transactions }) => transactions === true },
  changes: { transaction: purchasesOn },
}
