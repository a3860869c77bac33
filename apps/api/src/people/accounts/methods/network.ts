import { all, cardMethod } from './card.js'

/** Checks all details on the card with the card network, which also confirms the holder. */
export const network = cardMethod('network', all, ['number', 'expiry', 'cvv', 'network'])
