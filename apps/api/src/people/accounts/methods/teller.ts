import { linked } from './linking-provider.js'

export const teller = linked('teller', 'balances')
