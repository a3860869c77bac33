import { linked } from './linked.js'

export const teller = linked('teller', 'balances')
