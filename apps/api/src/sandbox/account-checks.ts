/** Implements the account checks that the sandbox's institutions and card networks perform. */
import type { CardChecks } from '@causeway/connector/ports/account-data'
import type { Network } from '@causeway/connector/ports/network'
import { fits, payableOf } from './liabilities.js'
import type { World } from './products/answer.js'
import { printedOn } from './tables/card-products.js'
import { achNumbers, trustedRouting, unknownZip } from './tables/inputs.js'
import { productOf } from './tables/institutions.js'

type Checks = Pick<Network, 'vouch' | 'deposit' | 'depositStatus' | 'checkCard' | 'verifyNumber'>

const ach = (number: string) => achNumbers.find(row => row.number === number)

export const accountChecks = (world: World): Checks => ({
  async vouch({ routing, number }) {
    if (ach(number)?.unknown) return null
    return routing === trustedRouting ? 'trusted_provisioner' : 'auto_verify'
  },

  async deposit({ number }) {
    return ach(number)?.refusesDeposits ? { status: 'failed', code: 16004 } : { status: 'sent' }
  },

  // The sandbox's banks return deposits at once.
  depositStatus: async () => ({ status: 'sent', next_at: null }),

  async checkCard({ number, exp_month, exp_year, cvv, billing_zip_code, ...call }) {
    const debt = await world.debt(call)
    if (!debt || productOf(debt).type !== 'credit_card') return { status: 'failed', code: 16001 }
    const card = printedOn(debt.mch_id)
    const right = (told: string | null, known: string) => (told === null ? null : told === known ? 'pass' : 'fail')
    const checks: CardChecks = {
      exp: right(`${exp_month}/${exp_year}`, `${card.exp_month}/${card.exp_year}`),
      cvv: right(cvv, card.cvv),
      billing_zip_code: billing_zip_code === unknownZip ? 'unavailable' : right(billing_zip_code, card.zip),
    }
    const known = fits(debt, number)
    return { status: 'checked', number: known, accepted: known && !Object.values(checks).includes('fail'), checks }
  },

  async verifyNumber({ number, ...call }) {
    const debt = await world.debt(call)
    if (debt && payableOf(debt) === 'no') return { status: 'failed', code: 16001 }
    if (!debt || !fits(debt, number)) return { status: 'failed', code: 16002 }
    return { status: 'verified' }
  },
})
