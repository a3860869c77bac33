/** What the sandbox's institutions and card networks tell of one account. */
import type { AccountData, CardChecks } from '../network/account-data.js'
import { attributeOf } from './account-attributes.js'
import { brandsOf, cardProducts, printedOn } from './card-products.js'
import { debtAt } from './debt-history.js'
import type { Debt } from './debts.js'
import { digest, pick } from './digest.js'
import { achNumbers, achRouting, delays, trustedRouting, unknownZip } from './inputs.js'
import { cardOf, findDebt, fits, productOf } from './liabilities.js'

const DAYS = 15

/** What would settle a debt in fifteen days: what is owed, and the interest of that time. */
export function payoffOf(debt: Debt): { amount: number; term: number; per_diem_amount: number | null } {
  const perDay = (debt.balance * productOf(debt).rate) / 36_500
  const plain = { amount: debt.balance + Math.round(perDay * DAYS), per_diem_amount: Math.round(perDay) }
  return { term: DAYS, ...plain, ...debt.payoff }
}

export function createAccountData(sleep: (ms: number) => Promise<void>): AccountData {
  const find = async ({ account, now }: { account: string; now: number }) => {
    const debt = findDebt(account)
    if (debt?.slow) await sleep(delays.slowInstitution)
    return debt && debtAt(debt, now)
  }
  return {
    async payoff(call) {
      const debt = await find(call)
      return !debt || debt.silent || debt.no_payoff
        ? { status: 'failed', code: 18001 }
        : { status: 'completed', ...payoffOf(debt) }
    },

    async cardBrand(call) {
      const debt = await find(call)
      const brands = debt ? brandsOf(debt) : []
      return brands.length > 0 ? { status: 'completed', brands } : { status: 'failed', code: 24001 }
    },

    cardProducts: () => cardProducts,

    async sensitive(call) {
      const debt = await find(call)
      if (!debt) return { status: 'failed', code: 17001 }
      const card = cardOf(debt) ?? { exp_month: null, exp_year: null, billing_zip_code: null }
      return { status: 'completed', number: debt.number, ...card }
    },

    async attributes({ names, ...call }) {
      const debt = await find(call)
      if (!debt) return { status: 'failed', code: 24001 }
      return {
        status: 'completed',
        values: Object.fromEntries(names.map(name => [name, attributeOf(debt, name, call.now)])),
      }
    },

    async instrument({ type, ...call }) {
      const debt = await find(call)
      if (!debt) return { status: 'failed', code: 24001 }
      if (type === 'card')
        return { status: 'completed', chargeable: true, data: { number: debt.number, ...cardOf(debt)! } }
      if (type === 'network_token')
        return { status: 'completed', chargeable: true, data: { token: `4${digits(15, 'token', call.account)}` } }
      const account_number = digits(10, 'inbound', call.request_id)
      return { status: 'completed', chargeable: true, data: { account_number, routing_number: inboundRouting } }
    },

    async vouch({ routing, number }) {
      if (ach(number)?.unknown) return null
      return routing === trustedRouting ? 'trusted_provisioner' : 'auto_verify'
    },

    async deposit({ number }) {
      return ach(number)?.refusesDeposits ? { status: 'failed', code: 16004 } : { status: 'sent' }
    },

    async checkCard({ number, exp_month, exp_year, cvv, billing_zip_code, ...call }) {
      const debt = await find(call)
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
  }
}

const ach = (number: string) => achNumbers.find(row => row.number === number)

const inboundRouting = achRouting

function digits(length: number, ...parts: string[]): string {
  return Array.from({ length }, (_, index) => pick(10, digest(...parts), index)).join('')
}
