import { canPay } from '../../holders/account.js'
import { verificationMissing } from '../../holders/account-rules.js'
import type { AccountOffer } from '../../holders/product.js'
import { available, notOffered } from '../../holders/product-rules.js'

/** The ability to pay and to be paid. Creates payments instead of records. */
export const payment: AccountOffer = {
  holder: 'account',
  name: 'payment',
  shares: 'payments',
  subscriptions: [],
  availability(team, account) {
    if (account.status !== 'active' || (!canPay(account) && account.payable === 'no'))
      return { status: 'unavailable', subType: 'PRODUCT_UNAVAILABLE' }
    if (!team.settings.products.includes('payment')) return notOffered
    if (canPay(account)) return available
    return verificationMissing('restricted', account.type === 'ach' ? 'owner' : 'number')
  },
}
