/** An email. */
export interface Message {
  /** Stays the same if the message is sent again. */
  readonly id: string
  /** The recipients, who do not see one another. */
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly attachment?: { readonly name: string; readonly type: string; readonly text: string } | undefined
}

/** Sends email through the operator's server. */
export interface Mail {
  /**
   * Resolves once the server has accepted the message. Throws {@link MailError}. A message whose acceptance is not known
   * may be sent again.
   */
  send(message: Message): Promise<void>
}

/** A message was not accepted. Its text names neither recipients nor contents. */
export class MailError extends Error {
  override readonly name = 'MailError'
  /** True if the server will never accept the message. */
  readonly permanent: boolean

  constructor(message: string, permanent: boolean) {
    super(message)
    this.permanent = permanent
  }
}

declare module '../scope.js' {
  interface Deps {
    /** Null if the operator has not configured a server. */
    readonly mail: Mail | null
  }
}
