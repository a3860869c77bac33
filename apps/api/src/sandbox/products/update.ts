import type { NetworkChange } from '@causeway/connector/ports/feed'
import { HOUR_MS } from '@causeway/contract/time'
import { calendar, debtAt, monthOf } from '../debt-history.js'
import type { Debt } from '../tables/debts.js'
import { productOf } from '../tables/institutions.js'
import { dateOf, dayOf } from '../timetable.js'
import { dueDay, snapshotTime, updateBlock } from '../updates.js'
import type { SandboxProductWith } from './answer.js'

/**
 * Returns an institution's reports about a debt on a given day: the statement, any movements, and the account's
 * closure.
 */
function updatesOn(debt: Debt, day: number, from: number): NetworkChange[] {
  if (!productOf(debt).direct || debt.silent || debt.closed_at) return []
  const at = (hour: number) => day + hour * HOUR_MS
  const report = (hour: number, known: Debt = debt): NetworkChange => ({
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

export const update: SandboxProductWith<'update'> = {
  supports: { update: ({ direct }) => direct },
  answers: world => ({
    async update({ account, source, now }) {
      const debt = await world.debtAtMonthStart(account)
      if (!debt || debt.silent || (source === 'direct' && !productOf(debt).direct))
        return { status: 'failed', code: 21001 }
      const as_of = source === 'snapshot' ? snapshotTime(now) : now
      return { status: 'completed', as_of, data: updateBlock(debtAt(debt, as_of), source, as_of) }
    },
  }),
  changes: { update: updatesOn },
}
