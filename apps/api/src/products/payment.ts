import { isPayable } from '../accounts/account.js'
import type { AccountOffer } from './product.js'
import { available } from './rules.js'

/** Being paid, or paying: it leaves payments and no records. */
export const payment: AccountOffer = {
  holder: 'account',
  name: 'payment',
  subscriptions: [],
  availability(team, account) {
    if (isPayable(team, account)) return available
    if (account.status !== 'active' || account.payable === 'no')
      return { status: 'unavailable', because: 'PRODUCT_UNAVAILABLE' }
    const because = team.settings.products.includes('payment')
      ? 'PRODUCT_VERIFICATION_MISSING'
      : 'TEAM_CAPABILITY_RESTRICTED'
    return { status: 'restricted', because }
  },
}
