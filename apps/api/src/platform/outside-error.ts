/** The other side could not be called, or did not answer. */
export class OutsideError extends Error {
  override readonly name = 'OutsideError'
  /** What the other side did: `nothing`, by its own word; else it is unknown: ask, never blindly send again. */
  readonly outcome: 'nothing' | 'unknown'
  /** Whether trying later may help. */
  readonly retryable: boolean

  constructor(
    message: string,
    { outcome = 'unknown', retryable = true }: Partial<Pick<OutsideError, 'outcome' | 'retryable'>> = {},
  ) {
    super(message)
    this.outcome = outcome
    this.retryable = retryable
  }
}
