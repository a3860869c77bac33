/** Changes of a debt over the calendar: the same every month, so that a scenario does not change. */
import type { Debt } from './debts.js'

const HOUR = 3_600_000

/**
 * Hours of a day, UTC, at which events happen; a purchase is made once in that many days, and one in that many is
 * voided.
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

/** Longest distance between the same day of two months, in ms. */
export const monthOf = (at: number): number => {
  const date = new Date(at)
  return 24 * HOUR * new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 0)).getUTCDate()
}

/** True if a month's day and hour have come. */
const hasCome = (at: number, day: number, hour: number) => {
  const date = new Date(at)
  return date.getUTCDate() > day || (date.getUTCDate() === day && date.getUTCHours() >= hour)
}

/** A debt as it is at a time (epoch milliseconds): what has moved since the month began, and the card that is in use. */
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
