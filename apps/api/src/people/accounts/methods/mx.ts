import { linked } from './linking-provider.js'

export const mx = linked('mx', 'account')
