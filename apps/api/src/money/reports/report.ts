import type { ReportType } from '@causeway/contract/resources/report'
import { cycleOf, previousDay, type Span } from '../../platform/calendar/calendar.js'

/** The selection of rows that a report contains. */
export type RowSource = 'created' | 'updated' | 'failed' | 'waiting' | 'pulled' | 'reversals' | 'entities' | 'balances'

type PeriodOf = (now: number) => Span

/** The span from the start of the current cycle to now. */
const current: PeriodOf = now => ({ from: cycleOf(now).from, to: now + 1 })
const previous: PeriodOf = now => cycleOf(cycleOf(now).from - 1)
const always: PeriodOf = now => ({ from: 0, to: now + 1 })
/** The cycle whose payments were pulled on the previous day, Chicago time. Empty if banks were closed that day. */
const pulledDayBefore: PeriodOf = now => {
  const day = previousDay(now)
  const cycle = cycleOf(day.from)
  return cycle.to < day.to ? cycle : { from: day.from, to: day.from }
}

/** The contents and period of each report type. Source: contract, reports; calendar. */
export const reportRules: Readonly<Record<ReportType, readonly [RowSource, PeriodOf]>> = {
  'payments.created.current': ['created', current],
  'payments.created.previous': ['created', previous],
  'payments.created.previous_day': ['created', previousDay],
  'payments.updated.current': ['updated', current],
  'payments.updated.previous': ['updated', previous],
  'payments.failed.previous_day': ['failed', previousDay],
  'ach.pull.upcoming': ['waiting', always],
  'ach.pull.previous': ['pulled', previous],
  'ach.pull.nightly': ['pulled', pulledDayBefore],
  'ach.debit.daily': ['pulled', current],
  'ach.reversals.nightly': ['reversals', previousDay],
  'entities.created.previous_day': ['entities', previousDay],
  'reserve_fbo_balance.created.previous_day': ['balances', previousDay],
}
