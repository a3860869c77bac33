import { linked } from './linked.js'

export const plaid = linked('plaid', 'balances')
