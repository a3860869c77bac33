import type { Words } from '../words/en.js'

/** The number of remaining tries from which a screen names it. Every rejection names it as well. */
const FEW = 2

/** Returns the line below the button: the remaining tries if they are few. */
export const trustOf = (left: number, say: (left: number) => string, { app }: Words): string =>
  left <= FEW ? say(left) : app.encrypted
