import type { ErrorSubType } from '@causeway/contract/errors'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR

/** A kind of action that is counted per subject: a guess, or a send that costs money. */
export interface Limit {
  /** The counter's name; unique, and part of its key. */
  readonly kind: string
  /** The number allowed in one window. */
  readonly most: number
  /** The length of a window in ms. A window starts with the first counted action. */
  readonly window: number
  /** The error code when the limit is exceeded. */
  readonly error: ErrorSubType
  /** The error's message, if the default one would not name what is limited. */
  readonly sentence?: string
}

/** The actions that a subject has left. */
export interface Remaining {
  left: number
  /** The end of the window, epoch ms in team time. After it, all actions are available again. */
  freeAt: number
}
