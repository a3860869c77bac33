import type { Network } from '../network/port.js'
import { createAccountData } from './account-data.js'
import { debtAt } from './debt-history.js'
import { createEntityData } from './entity-data.js'
import { createFeed, lastOpened } from './feed.js'
import { delays } from './inputs.js'
import { merchants } from './institutions.js'
import { describeDebt, findDebt, fits, payableOf, productOf, showLiability } from './liabilities.js'
import { people } from './people.js'
import { snapshotTime, updateBlock } from './updates.js'

/** The sandbox's institutions and bureaus. The same reference and time always give the same answer. */
export function createNetwork(sleep: (ms: number) => Promise<void>): Network {
  const wait = async (who: { slow?: true } | undefined) => {
    if (who?.slow) await sleep(delays.slowInstitution)
  }
  return {
    ...createAccountData(sleep),
    ...createEntityData(sleep),
    ...createFeed(sleep),

    async discover({ person: reference, now }) {
      const person = people.find(one => one.reference === reference)
      await wait(person)
      if (!person) return { status: 'failed', code: 24001 }
      if (person.fails) return { status: 'failed', code: person.fails }
      const liabilities = person.debts.map(debt =>
        showLiability(debtAt(findDebt(debt)!, now), person.ownership?.[debt] ?? 'primary'),
      )
      return { status: 'completed', liabilities: [...liabilities, ...lastOpened(person, now)] }
    },

    async balance({ account, now }) {
      const debt = findDebt(account)
      await wait(debt)
      if (!debt || debt.silent) return { status: 'failed', code: 20001 }
      return { status: 'completed', amount: debtAt(debt, now).balance }
    },

    async update({ account, source, now }) {
      const debt = findDebt(account)
      await wait(debt)
      if (!debt || debt.silent || (source === 'direct' && !productOf(debt).direct))
        return { status: 'failed', code: 21001 }
      const as_of = source === 'snapshot' ? snapshotTime(now) : now
      return { status: 'completed', as_of, data: updateBlock(debtAt(debt, as_of), source, as_of) }
    },

    async verifyNumber({ account, number, now }) {
      const known = findDebt(account)
      const debt = known && debtAt(known, now)
      await wait(debt)
      if (debt && payableOf(debt) === 'no') return { status: 'failed', code: 16001 }
      if (!debt || !fits(debt, number)) return { status: 'failed', code: 16002 }
      return { status: 'verified' }
    },

    async describe({ mch_id, number }) {
      const debt = describeDebt(mch_id, number)
      if (!debt) return null
      const { payable, ...shown } = showLiability(debt, 'unknown')
      return { ...shown, payable: payable === 'needs_number' ? 'yes' : payable }
    },

    merchants(ids) {
      return ids ? merchants.filter(merchant => ids.includes(merchant.id)) : [...merchants]
    },
  }
}
