/** One opening of an element, from `open()` to its outcome. Manages the frame, its token requests and its messages. */
import { type AuthReason, type ExitReason, readHandle, type Success, type ToHost } from '@causeway/contract/frame'
import { type Channel, type ChannelOptions, createChannel } from './channel.js'
import { errorOf, type KitError } from './errors.js'
import {
  AllocationsChangeEvent,
  AllocationsConfirmedEvent,
  ElementErrorEvent,
  ElementEventEvent,
  ElementExitEvent,
  ElementReadyEvent,
  ElementSuccessEvent,
} from './events.js'
import type { Taken, Tokens } from './tokens.js'
import type { Status } from './view.js'

/** The outcome of an opening. Unless the person finished, the ids are null and the list is empty. */
export interface Outcome {
  reason: ExitReason
  session_id: string | null
  entity_id: string | null
  accounts: string[]
  /** The signed outcome (JWS), or null. */
  result: string | null
}

export interface OpeningOptions {
  /** The frame's exact origin. */
  origin: string
  tokens: Tokens
  /** The longest time to wait for a message from the frame, in milliseconds. */
  timeout: number
  init: ChannelOptions['init']
  /** Dispatches an event to the page. Returns false if the page canceled it. */
  dispatch: (event: Event) => boolean
  /** Called when something visible changes. */
  onChange: () => void
  onResize: (height: number) => void
  onReady: () => void
  onEnd: () => void
}

/** Messages that are passed to the page unchanged. */
const news = {
  event: ElementEventEvent,
  'allocations.change': AllocationsChangeEvent,
  'allocations.confirmed': AllocationsConfirmedEvent,
}

/** Errors that leave the frame without a session because its token was rejected. */
const SPENT = /^(?:EXPIRED|INVALID)_TOKEN$|^SESSION_EXPIRED$/

/** The longest time that a closed frame is kept alive to notify the service, in milliseconds. */
const FAREWELL = 400

export class Opening {
  readonly outcome: Promise<Outcome>
  status: Status = 'loading'
  channel: Channel | undefined
  #options: OpeningOptions
  #resolve!: (outcome: Outcome) => void
  #success: Success | null = null
  #abort = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined
  /** The reason for the last token request that the page could not fulfill. */
  #owed: AuthReason | null = null
  /** The reason to report if the person closes a flow that has already ended. */
  #why: ExitReason = 'user'
  /** The abort signal of the frame for which a token is being fetched. */
  #asking: AbortSignal | undefined

  constructor(options: OpeningOptions) {
    this.#options = options
    this.outcome = new Promise(resolve => {
      this.#resolve = resolve
    })
  }

  /** Loads a new frame to replace the previous one. */
  async load(): Promise<void> {
    const { origin, tokens, init } = this.#options
    this.stop()
    this.#abort = new AbortController()
    const { signal } = this.#abort
    this.#show('loading')
    const token = await tokens.hold()
    if (this.status === 'idle') return
    this.#wait()
    const handle = readHandle(token)
    if (!handle) {
      this.#lack('initial', token)
      return
    }
    this.channel = createChannel({
      origin,
      handle,
      init,
      onHello: () => this.#wait(),
      onMessage: message => this.#receive(message),
      signal,
    })
    this.#options.onChange()
  }

  /** Continues after the page has set a token or `getToken`. */
  resume(): void {
    if (!this.#owed) return
    if (this.channel) this.#answer(this.#owed)
    else this.load()
  }

  /** Dispatches `element-exit` and closes. Returns false if the page keeps the element open. */
  exit(asked: ExitReason, cancelable = true): boolean {
    const mine = this.status === 'failed' ? 'error' : this.#why
    const reason = this.#success ? 'completed' : mine === 'user' ? asked : mine
    if (!this.#options.dispatch(new ElementExitEvent(reason, cancelable))) return false
    this.channel?.post({ type: 'close' })
    this.end(reason)
    return true
  }

  /**
   * Ends the opening without dispatching an event. The frame remains briefly but no longer receives messages, unless
   * {@link stop} removes it.
   */
  end(reason: ExitReason): void {
    if (this.status === 'idle') return
    const { session_id = null, entity_id = null, accounts = [], result = null } = this.#success ?? {}
    this.#resolve({ reason: this.#success ? 'completed' : reason, session_id, entity_id, accounts, result })
    this.#show('idle')
    this.#timer = setTimeout(() => this.stop(), FAREWELL)
    this.#options.onEnd()
  }

  /** Closes the channel and removes the frame. */
  stop(): void {
    this.#abort.abort()
    clearTimeout(this.#timer)
    this.channel = undefined
    this.#owed = null
    this.#options.onChange()
  }

  /** Shows a status. Any status change ends the wait. */
  #show(status: Status): void {
    clearTimeout(this.#timer)
    this.status = status
    this.#options.onChange()
  }

  /** Waits for a limited time for the frame's next message. */
  #wait(): void {
    if (this.status === 'idle') return
    this.#show('loading')
    this.#timer = setTimeout(() => {
      this.#show('failed')
      // When a token is missing, the page has already received an error and no frame was requested.
      if (!this.#owed) this.#tell('FRAME_UNREACHABLE')
    }, this.#options.timeout)
  }

  #tell(error: KitError): void {
    this.#options.dispatch(new ElementErrorEvent(errorOf(error)))
  }

  /** Handles a missing token. If the callback failed, waiting won't help, so its error is logged for the developer. */
  #lack(reason: AuthReason, why: Taken): void {
    this.#owed = reason
    if (this.channel) this.#why = 'expired'
    if (why instanceof Error) {
      console.error(why)
      if (!this.channel) this.#show('failed')
    }
    this.#tell(why instanceof Error ? 'TOKEN_CALLBACK_FAILED' : 'TOKEN_REQUIRED')
  }

  async #answer(reason: AuthReason): Promise<void> {
    const { signal } = this.#abort
    if (this.#asking === signal) return
    this.#asking = signal
    this.#owed = null
    this.#why = 'user'
    if (this.status === 'loading') clearTimeout(this.#timer) // the page's server can take longer than the frame's timeout
    const taken = await this.#options.tokens.give(reason)
    const token = taken instanceof Error ? null : taken
    if (this.#asking === signal) this.#asking = undefined
    if (signal.aborted || this.status === 'idle') return
    this.channel?.post({ type: 'auth.token', token })
    if (!token) this.#lack(reason, taken)
    else if (this.status === 'loading') this.#wait()
  }

  #receive(message: ToHost): void {
    const { dispatch, onResize, onReady } = this.#options
    if (this.status === 'idle') return
    switch (message.type) {
      case 'auth.request':
        this.#answer(message.reason)
        break
      case 'ready':
        this.#show('ready')
        dispatch(new ElementReadyEvent())
        onReady()
        break
      case 'resize':
        onResize(message.height)
        break
      case 'exit.request':
        this.exit(message.reason)
        break
      case 'success':
        this.#success = message
        dispatch(new ElementSuccessEvent(message))
        break
      case 'error':
        // Escape or the back gesture may reach the dialog rather than the frame, so remember that the flow has ended.
        this.#why = !message.recoverable ? 'error' : SPENT.test(message.sub_type) ? 'expired' : 'user'
        dispatch(new ElementErrorEvent(message))
        break
      default:
        dispatch(new news[message.type](message as never))
    }
  }
}
