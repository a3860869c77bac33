/** What every outside call is given. Calls may be slow, fail (throw {@link OutsideError}) and be repeated with the same `request_id`. */
export interface Call {
  /** The resource's id: the same one on every retry, so that the other side can answer the same. */
  request_id: string
  team_id: string
  /** The team's time, epoch milliseconds. */
  now: number
}

/** The other side could not be asked, or did not answer. */
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

/** The outside world, one port each. No feature knows an adapter. */
export interface Ports {
  network: import('./network/port.js').Network
  identity: import('./identity/port.js').Identity
  rail: import('./rail/port.js').Rail
}
