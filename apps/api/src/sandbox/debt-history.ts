/** A debt's changes over time. The changes repeat every month, so scenarios always produce the same results. */
import { HOUR_MS } from '@causeway/contract/time'
import type { Debt } from './tables/debts.js'

/**
 * The UTC hours at which events happen. A purchase is made every `purchaseEvery` days, and every `voidEvery`th purchase
 * is voided.
 */
export const calendar = {
  posts: 5,
  statement: 6,
  moves: 7,
  reissues: 8,
  closes: 9,
  opens: 10,
  purchaseEvery: 3,
  voidEvery: 8,
} as const

/** Returns the length of the previous month in ms. */
export const monthOf = (at: number): number => {
  const date = new Date(at)
  return 24 * HOUR_MS * new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 0)).getUTCDate()
}

/** Returns true if the month has reached the given day and hour. */
const hasCome = (at: number, day: number, hour: number) => {
  const date = new Date(at)
  return date.getUTCDate() > day || (date.getUTCDate() === day && date.getUTCHours() >= hour)
}

/**
 * Returns a debt as of a given time (in epoch milliseconds), including the month's movements so far and the card that
 * is in use.
 */
export function debtAt(debt: Debt, at: number): Debt {
  const moved = (debt.moves ?? []).filter(({ day }) => hasCome(at, day, calendar.moves))
  const total = (key: 'balance' | 'limit') => moved.reduce((sum, move) => sum + (move[key] ?? 0), 0)
  const { reissued } = debt
  const replaced =
    reissued && (new Date(at).getUTCMonth() + Number(hasCome(at, reissued.day, calendar.reissues))) % 2 === 1
  return {
    ...debt,
    balance: debt.balance + total('balance'),
    ...(debt.moves ? { limit: total('limit') } : {}),
    ...(replaced ? { number: reissued.number, replaces: debt.number, brand: 1 } : {}),
  }
}
