import type { Network } from '@causeway/connector/ports/network'
import { accountChecks } from './account-checks.js'
import { drawCard, drawLogo } from './art/draw.js'
import { createCreditReports } from './credit-reports.js'
import { debtAt } from './debt-history.js'
import { createFeed } from './feed.js'
import { describeDebt, findDebt, showLiability } from './liabilities.js'
import { createPreauths } from './preauths.js'
import { answersOf, type World } from './products/answer.js'
import { accountAnswers } from './products/of-accounts.js'
import { entityAnswers } from './products/of-entities.js'
import { cardProducts } from './tables/card-products.js'
import { delays } from './tables/inputs.js'
import { bureau, merchants } from './tables/institutions.js'
import { people } from './tables/people.js'

function createWorld(sleep: (ms: number) => Promise<void>): World {
  const wait = async (who: { slow?: true } | undefined) => {
    if (who?.slow) await sleep(delays.slowInstitution)
  }
  const debtAtMonthStart: World['debtAtMonthStart'] = async account => {
    const debt = findDebt(account)
    await wait(debt)
    return debt
  }
  return {
    debtAtMonthStart,
    async debt({ account, now }) {
      const debt = await debtAtMonthStart(account)
      return debt && debtAt(debt, now)
    },
    async person(reference, phone = null) {
      const find = (one: 'reference' | 'phone', value: string) => people.find(each => each[one] === value)
      const person = (reference && find('reference', reference)) || (phone ? find('phone', phone) : undefined)
      await wait(person)
      return person
    },
  }
}

/**
 * Creates the network port for the sandbox's institutions and bureaus. The same reference and time always produce the
 * same response.
 */
export function createNetwork(sleep: (ms: number) => Promise<void>): Network {
  const world = createWorld(sleep)
  return {
    ...answersOf(accountAnswers, world),
    ...answersOf(entityAnswers, world),
    ...accountChecks(world),
    ...createFeed(sleep),
    ...createPreauths(world),
    ...createCreditReports(world),

    async describe({ mch_id, number }) {
      const debt = describeDebt(mch_id, number)
      if (!debt) return null
      const { payable, ...shown } = showLiability(debt, 'unknown')
      return { ...shown, payable: payable === 'needs_number' ? 'yes' : payable }
    },

    // The sandbox finds accounts by the person, so it has no institutions to link.
    link: async () => ({ status: 'refused' }),
    linked: async () => ({ status: 'linked', institutions: [] }),
    unlink: async () => ({ status: 'unlinked' }),

    merchants(ids) {
      return ids ? merchants.filter(merchant => ids.includes(merchant.id)) : [...merchants]
    },

    bureau: () => bureau,

    drawing(id) {
      const merchant = merchants.find(each => each.id === id)
      const product = cardProducts.find(({ brands }) => brands.some(brand => brand.id === id))
      const body = merchant ? drawLogo(merchant.parent_name) : product ? drawCard(product.issuer, id) : null
      return body === null ? null : { body, type: 'image/svg+xml' }
    },
  }
}
