import type { Words } from '../words/en.js'

/** The number of remaining tries from which a screen names it. Every rejection names it as well. */
const NAMED_ATTEMPTS_LEFT = 2

/** Returns the line below the button: the remaining tries if they are few. */
export const attemptsLeftNote = (left: number, say: (left: number) => string, { app }: Words): string =>
  left <= NAMED_ATTEMPTS_LEFT ? say(left) : app.encrypted
