/** What happens in the sandbox by itself. It follows from the calendar alone, so that every process tells the same. */
import type { Change, Feed, FeedCall, Posting } from '../network/feed.js'
import { brandsOf } from './card-products.js'
import { calendar, debtAt, monthOf } from './debt-history.js'
import type { Debt } from './debts.js'
import { pick } from './digest.js'
import { delays } from './inputs.js'
import { findDebt, productOf, supportsOf } from './liabilities.js'
import { openedBy } from './openings.js'
import { type Person, people } from './people.js'
import { dueDay, updateBlock } from './updates.js'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** How far it looks ahead to say when something comes next: two months hold everything that comes each month. */
const AHEAD = 62 * DAY

const purchases = [
  { descriptor: 'CORNER BOTTLE SHOP', merchant_category_code: '5182' },
  { descriptor: 'HILLSIDE GROCERY', merchant_category_code: '5411' },
  { descriptor: 'PECAN STREET DINER', merchant_category_code: '5812' },
  { descriptor: 'LONE STAR FUEL', merchant_category_code: '5541' },
] as const

const dayOf = (at: number) => new Date(at).getUTCDate()
const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10)

/** What an institution reports of a debt on a day: its statement, and what moves between statements. */
function updatesOn(debt: Debt, day: number, from: number): Change[] {
  if (!productOf(debt).direct || debt.silent || debt.closed_at) return []
  const at = (hour: number) => day + hour * HOUR
  const report = (hour: number, known: Debt = debt): Change => ({
    type: 'update',
    id: `update ${dateOf(day)} ${hour}`,
    at: at(hour),
    data: updateBlock(debtAt(known, at(hour)), 'direct', at(hour)),
  })
  const moves = debt.moves?.some(move => move.day === dayOf(day)) ? [report(calendar.moves)] : []
  const statement = dueDay(debt) === dayOf(day) ? [report(calendar.statement)] : []
  const closing = debt.closes && dayOf(day) === debt.closes && day - from < monthOf(day)
  const closed = closing ? [report(calendar.closes, { ...debt, balance: 0, closed_at: dateOf(day) })] : []
  return [...moves, ...statement, ...closed]
}

/** The purchase of a day, if there is one, and what became of that of the day before. */
function purchasesOn(debt: Debt, day: number): Change[] {
  if (!productOf(debt).transactions || debt.closed_at) return []
  const of = (
    bought: number,
    moved: (draw: (n: number, ...what: string[]) => number) => [Posting['status'], number],
  ) => {
    const draw = (n: number, ...what: string[]) => pick(n, 'purchase', ...what, debt.reference, bought)
    if (draw(calendar.purchaseEvery, 'is') !== 0) return []
    const [status, at] = moved(draw)
    const posting: Posting = {
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
    ...of(day - DAY, draw => [
      draw(calendar.voidEvery, 'void') === 0 ? 'voided' : 'posted',
      day + calendar.posts * HOUR,
    ]),
    ...of(day, () => ['pending', 0]),
  ]
}

/** A card that is replaced on a day of each month: another number and another design. */
function cardsOn(debt: Debt, day: number): Change[] {
  if (debt.reissued?.day !== dayOf(day)) return []
  const at = day + calendar.reissues * HOUR
  const now = debtAt(debt, at)
  return [{ type: 'card', id: `card ${dateOf(day)}`, at, brands: brandsOf(now), number: now.number }]
}

function accountsOn(person: Person, day: number): Change[] {
  if (person.opens !== dayOf(day)) return []
  const [liability] = openedBy(openedOn(person, day))
  const at = day + calendar.opens * HOUR
  return liability ? [{ type: 'account', id: `account ${dateOf(day)}`, at, liability }] : []
}

const openedOn = (person: Person, day: number) => ({
  id: `${person.reference} ${dateOf(day)}`,
  name: 'new_credit_card_account',
})

/** The account that a person opened last, by a time. */
export function lastOpened(person: Person, at: number) {
  for (let day = at - (at % DAY); person.opens !== undefined; day -= DAY)
    if (dayOf(day) === person.opens && day + calendar.opens * HOUR <= at) return openedBy(openedOn(person, day))
  return []
}

/** What happens on a day (its first millisecond), in order. */
function changesOn({ kind, of, from }: FeedCall): (day: number) => Change[] {
  if (kind === 'account') {
    const person = people.find(one => one.reference === of)
    return day => (person ? accountsOn(person, day) : [])
  }
  const debt = findDebt(of)
  if (!debt) return () => []
  if (kind === 'update') return day => updatesOn(debt, day, from)
  if (kind === 'card') return day => cardsOn(debt, day)
  return day => (supportsOf(productOf(debt)).includes('transaction') ? purchasesOn(debt, day) : [])
}

export function createFeed(sleep: (ms: number) => Promise<void>): Feed {
  return {
    async changes(call) {
      if (findDebt(call.of)?.slow) await sleep(delays.slowInstitution)
      const after = Math.max(call.from, Number(call.since ?? 0))
      const on = changesOn(call)
      const changes: Change[] = []
      let next: number | null = null
      for (let day = after - (after % DAY); day < call.until + AHEAD && next === null; day += DAY)
        for (const change of on(day)) {
          if (change.at <= after) continue
          if (change.at > call.until || changes.length >= call.limit) next ??= change.at
          else if (next === null) changes.push(change)
        }
      // Where more is waiting than was asked for, it is had at once.
      const last = changes.at(-1)?.at ?? after
      const cursor = next !== null && next <= call.until ? last : Math.max(after, call.until)
      return { status: 'completed', changes, cursor: String(cursor), next: next ?? call.until + AHEAD / 2 }
    },
  }
}
