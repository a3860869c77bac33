import { all, cardMethod } from './card.js'

/** Everything on the card, checked by an authorization. */
export const preAuth = cardMethod('pre_auth', all, ['number', 'expiry', 'cvv'])
