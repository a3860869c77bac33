import { linked } from './linking-provider.js'

export const plaid = linked('plaid', 'balances')
