import type { ErrorSubType } from '@causeway/contract/errors'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR

/** One kind of act that is counted per subject: a guess, or a send that costs money. */
export interface Limit {
  /** The counter's name; unique, and part of its key. */
  readonly kind: string
  /** The number allowed in one window. */
  readonly most: number
  /** The window in ms. It starts with the first act that is counted. */
  readonly window: number
  /** The error when more are attempted. */
  readonly error: ErrorSubType
  /** The error's message, if the table's own would not name the limited thing. */
  readonly sentence?: string
}

/** The allowance that a subject has left. */
export interface Remaining {
  left: number
  /** The end of the window, epoch ms of the team's time: from then on all acts are free again. */
  freeAt: number
}
