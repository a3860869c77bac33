import { all, cardMethod } from './card.js'

/** Everything on the card, checked by its network, which also confirms the holder. */
export const network = cardMethod('network', all, ['number', 'expiry', 'cvv', 'network'])
