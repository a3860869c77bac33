import { linked } from './linked.js'

export const mx = linked('mx', 'account')
