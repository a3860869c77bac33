import { all, cardMethod } from './card.js'

/** Checks all details on the card with an authorization. */
export const preAuth = cardMethod('pre_auth', all, ['number', 'expiry', 'cvv'])
