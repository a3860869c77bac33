/**
 * One opening of an element, from `prepare()` or `open()` to its outcome. Handles the frame, its token requests and its
 * messages.
 */
import { type AuthReason, type ExitReason, readHandle, type Success, type ToHost } from '@causeway/contract/frame'
import { type Channel, type ChannelOptions, createChannel } from './channel.js'
import { errorOf, type KitError, namedError, setupError } from './errors.js'
import {
  AllocationsChangeEvent,
  AllocationsConfirmedEvent,
  ElementErrorEvent,
  ElementEventEvent,
  ElementExitEvent,
  ElementReadyEvent,
  ElementSuccessEvent,
} from './events.js'
import type { TokenResult, Tokens } from './tokens.js'
import type { Cause, Status } from './view.js'

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

/** Events for messages that are passed to the page unchanged. */
const forwardedEvents = {
  event: ElementEventEvent,
  'allocations.change': AllocationsChangeEvent,
  'allocations.confirmed': AllocationsConfirmedEvent,
}

/** Errors after which the frame has no session, because its token was rejected. */
const TOKEN_REJECTION = /^(?:EXPIRED|INVALID)_TOKEN$|^SESSION_EXPIRED$/

/** A closed frame stays on the page for this many milliseconds so that it can notify the service. */
const CLOSE_DELAY_MS = 400

/** The element removes a prepared frame that is not opened within this many milliseconds. */
export const PREPARED_LIFETIME_MS = 600_000

export class Opening {
  readonly outcome: Promise<Outcome>
  status: Status = 'loading'
  /** The cause of the `failed` status. */
  cause: Cause = 'connection'
  channel: Channel | undefined
  /** True from {@link prepare} to `open()`. The frame is loaded, but it is hidden and has no effect on the page. */
  isHidden = false
  /** True if the frame's page shows the first screen before its app is ready. */
  #isDrawn = false
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
  /** The result of {@link prepare}, and the function that settles it. */
  #preparing: Promise<void> | undefined
  #prepared: (error?: Error) => void = () => undefined

  constructor(options: OpeningOptions) {
    this.#options = options
    this.outcome = new Promise(resolve => {
      this.#resolve = resolve
    })
  }

  /**
   * Loads the frame without showing it. Resolves once its first screen is ready. If that fails, rejects and ends the
   * opening.
   */
  prepare(): Promise<void> {
    this.#preparing ??= new Promise((resolve, reject) => {
      this.#prepared = error => (error ? reject(error) : resolve())
      this.isHidden = true
      this.load()
    })
    return this.#preparing
  }

  /** Starts the session of a frame that is no longer hidden. */
  show(): void {
    this.#prepared()
    this.channel?.post({ type: 'open' })
    if (this.status === 'ready') this.#receive({ type: 'ready' })
  }

  /** The status to show. A frame that shows its first screen counts as ready even while its app is loading. */
  get shown(): Status {
    return this.#isDrawn && this.status === 'loading' ? 'ready' : this.status
  }

  /** Loads a new frame to replace the previous one. */
  async load(): Promise<void> {
    const { origin, tokens, init } = this.#options
    this.stop()
    this.#abort = new AbortController()
    const { signal } = this.#abort
    this.#isDrawn = false
    this.#show('loading')
    const held = tokens.hold()
    const token = held instanceof Promise ? await held : held
    if (this.status === 'idle') return
    this.#wait()
    const handle = readHandle(token)
    if (!handle) {
      await null
      // The page may have closed the flow in the same task.
      if (this.shown === 'idle') return
      this.#lack('initial', token)
      return
    }
    this.channel = createChannel({
      origin,
      handle,
      init,
      onHello: () => this.#wait(),
      onDrawn: () => {
        this.#isDrawn = true
        this.#options.onChange()
      },
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

  /**
   * Closes the flow at the person's request. If the frame is ready, sends it a `leave` message instead, because the
   * person may have typed something.
   */
  leave(): void {
    if (this.status === 'ready') this.channel?.post({ type: 'leave' })
    else this.exit('user')
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
   * Ends the opening without dispatching an event. The frame remains briefly, unless {@link stop} removes it sooner,
   * but its messages are ignored.
   */
  end(reason: ExitReason): void {
    if (this.status === 'idle') return
    this.#prepared(setupError('NOT_CONNECTED'))
    const { session_id = null, entity_id = null, accounts = [], result = null } = this.#success ?? {}
    this.#resolve({ reason: this.#success ? 'completed' : reason, session_id, entity_id, accounts, result })
    this.#show('idle')
    this.#timer = setTimeout(() => this.stop(), CLOSE_DELAY_MS)
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

  /** Shows a status. Every status change ends the current wait. */
  #show(status: Status): void {
    clearTimeout(this.#timer)
    this.status = status
    this.#options.onChange()
  }

  #fail(cause: Cause): void {
    this.cause = cause
    this.#show('failed')
  }

  /** Waits for the frame's next message, up to the timeout. */
  #wait(): void {
    if (this.status === 'idle') return
    this.#show('loading')
    this.#timer = setTimeout(() => {
      // If a token is missing, the page has already received an error.
      if (this.#owed) this.#fail('page')
      else {
        this.#fail('connection')
        this.#tell('FRAME_UNREACHABLE')
      }
    }, this.#options.timeout)
  }

  #tell(error: KitError): void {
    if (this.isHidden) this.discard(setupError(error))
    else this.#options.dispatch(new ElementErrorEvent(errorOf(error)))
  }

  /** Ends the preparation and removes its frame. */
  discard(error?: Error): void {
    if (error) this.#prepared(error)
    this.end('error')
    this.stop()
    this.isHidden = false
  }

  /**
   * Handles a missing token. If the callback failed, logs its error. If there is no frame, shows the error state,
   * because waiting won't help.
   */
  #lack(reason: AuthReason, why: TokenResult): void {
    this.#owed = reason
    if (this.channel) this.#why = 'expired'
    if (why instanceof Error) {
      console.error(why)
      // A browser can report that it is offline when it is not, so the report only words the failure.
      if (!this.channel) this.#fail(navigator.onLine ? 'page' : 'connection')
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
    if (this.isHidden && !/^(?:auth|ready|resize)/.test(message.type)) {
      // The page receives nothing from a hidden frame.
      if (message.type === 'error') this.discard(namedError(message.sub_type, message.message))
      return
    }
    switch (message.type) {
      case 'auth.request':
        this.#answer(message.reason)
        break
      case 'ready':
        this.#isDrawn = false
        this.#show('ready')
        if (this.isHidden) {
          this.#timer = setTimeout(() => this.discard(), PREPARED_LIFETIME_MS)
          this.#prepared()
          break
        }
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
        // Records the exit reason now, because Escape or the back gesture may reach the dialog instead of the frame.
        this.#why = !message.recoverable ? 'error' : TOKEN_REJECTION.test(message.sub_type) ? 'expired' : 'user'
        dispatch(new ElementErrorEvent(message))
        break
      default:
        dispatch(new forwardedEvents[message.type](message as never))
    }
  }
}
