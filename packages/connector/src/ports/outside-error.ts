/** Thrown if an external service could not be called or did not respond. */
export class OutsideError extends Error {
  override readonly name: string = 'OutsideError'
  /**
   * The effect on the external service: `nothing` if the service confirmed that the call had no effect; otherwise,
   * `unknown`. If the effect is unknown, query the outcome before resending the call.
   */
  readonly outcome: 'nothing' | 'unknown'
  /** True if a later attempt may succeed. */
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
