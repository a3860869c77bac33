import type { NetworkChange } from '@causeway/connector/ports/feed'
import { DAY_MS, HOUR_MS } from '@causeway/contract/time'
import { calendar, debtAt } from '../debt-history.js'
import { findDebt, showLiability } from '../liabilities.js'
import { openedBy } from '../opened-debts.js'
import type { Person } from '../tables/people.js'
import { dateOf, dayOf } from '../timetable.js'
import type { SandboxProductWith } from './answer.js'

/** Returns the account that a person opens on the given day, if any. */
export function accountsOn(person: Person, day: number): NetworkChange[] {
  if (person.opens !== dayOf(day)) return []
  const [liability] = openedBy(openedOn(person, day))
  const at = day + calendar.opens * HOUR_MS
  return liability ? [{ type: 'account', id: `account ${dateOf(day)}`, at, liability }] : []
}

const openedOn = (person: Person, day: number) => ({
  id: `${person.reference} ${dateOf(day)}`,
  name: 'new_credit_card_account',
})

/** Returns the latest account that a person had opened by a given time. */
function lastOpened(person: Person, at: number) {
  for (let day = at - (at % DAY_MS); person.opens !== undefined; day -= DAY_MS)
    if (dayOf(day) === person.opens && day + calendar.opens * HOUR_MS <= at) return openedBy(openedOn(person, day))
  return []
}

export const connect: SandboxProductWith<'discover' | 'opened'> = {
  answers: world => ({
    async discover({ person: reference, now }) {
      const person = await world.person(reference)
      if (!person) return { status: 'failed', code: 24001 }
      if (person.fails) return { status: 'failed', code: person.fails }
      const liabilities = person.debts.map(debt =>
        showLiability(debtAt(findDebt(debt)!, now), person.ownership?.[debt] ?? 'primary'),
      )
      return { status: 'completed', liabilities: [...liabilities, ...lastOpened(person, now)] }
    },

    async opened({ behaviours }) {
      return behaviours.flatMap(openedBy)
    },
  }),
}
