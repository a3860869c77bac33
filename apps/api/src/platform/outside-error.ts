/** The other side could not be called, or did not answer. */
export class OutsideError extends Error {
  override readonly name = 'OutsideError'
  /**
   * The effect on the other side: `nothing`, as it confirmed itself; else it is unknown: query the outcome, never
   * blindly resend.
   */
  readonly outcome: 'nothing' | 'unknown'
  /** True if trying later may help. */
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
