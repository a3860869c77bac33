/**
 * Events that happen in the sandbox without a call. They follow from the calendar alone, so that every process returns
 * the same.
 */
import type { Change, Feed, FeedCall } from '../network/feed.js'
import { delays } from './inputs.js'
import { findDebt } from './liabilities.js'
import { people } from './people.js'
import { accountsOn } from './products/connect.js'
import { accountProducts } from './products/of-accounts.js'
import { DAY } from './timetable.js'

/** The time that it looks ahead for the next event: two months hold everything that comes each month. */
const AHEAD = 62 * DAY

/** The events of a day (its first millisecond), in order. */
function changesOn({ kind, of, from }: FeedCall): (day: number) => Change[] {
  if (kind === 'account') {
    const person = people.find(one => one.reference === of)
    return day => (person ? accountsOn(person, day) : [])
  }
  const debt = findDebt(of)
  if (!debt) return () => []
  const on = accountProducts.flatMap(({ changes }) => changes?.[kind] ?? [])
  return day => on.flatMap(changes => changes(debt, day, from))
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
      // If more events wait than were requested, the next call gets them at once.
      const last = changes.at(-1)?.at ?? after
      const cursor = next !== null && next <= call.until ? last : Math.max(after, call.until)
      return { status: 'completed', changes, cursor: String(cursor), next: next ?? call.until + AHEAD / 2 }
    },
  }
}
