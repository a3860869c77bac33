import type { ErrorSubType } from '@causeway/contract/errors'

/**
 * A limit on how often a subject can perform a kind of action, such as guessing a code or sending a message that costs
 * money.
 */
export interface Limit {
  /** The counter's name, which must be unique because it is part of the counter's key. */
  readonly kind: string
  /** The number of actions allowed in one window. */
  readonly max: number
  /** The length of a window in ms. A window starts with the first counted action. */
  readonly window: number
  /** The code of the error thrown when the limit is exceeded. */
  readonly error: ErrorSubType
  /** The error's message, if the default message doesn't say what is limited. */
  readonly sentence?: string
}

/** The number of actions that a subject has left. */
export interface Remaining {
  left: number
  /** The end of the window in team time, in epoch ms. After the window, all actions are available again. */
  freeAt: number
}
