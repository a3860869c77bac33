import { cardMethod, printed } from './card.js'

/** The card's number and expiry. */
export const instant = cardMethod('instant', printed, ['number', 'expiry'])
