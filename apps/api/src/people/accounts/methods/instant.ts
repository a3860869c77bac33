import { cardMethod, printed } from './card.js'

/** Checks the card's number and expiry. */
export const instant = cardMethod('instant', printed, ['number', 'expiry'])
