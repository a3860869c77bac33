/**
 * Events that happen in the sandbox without an API call. The events depend only on the calendar, so every process
 * returns the same events.
 */

import type { Feed, FeedCall, NetworkChange } from '@causeway/connector/ports/feed'
import { DAY_MS } from '@causeway/contract/time'
import { findDebt } from './liabilities.js'
import { accountsOn } from './products/connect.js'
import { accountProducts } from './products/of-accounts.js'
import { delays } from './tables/inputs.js'
import { people } from './tables/people.js'

/**
 * The length of the period after `until` in which the feed looks for the next event. Two months are enough to include
 * every monthly event.
 */
const LOOKAHEAD_MS = 62 * DAY_MS

/** Returns a function that lists a day's events in order, given the first millisecond of the day. */
function changesOn({ kind, of, from }: FeedCall): (day: number) => NetworkChange[] {
  if (kind === 'account') {
    const person = people.find(one => one.reference === of)
    return day => (person ? accountsOn(person, day) : [])
  }
  const debt = findDebt(of)
  if (!debt) return () => []
  const productChanges = accountProducts.flatMap(({ changes }) => changes?.[kind] ?? [])
  return day => productChanges.flatMap(changes => changes(debt, day, from))
}

export function createFeed(sleep: (ms: number) => Promise<void>): Feed {
  return {
    async changes(call) {
      if (findDebt(call.of)?.slow) await sleep(delays.slowInstitution)
      const start = Math.max(call.from, Number(call.since ?? 0))
      const listChanges = changesOn(call)
      const changes: NetworkChange[] = []
      let nextAt: number | null = null
      for (let day = start - (start % DAY_MS); day < call.until + LOOKAHEAD_MS && nextAt === null; day += DAY_MS)
        for (const change of listChanges(day)) {
          if (change.at <= start) continue
          if (change.at > call.until || changes.length >= call.limit) nextAt ??= change.at
          else if (nextAt === null) changes.push(change)
        }
      // If more events are due than the caller requested, the cursor stops at the last one returned.
      const last = changes.at(-1)?.at ?? start
      const cursor = nextAt !== null && nextAt <= call.until ? last : Math.max(start, call.until)
      return { status: 'completed', changes, cursor: String(cursor), next: nextAt ?? call.until + LOOKAHEAD_MS / 2 }
    },
  }
}
