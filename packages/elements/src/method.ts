/**
 * The interface of Elements, over this kit: `new Method({ env, onSuccess, onExit }).open(token)`. The flow, its origins
 * and its one-time tokens are the kit's.
 */
import { type Launched, launch } from './launch.js'
import type { Environment, FrameOrigins, OpalError } from './opal-events.js'

/** The payload of a callback. It contains ids and codes only, no personal data. */
export interface MethodPayload {
  op: 'open' | 'success' | 'error' | 'exit'
  element_type: string
  entity_id?: string
  /** The accounts that the person chose. */
  accounts?: string[]
  type?: string
  sub_type?: string
  message?: string
  /** The HTTP status that the error corresponds to. */
  code?: number
}

/** The argument of `onEvent`, in the form of a message event. */
export interface MethodEvent {
  data: { type: string; payload: MethodPayload | Record<string, unknown> }
}

export interface MethodOptions {
  /** Default: `dev`. */
  env?: Environment
  /** Default: the origin that served the script, or `<meta name="causeway-frame-origin">`. */
  frameOrigin?: FrameOrigins
  onEvent?: (event: MethodEvent) => void
  onOpen?: (payload: MethodPayload) => void
  onSuccess?: (payload: MethodPayload) => void
  onError?: (payload: MethodPayload) => void
  /** Called last, after success, after an error, and if the person leaves. */
  onExit?: (payload: MethodPayload) => void
}

const callbacks = { open: 'onOpen', success: 'onSuccess', error: 'onError', exit: 'onExit' } as const

export class Method {
  readonly #options: MethodOptions
  #launched: Launched | null = null

  constructor(options: MethodOptions = {}) {
    this.#options = options
  }

  /** Opens the flow in a modal. Does nothing if it is already open. */
  open(token: string): void {
    if (this.#launched) return
    const { env = 'dev', frameOrigin = null } = this.#options
    this.#launched = launch({
      tag: 'connect-element',
      token,
      env,
      frameOrigin,
      parent: null,
      appearance: null,
      onOpen: () => this.#report({ op: 'open' }),
      onEvent: (name, timestamp, data) =>
        this.#options.onEvent?.({ data: { type: name, payload: { ...data, timestamp } } }),
      onSuccess: result => this.#report({ op: 'success', ...result }),
      onError: error => this.#fail(error),
      onExit: () => {
        this.#launched = null
        this.#report({ op: 'exit' })
      },
    })
    if (!this.#launched) this.#report({ op: 'exit' })
  }

  /** Closes the flow. */
  close(): void {
    this.#launched?.close()
  }

  /** Reports an error. The flow stays open only if it can continue. */
  #fail({ type, sub_type, message, recoverable }: OpalError): void {
    this.#report({ op: 'error', type, sub_type, message, code: type === 'API_ERROR' ? 500 : 400 })
    if (!recoverable) this.close()
  }

  #report(fields: Omit<MethodPayload, 'element_type'>): void {
    const payload = { element_type: 'connect', ...fields }
    this.#options.onEvent?.({ data: { type: fields.op, payload } })
    this.#options[callbacks[fields.op]]?.(payload)
  }
}
