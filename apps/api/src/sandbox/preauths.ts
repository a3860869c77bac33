import type { Preauths } from '@causeway/connector/ports/preauths'
import { DAY_MS } from '@causeway/contract/time'
import { pick } from './digest.js'
import type { World } from './products/answer.js'
import { preauthCards } from './tables/inputs.js'
import { productOf } from './tables/institutions.js'

/** The best time for a charge that is likely to fail. */
const RETRY_AFTER_MS = 3 * DAY_MS

/** Answers by the debt of an account, or by the last four digits of a card. */
export const createPreauths = (world: World): Preauths => ({
  async preauth({ account, card, ...call }) {
    if (card) {
      const { ownership = 'match', standing = 'open', likelihood = 0.95 } = preauthCards[card.last4] ?? {}
      return {
        status: 'completed',
        ownership: card.first_name || card.last_name || card.phone ? ownership : 'unknown',
        standing,
        likelihood,
        retry_at: likelihood > 0 && likelihood < 0.5 ? call.now + RETRY_AFTER_MS : null,
      }
    }
    const debt = await world.debt({ ...call, account: account ?? '' })
    if (!debt || debt.silent || productOf(debt).type !== 'credit_card') return { status: 'failed', code: 24001 }
    const isOpen = debt.closed_at === undefined
    return {
      status: 'completed',
      ownership: 'match',
      standing: isOpen ? 'open' : 'closed',
      likelihood: isOpen ? (80 + pick(20, 'preauth', debt.reference)) / 100 : 0,
      retry_at: null,
    }
  },
})
